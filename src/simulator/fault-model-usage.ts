import type { ModelRequest, Usage } from '../core/message.ts'

const BYTES_PER_TOKEN = 4

/** Counts tokens as a provider would that caches the longest common beginning, in the order tools, system prompt, messages. */
export interface UsageMeter {
  /** Tokens that had been in the cache and were not read from it, since what stood before them had changed. */
  readonly lost: number
  /** Tokens of a request, read from the cache as far as the conversation's former request begins in the same way. */
  count(request: ModelRequest, answer: string): Usage
}

export function createUsageMeter(): UsageMeter {
  /** The former request of each conversation, in parts; conversations are told apart by how they open. */
  const former = new Map<string, { readonly parts: readonly string[]; readonly messages: number }>()
  let lost = 0
  return {
    get lost() {
      return lost
    },
    count(request, answer) {
      const parts = [
        ...request.tools.map((tool) => JSON.stringify(tool)),
        request.system,
        ...request.messages.map((message) => JSON.stringify(message)),
      ]
      const conversation = JSON.stringify(request.messages[0] ?? '')
      const { parts: before, messages } = former.get(conversation) ?? { parts: [], messages: 0 }
      former.set(conversation, { parts, messages: request.messages.length })
      const differs = before.findIndex((part, index) => part !== parts[index])
      const same = differs < 0 ? before.length : differs
      // One that is not longer begins anew, with the same words.
      if (request.messages.length > messages) lost += tokensOf(before.slice(same))
      const cacheRead = tokensOf(parts.slice(0, same))
      return { input: tokensOf(parts) - cacheRead, cacheRead, cacheWrite: 0, output: tokensOf([answer]) }
    },
  }
}

function tokensOf(parts: readonly string[]): number {
  return Math.ceil(parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0) / BYTES_PER_TOKEN)
}
