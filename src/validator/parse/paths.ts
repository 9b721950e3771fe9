import { relative, resolve, sep } from 'node:path'

/** Where a tool ran, so that the paths it prints can be told from the repository's root. Absolute folders. */
export interface Place {
  readonly root: string
  readonly cwd: string
}

/** A path as a tool printed it (absolute, or relative to its folder) as a repository-relative one with `/`. */
export function toRepositoryPath(path: string, place: Place): string {
  return relative(place.root, resolve(place.cwd, path)).split(sep).join('/')
}

/** Text without the absolute path of the root, which a person's other checkout does not share. */
export function withoutRoot(text: string, root: string): string {
  return text.replaceAll(`file://${root}/`, '').replaceAll(`${root}${sep}`, '')
}

/** A stack without the frames of Node and of installed packages: they say nothing about the change. */
export function withoutForeignFrames(text: string): string {
  return text
    .split('\n')
    .filter((line) => !/^\s*(?:at|❯) .*(?:node:|node_modules[\\/]|<anonymous>\))/.test(line))
    .join('\n')
}
