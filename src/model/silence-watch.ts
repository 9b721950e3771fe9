/** Calls back when a wait sees no sign of life for too long. Watches only between `wait` and `stop`. */
export interface SilenceWatch {
  /** Begins a wait that may stay silent for `ms`. */
  wait(ms: number): void
  /** A sign of life: the wait may stay silent for its whole time again. */
  touch(): void
  stop(): void
}

export function createSilenceWatch(onSilence: () => void): SilenceWatch {
  let timer: NodeJS.Timeout | undefined
  const stop = () => {
    clearTimeout(timer)
    timer = undefined
  }
  return {
    wait(ms) {
      stop()
      timer = setTimeout(onSilence, ms)
    },
    touch() {
      timer?.refresh()
    },
    stop,
  }
}
