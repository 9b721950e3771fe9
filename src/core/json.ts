/** Plain JSON values, and the part of JSON Schema (2020-12) that tools are described with. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export type JsonObject = { readonly [key: string]: Json }

export type JsonType = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object'

export interface JsonSchema {
  readonly type?: JsonType | readonly JsonType[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonSchema
  readonly unevaluatedProperties?: boolean | JsonSchema
  readonly propertyNames?: JsonSchema
  readonly minProperties?: number
  readonly maxProperties?: number
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>
  readonly items?: JsonSchema
  readonly contains?: JsonSchema
  readonly minContains?: number
  readonly maxContains?: number
  readonly enum?: readonly Json[]
  readonly const?: Json
  readonly pattern?: string
  readonly format?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly multipleOf?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly allOf?: readonly JsonSchema[]
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly not?: JsonSchema
  readonly if?: JsonSchema
  readonly then?: JsonSchema
  readonly else?: JsonSchema
}

/** JSON text with the keys of every object in order, so that equal values give equal text. */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (value !== null && typeof value === 'object') {
    const object = value as JsonObject
    const members = Object.keys(object)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${canonicalJson(object[key] as Json)}`)
    return `{${members.join(',')}}`
  }
  return JSON.stringify(value)
}

/** Arguments nested deeper than this are none that a tool takes, and more than recursion is safe with. */
const MOST_DEPTH = 256

/** Whether JSON text is nested deeper than `MOST_DEPTH`. */
export function isTooDeep(text: string): boolean {
  let depth = 0
  let quoted = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (quoted) {
      if (character === '\\') at += 1
      else quoted = character !== '"'
    } else if (character === '"') quoted = true
    else if (character === '{' || character === '[') {
      depth += 1
      if (depth > MOST_DEPTH) return true
    } else if (character === '}' || character === ']') depth -= 1
  }
  return false
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
