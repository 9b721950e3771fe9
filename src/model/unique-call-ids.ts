import type { Message } from '../core/message.ts'

/**
 * Gives out ids under which a result can be told apart: an id that was given out before, or that is empty, gets a number.
 * `taken` is what was given out so far and grows.
 */
export function uniqueCallId(id: string, taken: Set<string>): string {
  const stem = id === '' ? 'call' : id
  let unique = stem
  for (let n = 2; taken.has(unique); n++) unique = `${stem}_${n}`
  taken.add(unique)
  return unique
}

export function callIds(messages: readonly Message[]): string[] {
  return messages.flatMap((message) =>
    message.role === 'assistant'
      ? message.content.flatMap((block) => (block.type === 'call' ? [block.call.id] : []))
      : [],
  )
}
