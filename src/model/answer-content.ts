import type { AssistantBlock, StopReason } from '../core/message.ts'

/** No answer has more calls; where more come there is no end to them. */
export const MOST_CALLS = 1000

/** What of an answer can stand in a history: thinking that led to nothing can't end a turn. */
export function withoutIdleThinking(content: readonly AssistantBlock[]): readonly AssistantBlock[] {
  const end = content.findLastIndex(({ type }) => type !== 'thinking')
  return content.slice(0, end + 1)
}

/**
 * The stop reason of an answer that has come whole. Servers differ in what they say of an answer with calls, so the calls
 * decide; `ended` says that the provider calls it a good end.
 */
export function stopReasonOf(content: readonly AssistantBlock[], cut: boolean, ended: boolean): StopReason {
  if (cut) return 'length'
  if (content.some(({ type }) => type === 'call')) return 'calls'
  return ended ? 'end' : 'other'
}
