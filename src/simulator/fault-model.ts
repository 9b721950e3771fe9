import { NONE_OF_THESE } from '../core/constraint.ts'
import { success } from '../core/failure.ts'
import type { JsonSchema } from '../core/json.ts'
import type { AssistantBlock, ModelRequest } from '../core/message.ts'
import type { Model } from '../core/ports.ts'
import type { ToolDefinition } from '../core/tool.ts'
import { chance } from './fault-model-chance.ts'
import {
  editOf,
  fixOf,
  type MadeCall,
  type Mistake,
  mistakeFor,
  mistakenCall,
  named,
  rightCall,
} from './fault-model-mistakes.ts'
import { accepts, enforcedFor, inForce, rightUnder } from './fault-model-schema.ts'
import type { WantedCall, WantedSession } from './fault-model-session.ts'
import { createUsageMeter } from './fault-model-usage.ts'

export interface FaultModelOptions {
  readonly seed: number
  readonly session: WantedSession
  /** The share of the wanted calls that is got wrong at first, 0 to 1; which ones is drawn by the seed. */
  readonly faults: number
  /** Of making the very same mistake again at a further try, where nothing excludes it, 0 to 1. */
  readonly repeats: number
  /** Of guessing right where no text names what is right, 0 to 1. */
  readonly guesses: number
  /** The present content of a file: the model knows where in it an edit belongs. */
  readonly read: (path: string) => string
}

/** What the model has seen of its mistakes so far. */
export interface FaultTally {
  /** Wanted calls that were got wrong. */
  readonly mistaken: number
  /** Those of them that failed and succeeded in the end. */
  readonly recovered: number
  /** Those of them that were carried out all the same, as they could only be meant. */
  readonly mended: number
  /** Tokens that had been in the provider's cache and were not read from it. */
  readonly cacheLost: number
}

/** Where one wanted call stands. */
interface Trial {
  /** Undefined for a call that comes out right. */
  mistake: Mistake | undefined
  tries: number
  failed: boolean
  /** It was got wrong at least once. */
  wrong: boolean
}

type Awaited = { readonly id: string; readonly what: 'plan' | 'resume' | 'finish' | 'call' }

/**
 * A model that plays a session of wanted calls and makes mistakes, the same ones for the same seed whatever is done about
 * them. A mistake that the schema in force excludes can't come out where the provider is asked to enforce it: where the
 * tool is strict, or the only one. Then the right call is made, or else none of the values offered is chosen. Where nothing
 * excludes it, it comes again with the probability `repeats`; or else the text that tells of the failure is read, and where
 * it does not name what is right, the model guesses. A tool that does not exist is in no schema: it comes again until
 * the text that is read asks for a revised plan, by the name of `submitPlan`, and not in the session after that. An attempt that was rolled back is taken up again where
 * that is offered, and begun anew where it is not.
 */
export class FaultModel implements Model {
  readonly id = 'simulated/fault-model'
  readonly schemas = { appends: true, binds: false }
  readonly #trials = new Map<number, Trial>()
  readonly #meter = createUsageMeter()
  readonly #givenUp = new Set<string>()
  #next = 0
  #reached = 0
  #awaited: Awaited | undefined
  #calls = 0

  readonly #wrong: ReadonlySet<number>

  constructor(private readonly options: FaultModelOptions) {
    const { seed, session, faults } = options
    const drawn = session.calls.map((_, index) => ({ index, at: chance(seed, index, 'fault') }))
    drawn.sort((a, b) => a.at - b.at)
    this.#wrong = new Set(drawn.slice(0, Math.round(faults * drawn.length)).map(({ index }) => index))
  }

  get tally(): FaultTally {
    const mistaken = [...this.#trials].filter(([, { wrong }]) => wrong)
    const done = mistaken.filter(([index]) => index < this.#next)
    return {
      mistaken: mistaken.length,
      recovered: done.filter(([, { failed }]) => failed).length,
      mended: done.filter(([, { failed }]) => !failed).length,
      cacheLost: this.#meter.lost,
    }
  }

  // biome-ignore lint/correctness/useYield: a model streams text, and this one only calls.
  async *answer(request: ModelRequest): ReturnType<Model['answer']> {
    const made = request.role === 'repair' ? this.#replay(request) : this.#goOn(request)
    const id = `simulated-${++this.#calls}`
    if (request.role !== 'repair') this.#awaited = { id, what: made.what }
    const content: AssistantBlock[] = [{ type: 'call', call: { id, ...made.call, complete: true } }]
    const usage = this.#meter.count(request, JSON.stringify(made.call))
    return success({ content, stopReason: 'calls', usage, model: this.id })
  }

  #goOn(request: ModelRequest): { what: Awaited['what']; call: MadeCall } {
    if (!request.messages.some(({ role }) => role === 'assistant')) return this.#begin(request)
    const { failed, text } = this.#resultOf(request)
    const what = this.#awaited?.what
    if (what === 'plan' && failed) return { what, call: PLAN }
    if (what === 'resume' && !failed) this.#next = this.#reached
    if (what === 'call' && !failed) this.#advance()
    return this.#callNext(request, what === 'call' && failed ? text : undefined)
  }

  #advance(): void {
    const trial = this.#trials.get(this.#next)
    if (trial !== undefined) trial.mistake = undefined
    this.#next += 1
  }

