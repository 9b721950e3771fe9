import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Ajv } from 'ajv'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { FailureError } from '../core/failure.ts'
import type { Message } from '../core/message.ts'
import type { Model } from '../core/ports.ts'
import type { ToolDefinition } from '../core/tool.ts'
import { UserError } from '../core/user-error.ts'
import { loadPrompts } from '../lib/prompts.ts'
import { createGgufModel } from './gguf.ts'
import { loadLlamaPackage } from './gguf-package.ts'
import { toChat } from './gguf-request.ts'
import { ask, editFile, request, userSays } from './testing.ts'

const prompts = loadPrompts(path.join(import.meta.dirname, '../../prompts'))
const MODEL_FILE = process.env.GOATFIED_TEST_GGUF
const installed = await loadLlamaPackage([]).then(
  () => true,
  () => false,
)

const readFile: ToolDefinition = {
  ...editFile,
  name: 'readFile',
  description: 'Reads a file.',
  inputSchema: {
    type: 'object',
    properties: {
      path: { type: 'string', enum: ['src/price.ts', 'src/pricing/price.ts', '__none__'] },
      startLine: { type: 'integer', minimum: 1, maximum: 9 },
    },
    required: ['path'],
    additionalProperties: false,
  },
}

it('a request becomes turns of a chat', () => {
  const call = { id: 'c1', name: 'readFile', input: { parsed: true as const, value: { path: 'a.ts' } }, complete: true }
  const cut = { ...call, id: 'c2', input: { parsed: false as const, raw: '{', error: 'cut' } }
  const messages: Message[] = [
    userSays('Mend it.'),
    {
      role: 'assistant',
      content: [
        { type: 'thinking', text: 'hm', payload: {} },
        { type: 'text', text: 'I look.' },
        { type: 'call', call },
        { type: 'call', call: cut },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'result', callId: 'c1', text: '1\tx', failed: false },
        { type: 'result', callId: 'c2', text: 'no', failed: true },
        { type: 'text', text: 'Go on.' },
      ],
    },
  ]
  const chat = toChat(request({ messages, tools: [readFile, editFile] }), prompts)
  expect(chat.slice(1)).toEqual([
    { type: 'user', text: 'Mend it.' },
    {
      type: 'model',
      response: [
        '{"text":"I look."}\n{"tool":"readFile","arguments":{"path":"a.ts"}}\n{"tool":"readFile","arguments":{}}',
      ],
    },
    { type: 'user', text: 'readFile gave:\n1\tx\n\nreadFile failed:\nno\n\nGo on.' },
  ])
  const schema = JSON.stringify(editFile.inputSchema)
  expect(toChat(request(), prompts)[0]).toEqual({
    type: 'system',
    text: `You mend code.\n\nAnswer with the arguments of one call of this tool, as one JSON object. Leave an optional argument out by giving null.\n- editFile: Edits a file. Arguments: ${schema}`,
  })
  expect(toChat(request({ tools: [], system: '' }), prompts)).toEqual([{ type: 'user', text: 'Mend it.' }])
})

describe.skipIf(installed)('what is missing (skipped where node-llama-cpp is installed beside this checkout)', () => {
  /** A folder with a model file, and with a package of that name when it is given. */
  function folderWith(code?: string): string {
    const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'goatfied-gguf-')))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    writeFileSync(path.join(folder, 'a.gguf'), 'GGUF')
    const home = path.join(folder, 'node_modules/node-llama-cpp')
    if (code === undefined) return folder
    mkdirSync(home, { recursive: true })
    writeFileSync(
      path.join(home, 'package.json'),
      JSON.stringify({ type: 'module', exports: { '.': { node: './i.js' } } }),
    )
    writeFileSync(path.join(home, 'i.js'), code)
    return folder
  }

  it.each([
    [
      undefined,
      /^A model file \(gguf\/\.\.\.\) runs through the package node-llama-cpp, which is not installed: npm i -g/,
    ],
    [
      'throw new Error("no binary")',
      /i\.js does not load \(no binary\)\. Install it again: npm i -g node-llama-cpp@3$/,
    ],
    ['export const old = 1', /i\.js is not version 3 of node-llama-cpp: npm i -g node-llama-cpp@3$/],
    [
      'export class LlamaChat {}\nexport async function getLlama() { throw new Error("no room") }',
      /^The model file .*a\.gguf can't be loaded: no room$/,
    ],
  ])('is said: %s', async (code, words) => {
    const folder = folderWith(code)
    const opening = createGgufModel({ path: path.join(folder, 'a.gguf'), prompts, packageFolders: [folder] })
    const error: unknown = await opening.catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(UserError)
    expect(error).toMatchObject({ exitCode: 52, message: expect.stringMatching(words) })
  })

  it('a file that is not there is said before anything is loaded', async () => {
    await expect(createGgufModel({ path: '/none/a.gguf', prompts })).rejects.toThrow(
      "The model file /none/a.gguf can't be read: there is no such file.",
    )
  })
})

