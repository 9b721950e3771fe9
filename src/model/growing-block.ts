import { isJsonObject, type Json, type JsonObject } from '../core/json.ts'
import type { AssistantBlock } from '../core/message.ts'
import { parseCallInput } from './call-input.ts'
import { uniqueCallId } from './unique-call-ids.ts'
import { stringAt } from './wire-json.ts'

/** A block as it grows. `ignored` stands for the kinds that are not used here. */
export type GrowingBlock =
  | { readonly type: 'text'; text: string }
  | { readonly type: 'thinking'; readonly start: JsonObject; text: string; signature: string }
  | { readonly type: 'redacted'; readonly start: JsonObject }
  | { readonly type: 'call'; readonly id: string; readonly name: string; readonly input: Json | undefined; raw: string }
  | { readonly type: 'ignored' }

export function startBlock(block: JsonObject): GrowingBlock {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: stringAt(block, 'text') ?? '' }
    case 'thinking':
      return {
        type: 'thinking',
        start: block,
        text: stringAt(block, 'thinking') ?? '',
        signature: stringAt(block, 'signature') ?? '',
      }
    case 'redacted_thinking':
      return { type: 'redacted', start: block }
    case 'tool_use':
      return {
        type: 'call',
        id: stringAt(block, 'id') ?? '',
        name: stringAt(block, 'name') ?? '',
        input: block.input,
        raw: '',
      }
    default:
      return { type: 'ignored' }
  }
}

/**
 * What the block has become: nothing for one without content. `cut` says that the token limit ended it. Call ids that are
 * in `takenIds` are replaced; those used are added.
 */
export function finishBlock(block: GrowingBlock, cut: boolean, takenIds: Set<string>): AssistantBlock[] {
  switch (block.type) {
    case 'text':
      return block.text.trim() === '' ? [] : [{ type: 'text', text: block.text }]
    case 'thinking': {
      const payload: JsonObject = { ...block.start, thinking: block.text }
      const signed = block.signature === '' ? payload : { ...payload, signature: block.signature }
      return [{ type: 'thinking', text: block.text, payload: signed }]
    }
    case 'redacted':
      return [{ type: 'thinking', text: '', payload: block.start }]
    case 'call': {
      const id = uniqueCallId(block.id, takenIds)
      // Some servers send the arguments at once with the start of the block.
      const atOnce = block.raw === '' && isJsonObject(block.input)
      const input = atOnce ? { parsed: true as const, value: block.input as JsonObject } : parseCallInput(block.raw)
      return [{ type: 'call', call: { id, name: block.name, input, complete: !cut } }]
    }
    case 'ignored':
      return []
  }
}
