import type { Message } from '../core/message.ts'

/**
 * Throws a plain Error when a conversation is not one that a provider takes: it starts and ends with the user, no turn is
 * empty, and each call has exactly one result, in the next message, before any text and in the order of the calls.
 */
export function checkConversation(messages: readonly Message[]): void {
  const defect = (index: number, what: string): never => {
    throw new Error(`messages[${index}]: ${what}`)
  }
  if (messages.at(0)?.role !== 'user') defect(0, 'a conversation starts with the user')
  if (messages.at(-1)?.role === 'assistant') defect(messages.length - 1, 'a request ends with the user')
  const seen = new Set<string>()
  let open: readonly string[] = []
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tools') {
      if (messages[index - 1]?.role !== 'user') defect(index, 'definitions follow a turn of the user')
    } else if (message.role === 'assistant') {
      if (open.length > 0) defect(index, `no result for ${open.join(', ')}`)
      const calls = message.content.flatMap((block) => (block.type === 'call' ? [block.call.id] : []))
      const text = message.content.some((block) => block.type === 'text' && block.text.trim() !== '')
      if (calls.length === 0 && !text) defect(index, 'an assistant turn without text or call')
      for (const id of calls) {
        if (seen.has(id)) defect(index, `call id ${id} is used twice`)
        seen.add(id)
      }
      open = calls
    } else {
      const results = message.content.flatMap((block) => (block.type === 'result' ? [block.callId] : []))
      if (results.length !== open.length || results.some((id, at) => id !== open[at]))
        defect(index, `results for [${results.join(', ')}] where the calls are [${open.join(', ')}]`)
      if (message.content.slice(0, results.length).some((block) => block.type !== 'result'))
        defect(index, 'text before a result')
      if (results.length === 0 && !message.content.some((block) => block.type === 'text' && block.text.trim() !== ''))
        defect(index, 'a user turn without text or result')
      open = []
    }
  }
}
