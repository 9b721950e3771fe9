import { access } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { type Failure, failed, type Outcome, success } from '../core/failure.ts'
import type { ModelAnswer, ModelRequest } from '../core/message.ts'
import { EXIT } from '../core/outcome.ts'
import type { Model } from '../core/ports.ts'
import type { Prompts } from '../core/prompts.ts'
import { schemaSupport } from '../core/provider.ts'
import type { ToolDefinition } from '../core/tool.ts'
import { UserError } from '../core/user-error.ts'
import { abortFailure } from './aborted.ts'
import { stopReasonOf } from './answer-content.ts'
import { checkConversation } from './check-conversation.ts'
import { definitionsInForce } from './definitions-in-force.ts'
import { readAnswer } from './gguf-answer.ts'
import { type LlamaPackage, loadLlamaPackage } from './gguf-package.ts'
import { toChat } from './gguf-request.ts'
import { argumentsSchema, choiceSchema } from './gguf-schema.ts'
import { oneLine } from './one-line.ts'
import { callIds } from './unique-call-ids.ts'

export interface GgufOptions {
  /** Of the model file; a relative one starts at the current folder. */
  readonly path: string
  readonly prompts: Prompts
  /** The most tokens of conversation and answer together; less where the model was trained on less. */
  readonly contextSize?: number
  /** Further folders in which to look for node-llama-cpp. */
  readonly packageFolders?: readonly string[]
}

/** Memory grows with the context, and a model may be trained on a million tokens. */
const CONTEXT_SIZE = 32_768

/** A conversation that leaves less room than this (in tokens) for an answer is too long. */
const LEAST_ANSWER = 128

/** Tokens at the end of the context that stay free, or the library would drop the conversation's beginning. */
const FREE = 8

/** So that the same request has the same answer. */
const DETERMINISTIC = { temperature: 0, seed: 1, repeatPenalty: false } as const

/**
 * A model file, run in this process by node-llama-cpp on the CPU. Where there are tools, the answer is decoded under a
 * grammar: the arguments of the one tool, or else a call of one of several or a text, which comes as one piece. Throws a
 * `UserError` for a package or file that is missing or can't be loaded, and, from `answer`, a plain Error for a
 * conversation that no provider takes (see `checkConversation`).
 */
export async function createGgufModel(options: GgufOptions): Promise<Model> {
  const file = path.resolve(options.path)
  await access(file).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'ENOENT' ? 'there is no such file' : error.message
    throw new UserError(`The model file ${file} can't be read: ${why}.`, EXIT.configuration)
  })
  const llama = await loadLlamaPackage(options.packageFolders ?? [])
  const loaded = await load(llama, file, options.contextSize ?? CONTEXT_SIZE).catch((error: unknown) => {
    throw new UserError(`The model file ${file} can't be loaded: ${wordsOf(error)}`, EXIT.configuration)
  })
  const id = `gguf/${options.path}`
  const takenIds = new Set<string>()
  return {
    id,
    schemas: schemaSupport(id),
    async *answer(request, signal) {
      checkConversation(request.messages)
      for (const known of callIds(request.messages)) takenIds.add(known)
      const outcome = await decode(loaded, request, options.prompts, signal)
      if (!outcome.ok) return outcome
      const { text, cut, usage } = outcome.value
      const content = readAnswer(text, definitionsInForce(request), cut, takenIds)
      for (const block of content) if (block.type === 'text') yield { type: 'text', text: block.text }
      const stopReason = stopReasonOf(content, cut, true)
      return success({ content, stopReason, usage, model: path.basename(file) })
    },
  }
}

type Loaded = Awaited<ReturnType<typeof load>>

async function load({ getLlama, LlamaChat }: LlamaPackage, file: string, most: number) {
  const llama = await getLlama({
    gpu: false,
    build: 'never',
    skipDownload: true,
    progressLogs: false,
    logLevel: 'disabled',
    // Its threads wait for one another busily: with more of them than free cores a token takes seconds.
    maxThreads: Math.max(1, os.availableParallelism() - 1),
  })
  const model = await llama.loadModel({ modelPath: file })
  const context = await model.createContext({ contextSize: { max: most } })
  const sequence = context.getSequence()
  const chat = new LlamaChat({ contextSequence: sequence })
  return { llama, model, context, sequence, chat, name: path.basename(file) }
}

interface Decoded {
  readonly text: string
  /** Whether the token limit ended it. */
  readonly cut: boolean
  readonly usage: ModelAnswer['usage']
}

async function decode(
  { llama, model, context, sequence, chat, name }: Loaded,
  request: ModelRequest,
  prompts: Prompts,
  signal: AbortSignal,
): Promise<Outcome<Decoded>> {
  if (signal.aborted) return failed(abortFailure(signal))
  const history = toChat(request, prompts)
  const rendered = chat.chatWrapper.generateContextState({ chatHistory: [...history, { type: 'model', response: [] }] })
  const prompted = rendered.contextText.tokenize(model.tokenizer).length
  const room = context.contextSize - prompted - FREE
  if (room < LEAST_ANSWER) {
    const reason = `the conversation has ${prompted} tokens, and the context of ${name} holds ${context.contextSize}`
    return failed({ kind: 'provider.context-overflow', reason })
  }
  const before = sequence.tokenMeter.getState()
  try {
    const schema = schemaOf(definitionsInForce(request))
    const { response, metadata } = await chat.generateResponse(history, {
      ...(schema && { grammar: await llama.createGrammarForJsonSchema(schema) }),
      ...DETERMINISTIC,
      signal,
      maxTokens: Math.min(request.maxOutputTokens, room),
      contextShift: { size: 1 },
    })
    const { usedInputTokens: input, usedOutputTokens: output } = sequence.tokenMeter.diff(before)
    const usage = { input, cacheRead: Math.max(0, prompted - input), cacheWrite: 0, output }
    return success({ text: response, cut: metadata.stopReason === 'maxTokens', usage })
  } catch (error) {
    return failed(signal.aborted ? abortFailure(signal) : faultOf(error, name))
  }
}

function schemaOf(tools: readonly ToolDefinition[]) {
  const [first, ...others] = tools
  if (first === undefined) return undefined
  return others.length === 0 ? argumentsSchema(first) : choiceSchema(tools)
}

/** Nothing of it passes by itself: the same request would fail in the same way. */
function faultOf(error: unknown, name: string): Failure {
  return { kind: 'provider.rejected', reason: `${name} can't answer: ${wordsOf(error)}` }
}

function wordsOf(error: unknown): string {
  return oneLine(error instanceof Error ? error.message : String(error), '')
}