  /** A fresh root: the tree is as it was before the attempt. */
  #begin(request: ModelRequest): { what: Awaited['what']; call: MadeCall } {
    this.#reached = this.#next
    this.#next = 0
    if (request.role === 'plan') return { what: 'plan', call: PLAN }
    const attempts = inForce(request, 'resumeAttempt')?.inputSchema.properties?.attempt?.enum
    const latest = attempts?.at(-1)
    if (typeof latest === 'number') return { what: 'resume', call: named('resumeAttempt', { attempt: latest }) }
    return this.#callNext(request, undefined)
  }

  #resultOf(request: ModelRequest): { failed: boolean; text: string } {
    const last = request.messages.findLast((message) => message.role === 'user')
    const blocks = last?.role === 'user' ? last.content : []
    const result = blocks.find((block) => block.type === 'result' && block.callId === this.#awaited?.id)
    return {
      failed: result?.type === 'result' && result.failed,
      text: blocks.map((block) => block.text).join('\n'),
    }
  }

  #callNext(request: ModelRequest, told: string | undefined): { what: Awaited['what']; call: MadeCall } {
    const wanted = this.options.session.calls[this.#next]
    if (wanted === undefined) return { what: 'finish', call: named('finishStep', { summary: 'The rates are new.' }) }
    return { what: 'call', call: this.#try(wanted, request, told) }
  }

  /** The tree's one call again, in a request of its own. */
  #replay(request: ModelRequest): { what: Awaited['what']; call: MadeCall } {
    const wanted = this.options.session.calls[this.#next]
    const [tool] = request.tools
    if (wanted === undefined || tool === undefined) throw new Error('there is nothing to be asked for again')
    const text = request.messages
      .flatMap((one) => (one.role === 'user' ? one.content.map((b) => b.text) : []))
      .join('\n')
    if (tool.name !== 'replaceRegion') return { what: 'call', call: this.#try(wanted, request, text) }
    this.#trialOf(wanted).failed = true
    return { what: 'call', call: this.#region(wanted, tool) }
  }

  #trialOf(wanted: WantedCall): Trial {
    const index = this.#next
    const known = this.#trials.get(index)
    if (known !== undefined) return known
    const { seed } = this.options
    const variant = Math.floor(chance(seed, index, 'variant') * 4)
    const mistake = this.#wrong.has(index)
      ? mistakeFor(wanted, chance(seed, index, 'kind'), variant, this.#givenUp)
      : undefined
    const trial = { mistake, tries: 0, failed: false, wrong: false }
    this.#trials.set(index, trial)
    return trial
  }

  /** The wanted call, right or wrong; `told` is what the model reads of the try before. */
  #try(wanted: WantedCall, request: ModelRequest, told: string | undefined): MadeCall {
    const trial = this.#trialOf(wanted)
    if (told !== undefined) trial.failed = true
    // A fresh root says what went wrong before it.
    const read = told ?? (trial.tries > 0 ? textOf(request, 1) : undefined)
    if (trial.mistake === undefined) return rightCall(wanted)
    const enforced = enforcedFor(request, wanted.tool)
    trial.mistake = this.#nextMistake(wanted, trial.mistake, trial.tries, read, enforced)
    trial.tries += 1
    if (trial.mistake === undefined) return rightUnder(wanted, enforced)
    trial.wrong = true
    return mistakenCall(wanted, trial.mistake)
  }

  #nextMistake(
    wanted: WantedCall,
    mistake: Mistake,
    tries: number,
    told: string | undefined,
    enforced: JsonSchema | undefined,
  ): Mistake | undefined {
    const { seed, repeats, guesses } = this.options
    const made = mistakenCall(wanted, mistake)
    const isUnknown = mistake.kind === 'unknown-tool'
    if (isUnknown && told?.includes('submitPlan')) {
      this.#givenUp.add(made.name)
      return undefined
    }
    if (!isUnknown && enforced !== undefined && !accepts(enforced, made)) return undefined
    if (told === undefined || chance(seed, this.#next, tries, 'repeat') < repeats) return mistake
    if (names(told, fixOf(wanted, mistake))) return undefined
    if (chance(seed, this.#next, tries, 'guess') < guesses) return undefined
    return { ...mistake, variant: mistake.variant + 1 }
  }

  /** The region that holds the old text, by the line numbers in its label. */
  #region(wanted: WantedCall, tool: ToolDefinition): MadeCall {
    const lines = this.options.read(String(wanted.input.path)).split('\n')
    const { oldText, newText } = editOf(wanted.input)
    for (const label of tool.inputSchema.properties?.region?.enum ?? []) {
      const [first, last = first] = String(label).match(/\d+/g)?.map(Number) ?? []
      const text = first === undefined ? '' : lines.slice(first - 1, last).join('\n')
      if (text.includes(oldText))
        return named(tool.name, { region: String(label), newText: text.replace(oldText, () => newText) })
    }
    return named(tool.name, { region: NONE_OF_THESE, newText: '' })
  }
}

/** What the first user turns say, or all of them. */
function textOf({ messages }: ModelRequest, turns = messages.length): string {
  const said = messages.flatMap((one) => (one.role === 'user' ? [one.content.map(({ text }) => text).join('\n')] : []))
  return said.slice(0, turns).join('\n')
}

/** True when the text has it as a whole, and not as a part of a longer path or command. */
function names(text: string, wanted: string): boolean {
  const literal = wanted.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`(?<![\\w/.:-])${literal}(?![\\w/:-]|\\.\\w)`).test(text)
}

const PLAN = named('submitPlan', {
  summary: 'Read, edit and run.',
  steps: [{ goal: 'Bring the rates up to date', files: [] }],
})
