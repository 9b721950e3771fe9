import { canonicalJson, isJsonObject, type Json, type JsonSchema } from '../core/json.ts'
import { isOfType, typesOf } from './schema-members.ts'

/** Whether a value satisfies a schema in what a lowered strict schema may say; formats are not looked at. */
export function fitsSchema(value: Json, schema: JsonSchema): boolean {
  const types = typesOf(schema)
  if (types.length > 0 && !isOfType(value, types)) return false
  if (schema.enum && !schema.enum.some((one) => canonicalJson(one) === canonicalJson(value))) return false
  if (schema.anyOf && !schema.anyOf.some((branch) => fitsSchema(value, branch))) return false
  if (typeof value === 'string') return schema.pattern === undefined || new RegExp(schema.pattern, 'u').test(value)
  if (typeof value === 'number') return fitsRange(value, schema)
  if (Array.isArray(value)) return fitsItems(value, schema)
  return isJsonObject(value) ? fitsProperties(value, schema) : true
}

function fitsRange(value: number, schema: JsonSchema): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  return (
    value >= (minimum ?? -Infinity) &&
    value <= (maximum ?? Infinity) &&
    (exclusiveMinimum === undefined || value > exclusiveMinimum) &&
    (exclusiveMaximum === undefined || value < exclusiveMaximum) &&
    (multipleOf === undefined || Number.isInteger(value / multipleOf))
  )
}

function fitsItems(value: readonly Json[], { items, minItems, maxItems }: JsonSchema): boolean {
  const count = value.length >= (minItems ?? 0) && value.length <= (maxItems ?? Infinity)
  return count && (items === undefined || value.every((item) => fitsSchema(item, items)))
}

function fitsProperties(value: Readonly<Record<string, Json>>, schema: JsonSchema): boolean {
  const { properties = {}, required = [], additionalProperties } = schema
  if (required.some((name) => !(name in value))) return false
  return Object.entries(value).every(([name, member]) => {
    const property = properties[name]
    return property ? fitsSchema(member, property) : additionalProperties !== false
  })
}
