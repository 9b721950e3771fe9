import { canonicalJson } from '../core/json.ts'
import type { Message, ModelRole, ResultBlock, TextBlock, UserBlock } from '../core/message.ts'
import type { ToolCall, ToolDefinition } from '../core/tool.ts'

/** What a shortened result keeps: enough to see what it was. */
const KEPT_CHARACTERS = 300

/** The beginning of a text, cut at a line's end where there is one. */
function headOf(text: string): string {
  const head = text.slice(0, KEPT_CHARACTERS)
  const end = head.lastIndexOf('\n')
  return end > 0 ? head.slice(0, end) : head
}

/**
 * A conversation with a model: one system prompt and one tool list from its first request to its last, and a history
 * to which is only added, unless it outgrows the model's context.
 */
export class Conversation {
  readonly #messages: Message[] = []
  /** Tools whose definition was replaced for the answer to the last request. */
  #replaced: readonly string[] = []
  /** How often a call was made, by its name and arguments, since anything changed. */
  readonly #made = new Map<string, number>()
  #announced = 0
  /** Length as JSON, counted as it grows: a long conversation is not written out again for every request. */
  #length: number

  constructor(
    readonly id: string,
    readonly role: ModelRole,
    readonly system: string,
    /** As sent; what may be called now is held at dispatch. */
    readonly tools: readonly ToolDefinition[],
    opening: string,
  ) {
    this.#length = JSON.stringify({ system, tools }).length
    this.add({ role: 'user', content: [{ type: 'text', text: opening }] })
  }

  get messages(): readonly Message[] {
    return this.#messages
  }

  /** Four bytes a token: good enough to see growth before the provider's own count comes back. */
  get estimatedTokens(): number {
    return Math.ceil(this.#length / 4)
  }

  add(message: Message): void {
    this.#messages.push(message)
    this.#length += JSON.stringify(message).length
  }

  /**
   * The next user turn: results of all calls of the last answer, in their order, then what else there is to say.
   * `definitions` hold for the answer to it, in place of those of their names; after it the list holds again as it was sent.
   */
  reply(
    results: readonly ResultBlock[],
    texts: readonly string[] = [],
    definitions: readonly ToolDefinition[] = [],
  ): void {
    const said: TextBlock[] = texts.filter((text) => text !== '').map((text) => ({ type: 'text', text }))
    this.add({ role: 'user', content: [...results, ...said] })
    const replaced = definitions.map(({ name }) => name)
    const back = this.tools.filter(({ name }) => this.#replaced.includes(name) && !replaced.includes(name))
    this.#replaced = replaced
    if (definitions.length + back.length > 0) this.add({ role: 'tools', definitions: [...definitions, ...back] })
  }

  /** Notes a call and tells how often it was made before, the tree being as it is (`changes` counts what was done to it). */
  madeBefore(call: ToolCall, changes: number): number {
    if (!call.input.parsed) return 0
    const key = `${changes} ${call.name} ${canonicalJson(call.input.value)}`
    const before = this.#made.get(key) ?? 0
    this.#made.set(key, before + 1)
    return before
  }

  /**
   * Shortens the results of old calls to their first lines and `note`; calls and results stay paired. The latest results
   * stay whole. Gives how many were shortened.
   */
  shrink(note: string): number {
    let shortened = 0
    const latest = this.#messages.findLastIndex((message) => message.role === 'user')
    this.#messages.forEach((message, index) => {
      if (message.role !== 'user' || index >= latest) return
      const content = message.content.map((block): UserBlock => {
        if (block.type !== 'result' || block.text.length <= KEPT_CHARACTERS + note.length || block.text.endsWith(note))
          return block
        shortened += 1
        return { ...block, text: `${headOf(block.text)}\n${note}` }
      })
      this.#messages[index] = { role: 'user', content }
    })
    if (shortened > 0) {
      this.#made.clear()
      const { system, tools } = this
      this.#length = JSON.stringify({ system, tools }).length + JSON.stringify(this.#messages).length
    }
    return shortened
  }

  /** What has been added since the last time this was asked: for the event that announces a request. */
  takeUnannounced(): { readonly first: boolean; readonly messages: readonly Message[] } {
    const first = this.#announced === 0
    const messages = this.#messages.slice(this.#announced)
    this.#announced = this.#messages.length
    return { first, messages }
  }
}
