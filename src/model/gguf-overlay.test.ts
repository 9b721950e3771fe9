import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { JsonSchema } from '../core/json.ts'
import type { ToolDefinition } from '../core/tool.ts'
import { loadPrompts } from '../lib/prompts.ts'
import { createGgufModel } from './gguf.ts'
import { loadLlamaPackage } from './gguf-package.ts'
import { argumentsSchema, choiceSchema } from './gguf-schema.ts'
import { callsOf, converse, readFile, tightened } from './overlay-testing.ts'
import { editFile } from './testing.ts'

const prompts = loadPrompts(path.join(import.meta.dirname, '../../prompts'))
const MODEL_FILE = process.env.GOATFIED_TEST_GGUF
const installed = await loadLlamaPackage([]).then(
  () => true,
  () => false,
)

/** A package of that name which answers with the given texts, and writes down each history and grammar it is given. */
const SCRIPTED = `
import { appendFileSync, readFileSync } from 'node:fs'
const [answers, log] = [new URL('answers.json', import.meta.url), new URL('log.jsonl', import.meta.url)]
const texts = JSON.parse(readFileSync(answers, 'utf8'))
export class LlamaChat {
  chatWrapper = { generateContextState: () => ({ contextText: { tokenize: () => [] } }) }
  async generateResponse(history, { grammar }) {
    appendFileSync(log, JSON.stringify({ history, grammar }) + '\\n')
    return { response: texts.shift(), metadata: { stopReason: 'eogToken' } }
  }
}
const tokenMeter = { getState: () => ({}), diff: () => ({ usedInputTokens: 1, usedOutputTokens: 1 }) }
const createContext = async () => ({ contextSize: 4096, getSequence: () => ({ tokenMeter }) })
export const getLlama = async () => ({
  loadModel: async () => ({ tokenizer: {}, createContext }),
  createGrammarForJsonSchema: async (schema) => schema,
})
`

function folderWith(answers: readonly object[]): { readonly file: string; readonly log: () => readonly unknown[] } {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'goatfied-gguf-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const home = path.join(folder, 'node_modules/node-llama-cpp')
  mkdirSync(home, { recursive: true })
  writeFileSync(path.join(folder, 'a.gguf'), 'GGUF')
  writeFileSync(path.join(home, 'package.json'), JSON.stringify({ type: 'module', exports: './i.js' }))
  writeFileSync(path.join(home, 'i.js'), SCRIPTED)
  writeFileSync(path.join(home, 'answers.json'), JSON.stringify(answers.map((one) => JSON.stringify(one))))
  const read = () => readFileSync(path.join(home, 'log.jsonl'), 'utf8').trimEnd().split('\n')
  return { file: path.join(folder, 'a.gguf'), log: () => read().map((line): unknown => JSON.parse(line)) }
}

const call = (tool: string, args: object) => ({ tool, arguments: args })
const noSuch = 'no such file'

it.skipIf(installed)(
  'the grammar is that of the definitions in force, and the prompt stays (skipped where node-llama-cpp is installed beside this checkout)',
  async () => {
    const { file, log } = folderWith([
      call('editFile', { path: 'b.ts' }),
      call('editFile', { path: 'a.ts' }),
      call('readFile', { path: 'c.ts', line: null }),
      call('readFile', { path: 'd.ts', line: null }),
      { text: 'Done.' },
    ])
    const model = await createGgufModel({ path: file, prompts, packageFolders: [path.dirname(file)] })
    const tightEdit = tightened(editFile, 'a.ts')
    const withLine = (tool: ToolDefinition, line: JsonSchema): ToolDefinition => {
      const properties = { ...tool.inputSchema.properties, line }
      return { ...tool, inputSchema: { ...tool.inputSchema, properties } }
    }
    // Null is a line in the list; in the tightened definition it can only stand for none.
    const listed = withLine(readFile, { type: ['integer', 'null'] })
    const tightRead = withLine(tightened(readFile, 'd.ts'), { type: 'integer', minimum: 3, maximum: 5 })
    const tools = [editFile, listed]
    const replies = [
      { results: noSuch, definitions: [tightEdit] },
      { definitions: [editFile] },
      { results: noSuch, definitions: [tightRead] },
      { definitions: [tightEdit, listed] },
    ]
    const { answers } = await converse(model, replies, { tools })
    expect(answers.map(callsOf)).toEqual([
      [['editFile', { path: 'b.ts' }]],
      [['editFile', { path: 'a.ts' }]],
      [['readFile', { path: 'c.ts', line: null }]],
      [['readFile', { path: 'd.ts' }]],
      [],
    ])
    const decoded = log() as { history: readonly unknown[]; grammar: unknown }[]
    expect(decoded.map(({ grammar }) => grammar)).toEqual([
      choiceSchema(tools),
      choiceSchema([tightEdit, listed]),
      choiceSchema(tools),
      choiceSchema([editFile, tightRead]),
      choiceSchema([tightEdit, listed]),
    ])
    expect(argumentsSchema(tightRead)).toEqual({
      type: 'object',
      properties: {
        path: { enum: ['d.ts', '__none__'] },
        line: { oneOf: [{ enum: [3, 4, 5] }, { type: 'null' }] },
      },
    })
    for (const [n, { history }] of decoded.entries())
      expect(decoded[n + 1]?.history.slice(0, history.length) ?? history).toEqual(history)
    expect(decoded.at(-1)?.history.length).toBe(10)
  },
)

it.skipIf(!MODEL_FILE)(
  'a real model keeps to them (skipped unless GOATFIED_TEST_GGUF names a model file with node-llama-cpp installed above it)',
  async () => {
    const file = MODEL_FILE ?? ''
    const model = await createGgufModel({
      path: file,
      prompts,
      contextSize: 2048,
      packageFolders: [path.dirname(file)],
    })
    const only = tightened(readFile, 'lib/only.ts')
    const replies = [{ text: 'Read src/price.ts.', definitions: [only] }, { definitions: [readFile] }]
    const { answers } = await converse(model, replies, { tools: [readFile] })
    const paths = answers.map((asked) => (callsOf(asked)[0] as [string, { path: string }])[1].path)
    expect(['lib/only.ts', '__none__']).toContain(paths[1])
    expect(paths[2]).toEqual(expect.any(String))
  },
)
