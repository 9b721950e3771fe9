import path from 'node:path'
import { locateState } from '../editor/state-dir.ts'
import { asUserError, giveBackUnlessBusy } from './give-back.ts'
import { rootOf, settingsOf, type Where } from './settings.ts'

/** Where the run logs of the repository around `cwd` are. */
export async function runsDirOf(where: Where): Promise<string> {
  const root = rootOf(where.cwd)
  const { settings } = settingsOf({ ...where, root })
  return settings.logDir ?? path.join((await locateState(root)).stateDir, 'runs')
}

/** Gives back what killed runs changed in the tree around `cwd`, unless a run is working there. Tells what was done. */
export async function giveBackKilled(cwd: string): Promise<readonly string[]> {
  const root = rootOf(cwd)
  return giveBackUnlessBusy((await locateState(root)).stateDir, root).catch(asUserError)
}

export { listRuns } from '../runlog/list.ts'
export { readRunLog } from '../runlog/read.ts'
export { collectStats } from '../runlog/stats.ts'
