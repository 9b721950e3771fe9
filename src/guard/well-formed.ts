import { isJsonObject, type Json, type JsonSchema } from '../core/json.ts'

const TYPES = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object']
const COUNTS = [
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'minContains',
  'maxContains',
]
const NUMBERS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']
const ONE = [
  'items',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'propertyNames',
  'additionalProperties',
  'unevaluatedProperties',
]
const MANY = ['allOf', 'anyOf', 'oneOf']

/** Why a schema can't be compiled, in words; undefined where it can, as far as the keywords of tools go. */
export function faultOf(schema: JsonSchema): string | undefined {
  return faultOfValue(schema as Json, '')
}

function faultOfValue(schema: Json | undefined, place: string): string | undefined {
  if (typeof schema === 'boolean') return undefined
  if (!isJsonObject(schema)) return `${place === '' ? 'the schema' : place} is no schema`
  for (const [keyword, value] of Object.entries(schema)) {
    const fault = faultOfKeyword(keyword, value, `${place}/${keyword}`)
    if (fault !== undefined) return fault
  }
  return undefined
}

function faultOfKeyword(keyword: string, value: Json, place: string): string | undefined {
  if (ONE.includes(keyword)) return faultOfValue(value, place)
  if (MANY.includes(keyword)) {
    if (!isFullList(value)) return `${place} is no list of schemas`
    return firstOf(value.map((each, index) => faultOfValue(each, `${place}/${index}`)))
  }
  if (keyword === 'properties') {
    if (!isJsonObject(value)) return `${place} is no object`
    return firstOf(Object.entries(value).map(([name, each]) => faultOfValue(each, `${place}/${name}`)))
  }
  return fits(keyword, value) ? undefined : `${place} can't be ${JSON.stringify(value)}`
}

function fits(keyword: string, value: Json): boolean {
  if (COUNTS.includes(keyword)) return Number.isInteger(value) && Number(value) >= 0
  if (NUMBERS.includes(keyword)) return Number.isFinite(value) && (keyword !== 'multipleOf' || Number(value) > 0)
  switch (keyword) {
    case 'type':
      return isFullList(value) ? value.every((each) => TYPES.includes(String(each))) : TYPES.includes(String(value))
    case 'enum':
      return isFullList(value)
    case 'required':
      return isListOfNames(value)
    case 'dependentRequired':
      return isJsonObject(value) && Object.values(value).every(isListOfNames)
    case 'pattern':
      return typeof value === 'string' && compiles(value)
    case 'uniqueItems':
      return typeof value === 'boolean'
    case 'format':
      return typeof value === 'string'
    default:
      return value !== undefined
  }
}

const isFullList = (value: Json): value is readonly Json[] => Array.isArray(value) && value.length > 0
const firstOf = (faults: readonly (string | undefined)[]) => faults.find((fault) => fault !== undefined)

function isListOfNames(value: Json): boolean {
  if (!Array.isArray(value) || value.some((each) => typeof each !== 'string')) return false
  return new Set(value).size === value.length
}

function compiles(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u')
    return true
  } catch {
    return false
  }
}
