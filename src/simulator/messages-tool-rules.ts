import { isJsonObject, type Json, type JsonObject } from '../core/json.ts'
import { firstOf, text } from './wire.ts'

const NAME = /^[a-zA-Z0-9_-]{1,128}$/
/** Keywords that a strict tool's schema can have. */
const STRICT_KEYWORDS = new Set([
  'type',
  'title',
  'description',
  'default',
  'enum',
  'const',
  'anyOf',
  'pattern',
  'format',
  'items',
  'minItems',
  'properties',
  'required',
  'additionalProperties',
])
const STRICT_FORMATS = new Set('date-time time date duration email hostname uri ipv4 ipv6 uuid'.split(' '))
/** Look-around, references back, and borders of words. */
const NOT_IN_PATTERNS = /\(\?(?:<?[=!])|\\[1-9bBk]/
/** In the strict tools of one request. */
const MOST = { tools: 20, optional: 24, unions: 16 } as const

/** Why the Messages API would refuse a tool, in words like its own; `place` is where it is in the request. */
export function refusedTool(tool: JsonObject, place: string): string | undefined {
  if (!NAME.test(text(tool.name))) return `${place}.name: String should match pattern '${NAME.source}'`
  const schema = tool.input_schema
  const at = `${place}.input_schema`
  if (!isJsonObject(schema) || schema.type !== 'object') return `${at}: type has to be object`
  const branch = ['oneOf', 'anyOf', 'allOf', 'not'].find((key) => schema[key] !== undefined)
  if (branch !== undefined) return `${at}: does not support ${branch} at the top level`
  return firstOf(schemasIn(schema), (inner) => {
    if (Array.isArray(inner.enum) && inner.enum.length === 0) return `${at}: enum has to have a value`
    return tool.strict === true ? refusedInStrict(inner, at) : undefined
  })
}

function refusedInStrict(schema: JsonObject, at: string): string | undefined {
  const { type, additionalProperties, minItems, format, pattern } = schema
  if ([type].flat().includes('object') && additionalProperties !== false)
    return `${at}: strict tools need additionalProperties to be false`
  const refused = Object.keys(schema).find((key) => !STRICT_KEYWORDS.has(key))
  if (refused !== undefined) return `${at}: strict tools do not support the schema keyword ${refused}`
  if (minItems !== undefined && minItems !== 0 && minItems !== 1) return `${at}: strict tools support minItems 0 and 1`
  if (format !== undefined && !STRICT_FORMATS.has(text(format))) return `${at}: strict tools do not support this format`
  return NOT_IN_PATTERNS.test(text(pattern)) ? `${at}: strict tools do not support this pattern` : undefined
}

/** Why the tools of a request, those defined within its conversation among them, can't all be strict that ask for it. */
export function refusedStrictness(tools: readonly JsonObject[]): string | undefined {
  const strict = tools.filter((tool) => tool.strict === true)
  if (strict.length > MOST.tools) return `tools: at most ${MOST.tools} strict tools`
  const schemas = strict.flatMap(({ input_schema: schema }) => (isJsonObject(schema) ? schemasIn(schema) : []))
  const optional = schemas.reduce((sum, schema) => sum + optionalIn(schema), 0)
  if (optional > MOST.optional) return `tools: at most ${MOST.optional} optional parameters in strict tools`
  const unions = schemas.filter(({ type, anyOf }) => Array.isArray(type) || anyOf !== undefined).length
  return unions > MOST.unions ? `tools: at most ${MOST.unions} parameters of several types in strict tools` : undefined
}

function optionalIn({ properties, required }: JsonObject): number {
  const needed = Array.isArray(required) ? (required as readonly Json[]) : []
  return Object.keys(isJsonObject(properties) ? properties : {}).filter((name) => !needed.includes(name)).length
}

/** A schema and all that are in it, whatever the keyword. */
function schemasIn(schema: JsonObject): JsonObject[] {
  const { properties, enum: _enum, const: _const, default: _default, ...rest } = schema
  const named = isJsonObject(properties) ? Object.values(properties) : []
  const inner = [...named, ...Object.values(rest).flat()]
  return [schema, ...inner.filter((value): value is JsonObject => isJsonObject(value)).flatMap(schemasIn)]
}
