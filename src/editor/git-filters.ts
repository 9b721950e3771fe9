import { git, records } from './git.ts'

/** Filters that are configured for a repository, and what keeps git from running them. */
export interface Filters {
  readonly names: readonly string[]
  /** Settings for `GitOptions.settings`: with these, git takes and gives bytes as they are, line endings aside. */
  readonly off: readonly string[]
}

const found = new Map<string, Promise<Filters>>()

/** The filter drivers (`filter.<name>.clean` and the like) of the repository around `root`; looked up once in a process. */
export function filtersOf(root: string): Promise<Filters> {
  const known = found.get(root) ?? look(root)
  found.set(root, known)
  return known
}

async function look(root: string): Promise<Filters> {
  const listed = await git(['config', '--null', '--name-only', '--get-regexp', '^filter\\..*\\..*'], { cwd: root })
  const names = new Set<string>()
  for (const key of records(listed.stdout)) {
    const name = /^filter\.(.+)\.[^.]+$/s.exec(key)?.[1]
    // No argument can say a name with an equals sign; the attribute that would ask for it can't either.
    if (name !== undefined && !name.includes('=')) names.add(name)
  }
  const off = [...names].flatMap((name) => [
    `filter.${name}.clean=`,
    `filter.${name}.smudge=`,
    `filter.${name}.process=`,
    `filter.${name}.required=false`,
  ])
  return { names: [...names], off }
}
