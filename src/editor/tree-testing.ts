import { execFileSync } from 'node:child_process'
import { chmod, lstat, mkdir, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const ENV = {
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@localhost',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@localhost',
}

/** Runs git with no configuration of the user's; throws when it fails. */
export function git(cwd: string, ...args: string[]): string {
  return gitWith(cwd, undefined, ...args)
}

/** The same with an input. */
export function gitWith(cwd: string, input: string | undefined, ...args: string[]): string {
  const stdin = input === undefined ? ('ignore' as const) : ('pipe' as const)
  return execFileSync('git', args, { cwd, env: ENV, encoding: 'utf8', input, stdio: [stdin, 'pipe', 'pipe'] })
}

export async function put(root: string, path: string, content: string | Uint8Array, mode = 0o644): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), content)
  await chmod(join(root, path), mode)
}

export async function link(root: string, path: string, target: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await symlink(target, join(root, path))
}

/** Everything outside of `.git`: what is at each path, to the byte. */
export async function treeOf(root: string, folder = ''): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (path === '.git') continue
    const absolute = join(root, path)
    if (entry.isDirectory()) Object.assign(found, { [`${path}/`]: 'directory' }, await treeOf(root, path))
    else if (entry.isSymbolicLink()) found[path] = `link ${await readlink(absolute)}`
    else
      found[path] =
        `${((await lstat(absolute)).mode & 0o7777).toString(8)} ${(await readFile(absolute)).toString('latin1')}`
  }
  return found
}
