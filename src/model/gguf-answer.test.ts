import { expect, it } from 'vitest'
import type { ToolDefinition } from '../core/tool.ts'
import { readAnswer } from './gguf-answer.ts'
import { editFile } from './testing.ts'

const readFile: ToolDefinition = {
  ...editFile,
  name: 'readFile',
  inputSchema: {
    type: 'object',
    properties: { path: { type: 'string' }, startLine: { type: 'integer' } },
    required: ['path'],
    additionalProperties: false,
  },
}
const BOTH = [editFile, readFile]
const read = (text: string, tools: readonly ToolDefinition[], cut = false) => readAnswer(text, tools, cut, new Set())
const call = (name: string, input: object, complete = true) => ({
  type: 'call',
  call: { id: 'call', name, input, complete },
})

it('what was decoded for one tool are its arguments, without the nulls that stand for absent ones', () => {
  expect(read('{"path": "a.ts", "startLine": null}', [readFile])).toEqual([
    call('readFile', { parsed: true, value: { path: 'a.ts' } }),
  ])
})

it('what was decoded for several is a call of one, or a text', () => {
  expect(read('{"tool": "readFile", "arguments": {"path": "a.ts", "startLine": 3}}', BOTH)).toEqual([
    call('readFile', { parsed: true, value: { path: 'a.ts', startLine: 3 } }),
  ])
  expect(read('{\n  "text": "Done."\n}', BOTH)).toEqual([{ type: 'text', text: 'Done.' }])
  expect([read('{"text": " "}', BOTH), read('Hi', []), read('', [])]).toEqual([[], [{ type: 'text', text: 'Hi' }], []])
})

it('a call that the token limit cut is never whole', () => {
  const raw = (text: string) => ({ parsed: false, raw: text, error: expect.stringMatching(/./) })
  expect(read('{"path": "a.t', [editFile], true)).toEqual([call('editFile', raw('{"path": "a.t'), false)])
  expect(read('{"path": "a.ts"}', [editFile], true)).toEqual([
    call('editFile', { parsed: true, value: { path: 'a.ts' } }, false),
  ])
  expect(read('{\n    "tool": "editFile",\n    "arguments": {"path": "a.t', BOTH, true)).toEqual([
    call('editFile', raw('{"path": "a.t'), false),
  ])
  expect([read('{"tool": "edi', BOTH, true), read('{"text": "Wel', BOTH, true)]).toEqual([[], []])
})

it('no two calls have one id', () => {
  const taken = new Set(['call'])
  const ids = [0, 1].flatMap(() => readAnswer('{"path":"a"}', [editFile], false, taken))
  expect(ids.map((block) => block.type === 'call' && block.call.id)).toEqual(['call_2', 'call_3'])
})
