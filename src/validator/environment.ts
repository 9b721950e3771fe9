import { delimiter, dirname, join } from 'node:path'
import { privateVariables } from '../core/private-variables.ts'

/** Of our own start, not of the person's environment: they would make the tools believe that they run inside of another. */
const OF_OUR_START =
  /^(?:GIT_\w+|npm_(?:lifecycle|package)_\w+|npm_command|VITEST(?:_\w+)?|NODE_TEST_CONTEXT|NODE_V8_COVERAGE)$/i

/**
 * The environment of a check, as changes to ours: never watch, never ask, no colours. Git's variables are removed, since
 * in a hook they point at the repository that the hook runs for; so are the keys of the model's provider.
 */
export function checkEnvironment(
  current: Readonly<Record<string, string | undefined>>,
  folder: string,
  root: string,
): Record<string, string | undefined> {
  const changes: Record<string, string | undefined> = {}
  for (const name of Object.keys(current)) if (OF_OUR_START.test(name)) changes[name] = undefined
  return {
    ...changes,
    ...privateVariables(current),
    CI: '1',
    NO_COLOR: '1',
    FORCE_COLOR: undefined,
    PATH: withLocalBinaries(current.PATH ?? '', folder, root),
  }
}

/** As npm does it for scripts: `node_modules/.bin` of the folder and of those above it, up to the root. */
function withLocalBinaries(path: string, folder: string, root: string): string {
  const folders: string[] = []
  for (let at = folder; ; at = dirname(at)) {
    folders.push(join(at, 'node_modules', '.bin'))
    if (at === root || dirname(at) === at) break
  }
  return [...folders, dirname(process.execPath), path].join(delimiter)
}
