import path from 'node:path'
import { privateVariables } from '../core/private-variables.ts'
import { type ProcessResult, runProcess } from '../lib/process.ts'
import type { ToolContext } from './tool.ts'

/** Variables by which git would be pointed to another repository than the one in the working directory. */
const GIT_LOCATION = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_PREFIX',
  'GIT_OBJECT_DIRECTORY',
  'GIT_COMMON_DIR',
]

/**
 * Runs a command line at the root by bash, where a failing stage of a pipe fails the pipe, or by sh where there is no bash.
 * It has no input, is told that nobody watches (so that test runners don't watch files), and finds the repository's own programs.
 * The keys of the model's provider are not passed on.
 */
export async function runShell(command: string, context: ToolContext, signal: AbortSignal): Promise<ProcessResult> {
  const bin = path.join(context.root, 'node_modules', '.bin')
  const request = {
    cwd: context.root,
    env: {
      ...privateVariables(process.env),
      CI: '1',
      NO_COLOR: '1',
      FORCE_COLOR: undefined,
      // A look at the state must not write the index.
      GIT_OPTIONAL_LOCKS: '0',
      PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}`,
      ...Object.fromEntries(GIT_LOCATION.map((name) => [name, undefined])),
    },
    deadlineMs: context.commandDeadlineMs,
    signal,
    redact: context.redact,
    ...(context.commandLog === undefined ? {} : { logFile: context.commandLog }),
  }
  const result = await runProcess({ file: 'bash', args: ['-o', 'pipefail', '-c', command], ...request })
  return result.status === 'not-started' ? runProcess({ file: 'sh', args: ['-c', command], ...request }) : result
}
