/** Why what was still running was ended: its result is not needed any more. */
const ENOUGH = new DOMException('enough is known', 'AbortError')

/** Work that reports while it runs. */
export type Reporting<E, T> = (emit: (event: E) => void, signal: AbortSignal) => Promise<T>

/**
 * Runs `tasks`, at most `limit` at a time, yields what they report as it comes and returns their results in order. When
 * one throws, the signal fires or the caller stops reading, the others are aborted and awaited: nothing runs on. The same
 * once a result is `enough`; what was aborted for it then reports nothing more and has no result.
 */
export async function* runTogether<E, T>(
  tasks: readonly Reporting<E, T>[],
  limit: number,
  signal: AbortSignal,
  enough: (result: T) => boolean = () => false,
): AsyncGenerator<E, T[]> {
  const stop = new AbortController()
  const either = AbortSignal.any([signal, stop.signal])
  const waiting: E[] = []
  let wake: () => void = () => {}
  const results: T[] = []
  let satisfied = false
  let next = 0
  let ended = false
  const worker = async (): Promise<void> => {
    for (let index = next++; index < tasks.length && !satisfied; index = next++) {
      either.throwIfAborted()
      const task = tasks[index]
      if (task === undefined) return
      const result = await task((event) => {
        if (satisfied) return
        waiting.push(event)
        wake()
      }, either)
      if (satisfied) return
      results[index] = result
      satisfied = enough(result)
      if (satisfied) stop.abort(ENOUGH)
    }
  }
  const all = Promise.all(
    Array.from({ length: limit }, () =>
      worker().catch((error: unknown) => {
        if (error === ENOUGH) return
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
    return results.filter(() => true)
  } finally {
    if (!ended) stop.abort(new DOMException('the reader went away', 'AbortError'))
    await Promise.allSettled([all])
  }
}
