import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '../core/json.ts'
import { lowerOpenAiSchema } from './openai-schema.ts'
import { fitsSchema } from './schema-fits.ts'
import { alternatives, flattened, typesOf } from './schema-members.ts'

/**
 * Arguments made under `lowerOpenAiSchema(schema)` as `schema` means them: without the nulls that stand for an absent
 * optional. A null that `schema` itself takes stays.
 */
export function withoutAbsent(args: JsonObject, schema: JsonSchema): JsonObject {
  const { anyOf: _anyOf, oneOf: _oneOf, ...root } = flattened(schema)
  const cleared = without(args, root)
  return isJsonObject(cleared) ? cleared : args
}

function without(value: Json, schema: JsonSchema): Json {
  const flat = flattened(schema)
  const branches = alternatives(flat)
  if (branches) {
    const taken = branches.find((branch) => fitsLowered(value, branch))
    return taken ? without(value, taken) : value
  }
  const { items, properties, required } = flat
  if (Array.isArray(value)) return items ? value.map((item) => without(item, items)) : value
  if (!isJsonObject(value) || !properties) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]): [string, Json][] => {
      const property = properties[name]
      if (!property) return [[name, member]]
      const absent = member === null && !required?.includes(name) && !acceptsNull(property)
      return absent ? [] : [[name, without(member, property)]]
    }),
  )
}

/** Which alternative a value was made under: the value has what the lowered one asks for. */
function fitsLowered(value: Json, branch: JsonSchema): boolean {
  // What is lowered is an object at its root, so the branch goes into one.
  const lowered = lowerOpenAiSchema({ properties: { value: branch }, required: ['value'], additionalProperties: false })
  return lowered !== undefined && fitsSchema({ value }, lowered)
}

function acceptsNull(schema: JsonSchema): boolean {
  const flat = flattened(schema)
  const branches = alternatives(flat)
  if (branches) return branches.some(acceptsNull)
  const values = flat.const === undefined ? flat.enum : [flat.const]
  const types = typesOf(flat)
  return (types.length === 0 || types.includes('null')) && (values === undefined || values.includes(null))
}
