import { realpathSync } from 'node:fs'
import type { Flags } from '../config/layers.ts'
import { type LoadedSettings, loadSettings } from '../config/load.ts'
import { EXIT } from '../core/outcome.ts'
import { UserError } from '../core/user-error.ts'
import { findRoot } from '../workspace/root.ts'

/** Where a command is given, and with what. */
export interface Where {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly flags: Flags
}

/** The repository's root around `cwd`, links resolved. Throws a `UserError` where there is none. */
export const rootOf = (cwd: string): string => realpathSync(findRoot(cwd))

/** Throws a `UserError` that names every fault of the settings. */
export function settingsOf(where: Where & { readonly root: string }): LoadedSettings {
  const loaded = loadSettings(where)
  if (!loaded.ok) {
    const onlyFlags = loaded.problem.split('\n').every((line) => line.startsWith('--'))
    throw new UserError(loaded.problem, onlyFlags ? EXIT.usage : EXIT.configuration)
  }
  return loaded
}
