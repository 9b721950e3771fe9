import { FailureError } from '../core/failure.ts'

type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP'
const SIGNALS: readonly Signal[] = ['SIGINT', 'SIGTERM', 'SIGHUP']

export interface Interrupt {
  readonly signal: AbortSignal
  /** As if the process had got that signal. */
  trigger(signal: Signal): void
  /** Ends the run after so many milliseconds. */
  after(ms: number): void
  close(): void
  /** To be called last: ends the process where its terminal is gone. */
  hangUp(): void
}

/** Turns signals and a time limit into the abort of a run. The first one counts: the tree is being given back from then on. */
export function interruptible(): Interrupt {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const trigger = (signal: Signal) =>
    controller.abort(new FailureError({ kind: 'user.cancelled', signal }, `interrupted by ${signal}`))
  const quit = () => trigger('SIGTERM')
  for (const signal of SIGNALS) process.on(signal, trigger)
  // Ctrl-\ asks for an end like any other; the core dump that it usually gives would help nobody.
  process.on('SIGQUIT', quit)
  return {
    signal: controller.signal,
    trigger,
    after(ms) {
      timer = setTimeout(
        () => controller.abort(new FailureError({ kind: 'budget.time', limitMs: ms }, 'the time limit is reached')),
        ms,
      )
    },
    close() {
      clearTimeout(timer)
      for (const signal of SIGNALS) process.off(signal, trigger)
      process.off('SIGQUIT', quit)
    },
    hangUp() {
      const { reason } = controller.signal
      const hungUp =
        reason instanceof FailureError && reason.failure.kind === 'user.cancelled' && reason.failure.signal === 'SIGHUP'
      // Node aborts with a native stack trace when it resets a terminal that is no more; dying of the signal is quiet.
      if (hungUp && (process.stdin.isTTY || process.stdout.isTTY)) process.kill(process.pid, 'SIGHUP')
    },
  }
}
