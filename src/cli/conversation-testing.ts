import { expect } from 'vitest'
import { isJsonObject, type Json } from '../core/json.ts'
import type { RecordedRequest } from '../simulator/simulator.ts'

/**
 * What holds for the requests of every run: the provider takes each; a conversation keeps its system prompt and its tools
 * byte for byte, and is only added to. Conversations are told apart by their first message; one with nothing else is a new one.
 */
export function expectGoodConversations(requests: readonly RecordedRequest[]): void {
  expect(requests.map(({ rejected }) => rejected)).toEqual(requests.map(() => undefined))
  const conversations = new Map<string, RecordedRequest>()
  for (const request of requests) {
    const key = JSON.stringify(messagesOf(request)[0])
    const before = conversations.get(key)
    conversations.set(key, request)
    if (before === undefined || messagesOf(request).length === 1) continue
    expect(JSON.stringify(request.body.tools)).toBe(JSON.stringify(before.body.tools))
    expect(JSON.stringify(request.body.system)).toBe(JSON.stringify(before.body.system))
    const earlier = messagesOf(before)
    expect(messagesOf(request).slice(0, earlier.length)).toEqual(earlier)
  }
}

/** The messages without the marks for the cache, which move on with the conversation. */
function messagesOf({ body }: RecordedRequest): readonly Json[] {
  return Array.isArray(body.messages) ? body.messages.map(withoutMarks) : []
}

function withoutMarks(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutMarks)
  if (!isJsonObject(value)) return value
  const members = Object.entries(value).filter(([name]) => name !== 'cache_control')
  return Object.fromEntries(members.map(([name, member]) => [name, withoutMarks(member)]))
}

/** The results in the last message of a request, in their order. */
export function resultsOf(
  request: RecordedRequest | undefined,
): readonly { id: string; text: string; failed: boolean }[] {
  const last = request && messagesOf(request).findLast((message) => isJsonObject(message) && message.role === 'user')
  const content = isJsonObject(last) && Array.isArray(last.content) ? last.content : []
  return content.flatMap((block: Json) =>
    isJsonObject(block) && block.type === 'tool_result'
      ? [{ id: String(block.tool_use_id), text: JSON.stringify(block.content), failed: block.is_error === true }]
      : [],
  )
}
