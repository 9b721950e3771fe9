/** How long the first request is left alone, in milliseconds: enough for it to leave, little beside the time of an answer. */
const HEAD_START_MS = 100

/** Resolves after the head start, or when `signal` aborts. What starts processes waits for it, so that the first request leaves early. */
export function headStart(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, HEAD_START_MS)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
  })
}
