import type { InstalledPackage } from '../installed.ts'
import type { Word } from '../script-steps.ts'
import type { Env } from './check.ts'
import type { Link } from './links.ts'

/** A test runner as the repository's script calls it. */
export interface RunnerSettings {
  readonly installed: InstalledPackage
  /** Options of Node's that the script starts the runner with. */
  readonly launch: readonly Word[]
  /** The words after the runner's name. */
  readonly given: readonly Word[]
  readonly before: readonly Link[]
  readonly env: Env
}
