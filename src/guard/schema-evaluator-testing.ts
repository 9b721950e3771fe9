import type { ArgumentError } from '../core/failure.ts'
import { canonicalJson, isJsonObject, type Json, type JsonObject, type JsonSchema } from '../core/json.ts'
import { isOfType, typesOf } from './schema-types.ts'

/** What is wrong with a value, without the messages. */
export type Violation = Pick<ArgumentError, 'pointer' | 'keyword'>

/** Whether a value satisfies a schema: what ajv says too, at a small part of the time, since nothing has to be compiled. */
export const accepts = (schema: JsonSchema, value: Json): boolean => evaluate(schema, value, '').errors.length === 0

/** All that is wrong, each once, as ajv tells it with `allErrors`. */
export function violations(schema: JsonSchema, value: Json): Violation[] {
  const seen = new Map(evaluate(schema, value, '').errors.map((error) => [`${error.pointer} ${error.keyword}`, error]))
  return [...seen.values()]
}

interface Evaluation {
  readonly errors: readonly Violation[]
  /** Names of members that some keyword has looked at, for `unevaluatedProperties`. */
  readonly seen: readonly string[]
}

type Sub = JsonSchema | boolean

function evaluate(schema: Sub, value: Json, pointer: string): Evaluation {
  if (typeof schema === 'boolean') return { errors: schema ? [] : [{ pointer, keyword: 'false schema' }], seen: [] }
  const errors: Violation[] = []
  const seen: string[] = []
  const fail = (keyword: string) => errors.push({ pointer, keyword })
  const inPlace = (sub: Sub, counts = true): boolean => {
    const found = evaluate(sub, value, pointer)
    if (counts) errors.push(...found.errors)
    if (found.errors.length === 0) seen.push(...found.seen)
    return found.errors.length === 0
  }

  if (schema.type !== undefined && !typesOf(schema.type).some((type) => isOfType(value, type))) fail('type')
  if (schema.enum?.every((member) => !same(member, value))) fail('enum')
  if (schema.const !== undefined && !same(schema.const, value)) fail('const')
  for (const keyword of scalarViolations(schema, value)) fail(keyword)
  if (Array.isArray(value)) errors.push(...ofArray(schema, value, pointer))
  if (isJsonObject(value)) {
    const object = ofObject(schema, value, pointer)
    errors.push(...object.errors)
    seen.push(...object.seen)
  }

  for (const sub of schema.allOf ?? []) inPlace(sub)
  if (schema.anyOf !== undefined) anyOf(schema.anyOf, value, pointer, errors, seen)
  if (schema.oneOf !== undefined) oneOf(schema.oneOf, value, pointer, errors, seen)
  if (schema.not !== undefined && evaluate(schema.not, value, pointer).errors.length === 0) fail('not')
  if (schema.if !== undefined) {
    const branch = inPlace(schema.if, false) ? schema.then : schema.else
    if (branch !== undefined && !inPlace(branch)) fail('if')
  }
  if (isJsonObject(value) && schema.unevaluatedProperties === false)
    for (const name of Object.keys(value)) if (!seen.includes(name)) fail('unevaluatedProperties')
  return { errors, seen }
}

const same = (a: Json, b: Json): boolean => canonicalJson(a) === canonicalJson(b)

function anyOf(subs: readonly JsonSchema[], value: Json, pointer: string, errors: Violation[], seen: string[]): void {
  const found = subs.map((sub) => evaluate(sub, value, pointer))
  for (const each of found) if (each.errors.length === 0) seen.push(...each.seen)
  if (found.every((each) => each.errors.length > 0))
    errors.push(...found.flatMap((each) => each.errors), { pointer, keyword: 'anyOf' })
}

function oneOf(subs: readonly JsonSchema[], value: Json, pointer: string, errors: Violation[], seen: string[]): void {
  const found = subs.map((sub) => evaluate(sub, value, pointer))
  const fitting = found.filter((each) => each.errors.length === 0)
  if (fitting.length === 1) seen.push(...(fitting[0]?.seen ?? []))
  else errors.push(...(fitting.length === 0 ? found.flatMap((each) => each.errors) : []), { pointer, keyword: 'oneOf' })
}

function scalarViolations(schema: JsonSchema, value: Json): string[] {
  if (typeof value === 'string') return ofString(schema, value)
  if (typeof value !== 'number') return []
  const { minimum = value, maximum = value, exclusiveMinimum, exclusiveMaximum, multipleOf = value } = schema
  return [
    ...(value < minimum ? ['minimum'] : []),
    ...(value > maximum ? ['maximum'] : []),
    ...(exclusiveMinimum !== undefined && value <= exclusiveMinimum ? ['exclusiveMinimum'] : []),
    ...(exclusiveMaximum !== undefined && value >= exclusiveMaximum ? ['exclusiveMaximum'] : []),
    ...(multipleOf !== 0 && !Number.isInteger(value / multipleOf) ? ['multipleOf'] : []),
  ]
}

function ofString({ minLength = 0, maxLength, pattern, format }: JsonSchema, value: string): string[] {
  const length = [...value].length
  return [
    ...(length < minLength ? ['minLength'] : []),
    ...(maxLength !== undefined && length > maxLength ? ['maxLength'] : []),
    ...(pattern !== undefined && !new RegExp(pattern, 'u').test(value) ? ['pattern'] : []),
    ...(format === 'ipv4' && !/^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/.test(value)
      ? ['format']
      : []),
  ]
}

function ofArray(schema: JsonSchema, value: readonly Json[], pointer: string): Violation[] {
  const { items, minItems = 0, maxItems = value.length, contains, minContains = 1, maxContains = value.length } = schema
  const errors: Violation[] = []
  if (value.length < minItems) errors.push({ pointer, keyword: 'minItems' })
  if (value.length > maxItems) errors.push({ pointer, keyword: 'maxItems' })
  if (schema.uniqueItems === true && new Set(value.map(canonicalJson)).size < value.length)
    errors.push({ pointer, keyword: 'uniqueItems' })
  if (items !== undefined)
    errors.push(...value.flatMap((item, index) => evaluate(items, item, `${pointer}/${index}`).errors))
  if (contains !== undefined) {
    const count = value.filter((item) => accepts(contains, item)).length
    if (count < minContains || count > maxContains) errors.push({ pointer, keyword: 'contains' })
  }
  return errors
}

function ofObject(schema: JsonSchema, value: JsonObject, pointer: string): Evaluation {
  const errors: Violation[] = []
  const seen: string[] = []
  const fail = (keyword: string) => errors.push({ pointer, keyword })
  const names = Object.keys(value)
  const misses = (name: string) => !Object.hasOwn(value, name)
  if (names.length < (schema.minProperties ?? 0)) fail('minProperties')
  if (names.length > (schema.maxProperties ?? names.length)) fail('maxProperties')
  if (schema.required?.some(misses)) fail('required')
  for (const [name, others] of Object.entries(schema.dependentRequired ?? {}))
    if (!misses(name) && others.some(misses)) fail('dependentRequired')
  for (const name of names) {
    if (schema.propertyNames !== undefined && !accepts(schema.propertyNames, name)) fail('propertyNames')
    const sub =
      schema.properties !== undefined && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined
    const rest = sub === undefined ? schema.additionalProperties : undefined
    if (sub === undefined && rest === undefined) continue
    seen.push(name)
    if (rest === false) fail('additionalProperties')
    else errors.push(...evaluate(sub ?? rest ?? true, value[name] ?? null, `${pointer}/${name}`).errors)
  }
  return { errors, seen }
}
