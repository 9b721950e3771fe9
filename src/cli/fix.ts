import { startRun } from '../compose/run.ts'
import type { Flags } from '../config/layers.ts'
import { EXIT, type ExitCode } from '../core/outcome.ts'
import { UserError } from '../core/user-error.ts'
import { interruptible } from './interrupt.ts'
import { type OutputFormat, openOutput } from './output.ts'
import { version } from './version.ts'

export interface FixOptions {
  readonly cwd?: string
  readonly model?: string
  readonly yes?: boolean
  readonly approvalMode?: string
  readonly maxAttempts?: string
  readonly maxTurns?: string
  readonly maxBudgetUsd?: string
  readonly timeout?: string
  readonly baseUrl?: string
  readonly logDir?: string
  readonly record?: string
  readonly replay?: string
  readonly requireProof?: boolean
  readonly print?: boolean
  readonly outputFormat?: OutputFormat
  readonly json?: boolean
}

/** `goatfied fix`: runs the loop under a renderer. The exit code says how it ended. */
export async function fix(task: string, options: FixOptions, env: NodeJS.ProcessEnv = process.env): Promise<ExitCode> {
  if (options.yes && options.approvalMode === 'default')
    throw new UserError('--yes and --approval-mode default contradict each other.', EXIT.usage)
  const interrupt = interruptible()
  const output = await openOutput({ ...options, env, onInterrupt: () => interrupt.trigger('SIGINT') })
  try {
    const events = startRun({
      task,
      cwd: options.cwd ?? process.cwd(),
      flags: flagsOf(options),
      env,
      requireProof: options.requireProof ?? false,
      record: options.record,
      replay: options.replay,
      onProblem: (text) => process.stderr.write(`goatfied: ${text}\n`),
      version,
      person: output.person,
      signal: interrupt.signal,
      onTimeLimit: interrupt.after,
    })
    try {
      for (;;) {
        const step = await events.next()
        if (step.done) return step.value.exitCode
        output.event(step.value)
      }
    } finally {
      // Where showing the run fails, the run is ended first: nothing of it may stay half done.
      await events.return(undefined as never)
    }
  } finally {
    interrupt.close()
    await output.close()
    interrupt.hangUp()
  }
}

export function flagsOf(options: FixOptions): Flags {
  return {
    model: options.model,
    baseUrl: options.baseUrl,
    approvalMode: options.yes ? 'yolo' : options.approvalMode,
    'limits.attempts': options.maxAttempts,
    'limits.turns': options.maxTurns,
    budgetUsd: options.maxBudgetUsd,
    'timeouts.run': options.timeout,
    logDir: options.logDir,
  }
}