describe.skipIf(!MODEL_FILE)(
  'a real model (skipped unless GOATFIED_TEST_GGUF names a model file with node-llama-cpp installed above it)',
  () => {
    let model: Model
    beforeAll(async () => {
      const file = MODEL_FILE ?? ''
      model = await createGgufModel({ path: file, prompts, contextSize: 1024, packageFolders: [path.dirname(file)] })
    })

    it('one tool is called as its schema says, the same way each time', async () => {
      const asked = request({ tools: [readFile], messages: [userSays('Read src/pricing/price.ts from line 4.')] })
      const first = await ask(model, asked)
      const second = await ask(model, asked)
      const [block, ...others] = first.outcome.ok ? first.outcome.value.content : []
      const value = block?.type === 'call' && block.call.input.parsed ? block.call.input.value : undefined
      expect(others).toEqual([])
      expect(new Ajv().validate(readFile.inputSchema, value)).toBe(true)
      expect(first.outcome).toMatchObject({
        ok: true,
        value: { stopReason: 'calls', model: path.basename(MODEL_FILE ?? '') },
      })
      expect(second.outcome).toMatchObject({
        ok: true,
        value: { content: [{ call: { input: { parsed: true, value } } }] },
      })
      const usage = second.outcome.ok ? second.outcome.value.usage : undefined
      expect(usage?.cacheRead).toBeGreaterThan(usage?.input ?? 0)
    })

    it('several tools are one call of one of them, or a text', async () => {
      const { outcome, text } = await ask(model, request({ tools: [readFile, { ...readFile, name: 'showFile' }] }))
      const content = outcome.ok ? outcome.value.content : []
      expect(content).toHaveLength(1)
      const [block] = content
      if (block?.type === 'call') expect(['readFile', 'showFile']).toContain(block.call.name)
      else expect(block).toEqual({ type: 'text', text })
    })

    it('an answer that the token limit cuts is not whole', async () => {
      const { outcome } = await ask(model, request({ tools: [readFile], maxOutputTokens: 3 }))
      expect(outcome).toMatchObject({
        ok: true,
        value: { stopReason: 'length', content: [{ type: 'call', call: { name: 'readFile', complete: false } }] },
      })
    })

    it('a conversation that does not fit is told with its size', async () => {
      const { outcome } = await ask(model, request({ messages: [userSays('word '.repeat(3000))] }))
      expect(outcome).toEqual({
        ok: false,
        failure: {
          kind: 'provider.context-overflow',
          reason: expect.stringMatching(/^the conversation has 3\d{3} tokens, and the context of \S+ holds 1024$/),
        },
      })
    })

    it('an abort ends it, and it answers again afterwards', async () => {
      const stop = new AbortController()
      const reason = new FailureError({ kind: 'user.cancelled', signal: 'SIGTERM' }, 'terminated')
      const asked = request({ tools: [], messages: [userSays('Write a very long story about goats.')] })
      const asking = ask(model, { ...asked, maxOutputTokens: 800 }, stop.signal)
      setTimeout(() => stop.abort(reason), 50)
      expect((await asking).outcome).toEqual({ ok: false, failure: reason.failure })
      const { outcome, text } = await ask(model, { ...asked, maxOutputTokens: 5 })
      expect(text).toMatch(/./)
      expect(outcome).toMatchObject({ ok: true, value: { stopReason: 'length', content: [{ type: 'text', text }] } })
    })
  },
)
