/** Work that reports while it runs. */
export type Reporting<E, T> = (emit: (event: E) => void, signal: AbortSignal) => Promise<T>

/**
 * Runs `tasks`, at most `limit` at a time, yields what they report as it comes and returns their results in order. When
 * one throws, the signal fires or the caller stops reading, the others are aborted and awaited: nothing runs on.
 */
export async function* runTogether<E, T>(
  tasks: readonly Reporting<E, T>[],
  limit: number,
  signal: AbortSignal,
): AsyncGenerator<E, T[]> {
  const stop = new AbortController()
  const either = AbortSignal.any([signal, stop.signal])
  const waiting: E[] = []
  let wake: () => void = () => {}
  const results: T[] = []
  let next = 0
  let ended = false
  const worker = async (): Promise<void> => {
    for (let index = next++; index < tasks.length; index = next++) {
      either.throwIfAborted()
      const task = tasks[index]
      if (task === undefined) return
      results[index] = await task((event) => {
        waiting.push(event)
        wake()
      }, either)
    }
  }
  const all = Promise.all(
    Array.from({ length: limit }, () =>
      worker().catch((error: unknown) => {
        stop.abort(error)
        throw error
      }),
    ),
  ).finally(() => {
    ended = true
    wake()
  })
  // A rejection is told below; until then it is nobody's.
  all.catch(() => {})
  try {
    while (!ended || waiting.length > 0) {
      const event = waiting.shift()
      if (event !== undefined) yield event
      else if (!ended) await new Promise<void>((resolve) => (wake = resolve))
    }
    await all
    return results
  } finally {
    if (!ended) stop.abort(new DOMException('the reader went away', 'AbortError'))
    await Promise.allSettled([all])
  }
}
