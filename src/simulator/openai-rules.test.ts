import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../core/json.ts'
import { answerTo, closed, completions, open } from './openai-testing.ts'

const tool = (parameters: JsonObject, more: JsonObject = {}) => ({ name: 'readFile', parameters, ...more })
const call = (call_id: string) => ({ type: 'function_call', call_id, name: 'readFile', arguments: '{}' })
const output = (call_id: string) => ({ type: 'function_call_output', call_id, output: 'ok' })
const user = { role: 'user', content: 'go' }

describe('Responses rejects', () => {
  const tools = (parameters: JsonObject, strict = true) => ({
    tools: [{ type: 'function', ...tool(parameters), strict }],
  })
  it.each<[JsonObject, string]>([
    [{ input: [] }, "Missing required parameter: 'input'."],
    [{ max_output_tokens: 1 }, "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16."],
    [{ input: [user, call('a')] }, 'No tool output found for function call a.'],
    [{ input: [user, output('a')] }, 'No tool call found for function call output with call_id a.'],
    [{ input: [user, call('a'), call('a')] }, 'Duplicate item found with call_id a.'],
    [{ input: [user, call('a'), output('a'), output('a')] }, 'Duplicate output found for function call a.'],
    [
      { input: [user, { ...call('a'), arguments: '{"pa' }, output('a')] },
      "Invalid 'input[1].arguments': expected a JSON object.",
    ],
    [
      { input: [{ type: 'reasoning', id: 'rs_1', encrypted_content: 'x' }, user] },
      "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
    ],
    [
      { store: false, input: [{ type: 'reasoning', id: 'rs_1' }, call('a'), output('a')] },
      "Item with id 'rs_1' not found. Items are not persisted when `store` is set to false.",
    ],
    [{ tool_choice: 'required' }, "Tool choice must be 'none' when no tools are given."],
    [
      { ...tools(closed), tool_choice: { type: 'function', name: 'other' } },
      "Tool choice 'other' not found in 'tools' parameter.",
    ],
    [tools({ anyOf: [] }), 'tools[0].parameters: schema must be of type object'],
    [tools({ ...open, oneOf: [] }, false), 'tools[0].parameters: oneOf is not permitted at the top level of a schema'],
    [tools({ ...open, properties: { path: { enum: [] } } }, false), 'tools[0].parameters: enum must have a value'],
    [
      tools({ ...closed, additionalProperties: true }),
      "tools[0].parameters: 'additionalProperties' is required to be supplied and to be false",
    ],
    [tools({ ...closed, required: [] }), "tools[0].parameters: 'required' has to include every key in properties"],
    [
      tools({ ...closed, properties: { path: { type: 'string', minLength: 1 } } }),
      "tools[0].parameters: 'minLength' is not permitted in a strict schema",
    ],
    [tools({ ...closed, properties: { path: {} } }), "tools[0].parameters: schema must have a 'type' key"],
    [
      tools({ ...closed, properties: { path: { type: 'array' } } }),
      'tools[0].parameters: array schema is missing items',
    ],
    [
      tools({ ...closed, properties: { path: { type: 'integer', enum: Array.from({ length: 1001 }, (_, n) => n) } } }),
      'tools[0].parameters: a strict schema has at most 1000 enum values in all',
    ],
    [
      tools({
        ...closed,
        properties: { path: { type: 'string', enum: Array.from({ length: 251 }, (_, n) => `${n}`.padStart(60)) } },
      }),
      'tools[0].parameters: an enum of more than 250 values has at most 15000 characters',
    ],
  ])('%j', async (changes, reason) => {
    const { status, error, rejected } = await answerTo('/v1/responses', { model: 'm', input: [user], ...changes })
    expect([status, error?.message, rejected]).toEqual([400, reason, reason])
  })
})

describe('Chat Completions rejects', () => {
  const calls = (...ids: string[]) => ({
    role: 'assistant',
    content: null,
    tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'readFile', arguments: '{}' } })),
  })
  const result = (tool_call_id: string) => ({ role: 'tool', tool_call_id, content: 'ok' })
  const must =
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: "
  it.each<[JsonObject, string]>([
    [{ messages: [] }, "Invalid 'messages': empty array."],
    [{ messages: [user, calls('a', 'b'), result('a'), user] }, `${must}b`],
    [{ messages: [user, calls('a')] }, `${must}a`],
    [
      { messages: [user, result('a')] },
      "messages[1]: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
    ],
    [
      { messages: [user, calls('a'), result('a'), result('a')] },
      "messages[3]: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
    ],
    [{ messages: [user, calls('a', 'a')] }, "messages[1]: Duplicate value for 'tool_call_id'."],
    [
      { messages: [{ role: 'assistant', content: null }, user] },
      "Invalid value for 'messages.[0].content': expected a string, got null.",
    ],
    [
      {
        messages: [
          user,
          { role: 'assistant', tool_calls: [{ id: 'a', function: { name: 'readFile', arguments: '{"pa' } }] },
          result('a'),
        ],
      },
      "Invalid 'messages[1].tool_calls': arguments have to be a JSON object.",
    ],
    [{ parallel_tool_calls: true }, "'parallel_tool_calls' is only allowed when 'tools' are specified."],
    [{ tool_choice: 'required' }, "'tool_choice' is only allowed when 'tools' are specified."],
    [
      { tools: [{ type: 'function', function: tool(open, { strict: true }) }] },
      "tools[0].function.parameters: 'additionalProperties' is required to be supplied and to be false",
    ],
    [
      { response_format: { type: 'json_schema', json_schema: { schema: closed } } },
      "Missing required parameter: 'response_format.json_schema.name'.",
    ],
    [
      { response_format: { type: 'json_schema', json_schema: { name: 'x', schema: open, strict: true } } },
      "response_format.json_schema.schema: 'additionalProperties' is required to be supplied and to be false",
    ],
  ])('%j', async (changes, reason) => {
    const { status, error, rejected } = await answerTo('/v1/chat/completions', completions(changes))
    expect([status, error?.message, rejected]).toEqual([400, reason, reason])
  })
})
