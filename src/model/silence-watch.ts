/** How often in a row a whole time of silence may be put off by nothing but signs of life. */
const PATIENCE = 20

/**
 * Calls back when a wait sees no sign of life for too long, or nothing but such signs (`alive`) for far too long. Watches
 * only between `wait` and `pause` or `stop`.
 */
export interface SilenceWatch {
  /** Begins a wait that may stay silent for `ms`, the same for all waits. */
  wait(ms: number): void
  /** A sign of life: the wait may stay silent for its whole time again, though not for ever. */
  touch(): void
  /** The wait is over, another one may follow. */
  pause(): void
  /** No other wait follows. */
  stop(): void
}

export function createSilenceWatch(onSilence: (alive: boolean) => void): SilenceWatch {
  let timer: NodeJS.Timeout | undefined
  let waiting = false
  let latest = 0
  // One timer for all waits: a stream has thousands of them.
  const expired = () => {
    timer = undefined
    if (waiting) onSilence(false)
  }
  return {
    wait(ms) {
      waiting = true
      latest = Date.now() + PATIENCE * ms
      if (timer === undefined) timer = setTimeout(expired, ms)
      else timer.refresh()
    },
    touch() {
      if (!waiting) return
      if (Date.now() > latest) onSilence(true)
      else timer?.refresh()
    },
    pause() {
      waiting = false
    },
    stop() {
      waiting = false
      clearTimeout(timer)
      timer = undefined
    },
  }
}
