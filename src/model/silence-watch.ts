/** How often in a row a whole time of silence may be put off by nothing but signs of life. */
const PATIENCE = 20

/**
 * Calls back when a wait sees no sign of life for too long, or nothing but such signs (`alive`) for far too long. Watches
 * only between `wait` and `stop`.
 */
export interface SilenceWatch {
  /** Begins a wait that may stay silent for `ms`. */
  wait(ms: number): void
  /** A sign of life: the wait may stay silent for its whole time again, though not for ever. */
  touch(): void
  stop(): void
}

export function createSilenceWatch(onSilence: (alive: boolean) => void): SilenceWatch {
  let timer: NodeJS.Timeout | undefined
  let latest = 0
  const stop = () => {
    clearTimeout(timer)
    timer = undefined
  }
  return {
    wait(ms) {
      stop()
      latest = Date.now() + PATIENCE * ms
      timer = setTimeout(onSilence, ms, false)
    },
    touch() {
      if (timer && Date.now() > latest) onSilence(true)
      else timer?.refresh()
    },
    stop,
  }
}
