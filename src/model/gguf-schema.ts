import type { Json, JsonSchema, JsonType } from '../core/json.ts'
import type { ToolDefinition } from '../core/tool.ts'
import { integerRange } from './integer-range.ts'
import { enumWithout } from './schema-enum.ts'
import { alternatives, flattened, isOfType, mapValues, typesOf } from './schema-members.ts'

type Scalar = string | number | boolean | null

/**
 * A schema as node-llama-cpp makes a grammar of it. It ignores what it does not know without a word, takes all properties
 * for required, and a schema without a type for null.
 */
export type GrammarSchema =
  | { readonly enum: readonly Scalar[] }
  | { readonly oneOf: readonly GrammarSchema[] }
  | { readonly type: 'number' | 'integer' | 'boolean' | 'null' }
  | { readonly type: 'string'; readonly minLength?: number; readonly maxLength?: number }
  | { readonly type: 'string'; readonly format: 'date-time' | 'time' | 'date' }
  | {
      readonly type: 'array'
      readonly items?: GrammarSchema
      readonly minItems?: number
      readonly maxItems?: number
    }
  | {
      readonly type: 'object'
      readonly properties?: Readonly<Record<string, GrammarSchema>>
      readonly additionalProperties?: true | GrammarSchema
    }

/** Counts beyond these make a grammar slow. */
const MOST_CHARACTERS = 256
const MOST_ITEMS = 64

const ALL_TYPES: readonly JsonType[] = ['string', 'number', 'boolean', 'null', 'object', 'array']

/** Members of what is answered where there is a choice of tools. */
export const CHOICE = { tool: 'tool', arguments: 'arguments', text: 'text' } as const

/** What is answered where there are several tools: a call of one of them, or a text. */
export function choiceSchema(tools: readonly ToolDefinition[]): GrammarSchema {
  const calls = tools.map((tool): GrammarSchema => {
    const properties = { [CHOICE.tool]: { enum: [tool.name] }, [CHOICE.arguments]: argumentsSchema(tool) }
    return { type: 'object', properties }
  })
  return { oneOf: [...calls, { type: 'object', properties: { [CHOICE.text]: { type: 'string' } } }] }
}

/**
 * The arguments of a tool. Accepts all that the tool's schema accepts, with null for what is absent (`withoutAbsent` is the
 * way back); what a grammar can't hold (patterns, large ranges and lengths) is held at dispatch alone.
 */
export function argumentsSchema({ inputSchema }: ToolDefinition): GrammarSchema {
  const { anyOf: _anyOf, oneOf: _oneOf, ...root } = flattened(inputSchema)
  return lower({ ...root, type: 'object' })
}

function lower(schema: JsonSchema): GrammarSchema {
  const flat = flattened(schema)
  const branches = alternatives(flat)
  if (branches) return either(branches.map(lower))
  const types = typesOf(flat)
  const known = flat.const === undefined ? (flat.enum ?? integerRange(flat)) : [flat.const]
  const values = enumWithout(known, flat.not).enum?.filter((value) => types.length === 0 || isOfType(value, types))
  // A grammar can't name whole objects or arrays.
  if (values?.length && values.every(isScalar)) return { enum: values }
  return either((types.length > 0 ? types : implied(flat)).map((type) => ofType(flat, type)))
}

function isScalar(value: Json): value is Scalar {
  return value === null || typeof value !== 'object'
}

/** The types of a schema that names none. */
function implied(schema: JsonSchema): readonly JsonType[] {
  if (schema.properties) return ['object']
  return schema.items ? ['array'] : ALL_TYPES
}

function either(schemas: readonly GrammarSchema[]): GrammarSchema {
  const [first, ...others] = schemas
  return first !== undefined && others.length === 0 ? first : { oneOf: schemas }
}

function ofType(schema: JsonSchema, type: JsonType): GrammarSchema {
  switch (type) {
    case 'string':
      return ofString(schema)
    case 'array': {
      const { items, minItems, maxItems } = schema
      return {
        type,
        ...(items && { items: lower(items) }),
        ...(minItems !== undefined && { minItems: Math.min(minItems, MOST_ITEMS) }),
        ...(maxItems !== undefined && maxItems <= MOST_ITEMS && { maxItems }),
      }
    }
    case 'object':
      return ofObject(schema)
    default:
      return { type }
  }
}

function ofString({ format, minLength, maxLength }: JsonSchema): GrammarSchema {
  if (format === 'date-time' || format === 'time' || format === 'date') return { type: 'string', format }
  return {
    type: 'string',
    ...(minLength !== undefined && { minLength: Math.min(minLength, MOST_CHARACTERS) }),
    ...(maxLength !== undefined && maxLength <= MOST_CHARACTERS && { maxLength }),
  }
}

function ofObject({ properties, required, additionalProperties }: JsonSchema): GrammarSchema {
  const open = additionalProperties === undefined ? properties === undefined : additionalProperties !== false
  const more = typeof additionalProperties === 'object' ? lower(additionalProperties) : true
  const named = Object.entries(mapValues(properties ?? {}, lower)).map(([name, property]) => [
    name,
    required?.includes(name) ? property : either([property, { type: 'null' }]),
  ])
  return { type: 'object', properties: Object.fromEntries(named), ...(open && { additionalProperties: more }) }
}
