import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { EXIT } from '../core/outcome.ts'
import { UserError } from '../core/user-error.ts'
import type { GrammarSchema } from './gguf-schema.ts'

/** What is used of node-llama-cpp 3, a package that the user installs. */
export interface LlamaPackage {
  getLlama(options: {
    readonly gpu: false
    readonly build: 'never'
    readonly skipDownload: true
    readonly progressLogs: false
    readonly logLevel: 'disabled'
    readonly maxThreads: number
  }): Promise<Llama>
  readonly LlamaChat: new (options: { readonly contextSequence: LlamaSequence }) => LlamaChat
}

interface Llama {
  loadModel(options: { readonly modelPath: string }): Promise<LlamaModel>
  createGrammarForJsonSchema(schema: GrammarSchema): Promise<LlamaGrammar>
}

interface LlamaModel {
  /** Given back as it is to `tokenize`. */
  readonly tokenizer: unknown
  createContext(options: { readonly contextSize: { readonly max: number } }): Promise<{
    /** In tokens. */
    readonly contextSize: number
    getSequence(): LlamaSequence
  }>
}

interface TokenCounts {
  readonly usedInputTokens: number
  readonly usedOutputTokens: number
}

interface LlamaSequence {
  readonly tokenMeter: { getState(): TokenCounts; diff(since: TokenCounts): TokenCounts }
}

declare const grammar: unique symbol
interface LlamaGrammar {
  readonly [grammar]: true
}

/** One turn, as the model's own chat template renders it. */
export type ChatTurn =
  | { readonly type: 'system' | 'user'; readonly text: string }
  | { readonly type: 'model'; readonly response: readonly string[] }

interface LlamaChat {
  readonly chatWrapper: {
    generateContextState(options: { readonly chatHistory: readonly ChatTurn[] }): {
      readonly contextText: { tokenize(tokenizer: unknown): readonly number[] }
    }
  }
  /** Rejects with the signal's reason when it aborts. */
  generateResponse(
    history: readonly ChatTurn[],
    options: {
      readonly grammar?: LlamaGrammar
      readonly signal: AbortSignal
      readonly maxTokens: number
      readonly temperature: number
      readonly seed: number
      readonly repeatPenalty: false
      readonly contextShift: { readonly size: number }
    },
  ): Promise<{ readonly response: string; readonly metadata: { readonly stopReason: string } }>
}

const NAME = 'node-llama-cpp'
const INSTALL = `npm i -g ${NAME}@3`

/**
 * Loads the package from where the user installed it: beside this program, among the global packages, in one of
 * `folders`, and last in the current project, whose code is trusted least. Throws a `UserError` that says what to
 * install when it is nowhere, or does not load.
 */
export async function loadLlamaPackage(folders: readonly string[]): Promise<LlamaPackage> {
  const file = find([import.meta.dirname, globalPackages(), ...folders, process.cwd()])
  if (file === undefined)
    throw new UserError(
      `A model file (gguf/...) runs through the package ${NAME}, which is not installed: ${INSTALL}`,
      EXIT.configuration,
    )
  let loaded: Partial<LlamaPackage>
  try {
    loaded = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Partial<LlamaPackage>
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new UserError(`${file} does not load (${why}). Install it again: ${INSTALL}`, EXIT.configuration)
  }
  const { getLlama, LlamaChat } = loaded
  if (typeof getLlama !== 'function' || typeof LlamaChat !== 'function')
    throw new UserError(`${file} is not version 3 of ${NAME}: ${INSTALL}`, EXIT.configuration)
  return { getLlama, LlamaChat }
}

function find(folders: readonly string[]): string | undefined {
  for (const folder of folders) {
    try {
      return createRequire(path.join(folder, 'from.js')).resolve(NAME)
    } catch {
      // Not there; it may be in the next one.
    }
  }
  return undefined
}

/** Where `npm i -g` installs to, unless npm is told otherwise. */
function globalPackages(): string {
  const { APPDATA } = process.env
  if (process.platform === 'win32' && APPDATA) return path.join(APPDATA, 'npm/node_modules')
  return path.join(path.dirname(process.execPath), '../lib/node_modules')
}
