import { isJsonObject, type Json, type JsonObject } from '../core/json.ts'
import type { AssistantBlock } from '../core/message.ts'
import { parseCallInput } from './call-input.ts'
import { uniqueCallId } from './unique-call-ids.ts'
import { numberAt, objectAt, stringAt } from './wire-json.ts'

/** An output item as it grows: what the server says of it, and the text or arguments that came in pieces. */
interface GrowingItem {
  item: JsonObject
  raw: string
}

/** The output items of one answer of the Responses API, by their place in it. Their places may come as ids, or not at all. */
export class GrowingItems {
  readonly #items = new Map<number, GrowingItem>()
  readonly #places = new Map<string, number>()

  /** What the model said in place of an answer; empty where it did not refuse. */
  get refusal(): string {
    return [...this.#items.values()].map(({ item }) => partsOf(item, 'refusal')).join('')
  }

  get count(): number {
    return this.#items.size
  }

  /** Whether the arguments of the last call break off. */
  get lastIsTorn(): boolean {
    const last = this.#inOrder().at(-1)
    return last?.item.type === 'function_call' && !parseCallInput(last.raw).parsed
  }

  start(event: JsonObject): void {
    const item = objectAt(event, 'item') ?? {}
    this.#items.set(this.#placeOf(event, item) ?? this.#items.size, { item, raw: '' })
  }

  /** False when the item that the piece belongs to never started. */
  grow(event: JsonObject, delta: string): boolean {
    const growing = this.#items.get(this.#placeOf(event, {}) ?? this.#items.size - 1)
    if (growing) growing.raw += delta
    return growing !== undefined
  }

  /**
   * The item as the server has it in the end. Of a text, what came in pieces stays as it came; arguments are what the server
   * says in the end, if it does. Gives back text that came at once.
   */
  finish(event: JsonObject): string | undefined {
    const item = objectAt(event, 'item') ?? {}
    const place = this.#placeOf(event, item) ?? Math.max(0, this.#items.size - 1)
    const growing = this.#items.get(place) ?? { item, raw: '' }
    this.#items.set(place, growing)
    growing.item = item
    if (item.type === 'function_call') growing.raw = argumentsOf(item) ?? growing.raw
    if (item.type !== 'message' || growing.raw !== '') return undefined
    growing.raw = partsOf(item, 'text')
    return growing.raw
  }

  /** The items of an answer of which none came by itself. Gives back their text. */
  takeWhole(output: Json | undefined): string | undefined {
    if (this.#items.size > 0 || !Array.isArray(output)) return undefined
    const texts = (output as readonly Json[])
      .filter(isJsonObject)
      .map((item, place) => this.finish({ output_index: place, item }) ?? '')
    return texts.join('') || undefined
  }

  /** `cut` says that the last one broke off. Call ids in `takenIds` are replaced; those used are added. */
  blocks(cut: boolean, takenIds: Set<string>): AssistantBlock[] {
    const items = this.#inOrder()
    return items.flatMap((growing) => blocksOf(growing, cut && growing === items.at(-1), takenIds))
  }

  #inOrder(): readonly GrowingItem[] {
    return [...this.#items].sort(([a], [b]) => a - b).map(([, growing]) => growing)
  }

  #placeOf(event: JsonObject, item: JsonObject): number | undefined {
    const id = stringAt(event, 'item_id') ?? stringAt(item, 'id')
    const known = numberAt(event, 'output_index') ?? (id === undefined ? undefined : this.#places.get(id))
    if (id !== undefined && !this.#places.has(id)) this.#places.set(id, known ?? this.#items.size)
    return known
  }
}

function argumentsOf(item: JsonObject): string | undefined {
  const given = item.arguments
  if (typeof given === 'string') return given === '' ? undefined : given
  return given === undefined || given === null ? undefined : JSON.stringify(given)
}

function blocksOf({ item, raw }: GrowingItem, cut: boolean, takenIds: Set<string>): AssistantBlock[] {
  switch (item.type) {
    case 'message': {
      if (raw.trim() === '') return []
      const phase = stringAt(item, 'phase')
      const payload = phase === undefined ? undefined : { type: 'message_phase', phase }
      return [
        ...(payload ? [{ type: 'thinking' as const, text: '', payload }] : []),
        { type: 'text' as const, text: raw },
      ]
    }
    case 'reasoning':
      return [{ type: 'thinking', text: partsOf(item, 'text', 'summary'), payload: item }]
    case 'function_call': {
      const id = uniqueCallId(stringAt(item, 'call_id') ?? '', takenIds)
      const call = { id, name: stringAt(item, 'name') ?? '', input: parseCallInput(raw), complete: !cut }
      return [{ type: 'call', call }]
    }
    default:
      return []
  }
}

/** What the parts of an item have under `member`, joined. */
function partsOf(item: JsonObject, member: 'text' | 'refusal', key: 'content' | 'summary' = 'content'): string {
  const parts = item[key]
  return Array.isArray(parts) ? (parts as readonly Json[]).map((part) => stringAt(part, member) ?? '').join('') : ''
}
