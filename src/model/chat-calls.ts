import { isJsonObject, type Json, type JsonObject } from '../core/json.ts'
import type { AssistantBlock } from '../core/message.ts'
import { parseCallInput } from './call-input.ts'
import { uniqueCallId } from './unique-call-ids.ts'
import { numberAt, objectAt, parseJson, stringAt } from './wire-json.ts'

interface GrowingCall {
  id: string
  name: string
  raw: string
  /** Whether the arguments came at once as what they are, and not as pieces of their text. */
  whole: boolean
  extra: Json | undefined
}

/**
 * The calls of one answer as they grow. Servers differ in what they say of a piece: an index may be missing or the same for
 * all calls, an id missing or repeated, a name repeated or in pieces, the arguments an object.
 */
export class GrowingCalls {
  readonly #tools: readonly string[]
  readonly #calls: GrowingCall[] = []
  readonly #byIndex = new Map<number, GrowingCall>()

  /** `tools` are the names of those that may be called. */
  constructor(tools: readonly string[]) {
    this.#tools = tools
  }

  get count(): number {
    return this.#calls.length
  }

  take(piece: JsonObject): void {
    const called = objectAt(piece, 'function')
    const index = numberAt(piece, 'index')
    const id = stringAt(piece, 'id') ?? ''
    const name = stringAt(called, 'name') ?? ''
    const args = called?.arguments ?? undefined
    const begins = name !== '' && args !== undefined && args !== ''
    const call = this.#callOf(index, id, name, begins) ?? this.#start(index, id)
    call.id ||= id
    if (this.#goesOn(call, name)) call.name += name
    else call.name ||= name
    if (typeof args === 'string') call.raw += args
    else if (args !== undefined) Object.assign(call, { raw: JSON.stringify(args), whole: true })
    call.extra ??= piece.extra_content
  }

  /** Whether the arguments of the last call break off. */
  get lastIsTorn(): boolean {
    const last = this.#calls.at(-1)
    return last !== undefined && !parseCallInput(last.raw).parsed
  }

  /** `cut` says that the token limit ended the last one. Call ids in `takenIds` are replaced; those used are added. */
  blocks(cut: boolean, takenIds: Set<string>): AssistantBlock[] {
    return this.#calls.flatMap((call, at): AssistantBlock[] => {
      const id = uniqueCallId(call.id, takenIds)
      const complete = !(cut && at === this.#calls.length - 1)
      const input = parseCallInput(call.raw)
      const block: AssistantBlock = { type: 'call', call: { id, name: call.name, input, complete } }
      if (call.extra === undefined) return [block]
      return [{ type: 'thinking', text: '', payload: { type: 'chat_call_extra', extra_content: call.extra } }, block]
    })
  }

  /**
   * The call that a piece goes on with; undefined when it begins one. `begins` says that it has a name and arguments,
   * which is what a piece that begins a call looks like where there are no ids and indexes to tell by.
   */
  #callOf(index: number | undefined, id: string, name: string, begins: boolean): GrowingCall | undefined {
    const same = index === undefined ? this.#calls.at(-1) : this.#byIndex.get(index)
    if (!same) return undefined
    // Another id or name under the same index is another call.
    if ([id, same.id].every((one) => one !== '') && id !== same.id) return undefined
    if (this.#goesOn(same, name)) return same
    if ([name, same.name].every((one) => one !== '') && name !== same.name) return undefined
    return begins && isWhole(same) ? undefined : same
  }

  /** Whether the name is the rest of one that came in pieces. */
  #goesOn({ name: begun, raw }: GrowingCall, name: string): boolean {
    if (begun === '' || name === '' || raw !== '' || this.#tools.includes(begun)) return false
    return this.#tools.some((tool) => tool.startsWith(begun + name))
  }

  #start(index: number | undefined, id: string): GrowingCall {
    const call = { id, name: '', raw: '', whole: false, extra: undefined }
    this.#calls.push(call)
    if (index !== undefined) this.#byIndex.set(index, call)
    return call
  }
}

function isWhole({ whole, raw }: GrowingCall): boolean {
  return whole || isJsonObject(parseJson(raw))
}
