import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { NONE_OF_THESE } from '../core/constraint.ts'
import type { JsonSchema } from '../core/json.ts'
import type { ModelRequest } from '../core/message.ts'
import type { ToolDefinition } from '../core/tool.ts'
import { type MadeCall, named, rightCall } from './fault-model-mistakes.ts'
import type { WantedCall } from './fault-model-session.ts'

/** The definition of a tool that holds at the end of the request. */
export function inForce(request: ModelRequest, name: string): ToolDefinition | undefined {
  const lists = request.messages.flatMap((message) => (message.role === 'tools' ? [message.definitions] : []))
  const found = [...lists].reverse().flatMap((list) => list.filter((tool) => tool.name === name))
  return found[0] ?? request.tools.find((tool) => tool.name === name)
}

/** The schema that the arguments of a call of the tool can't leave; undefined where nothing enforces it. */
export function enforcedFor(request: ModelRequest, name: string): JsonSchema | undefined {
  const tool = inForce(request, name)
  return tool?.strict === true || request.tools.length === 1 ? tool?.inputSchema : undefined
}

const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false })
const compiled = new WeakMap<JsonSchema, ValidateFunction>()

export function accepts(schema: JsonSchema, { input }: MadeCall): boolean {
  if (!input.parsed) return false
  const validate = compiled.get(schema) ?? ajv.compile(schema)
  compiled.set(schema, validate)
  return validate(input.value) === true
}

/** The right call; where the schema does not allow it, the same with the way out in place of its target. */
export function rightUnder(wanted: WantedCall, enforced: JsonSchema | undefined): MadeCall {
  const right = rightCall(wanted)
  if (enforced === undefined || accepts(enforced, right)) return right
  const none = named(wanted.tool, {
    ...wanted.input,
    [wanted.tool === 'runCommand' ? 'command' : 'path']: NONE_OF_THESE,
  })
  return accepts(enforced, none) ? none : right
}
