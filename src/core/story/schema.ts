import type { Constraint } from '../constraint.ts'
import { NONE_OF_THESE } from '../constraint.ts'
import type { RunEventOf, SchemaChange } from '../event.ts'
import type { Json, JsonSchema } from '../json.ts'
import { cutLine, line, type StoryLine } from './line.ts'
import { count, oneLine, shortList } from './text.ts'

const MOST_VALUES = 4

/** A guard that fired: why, what each parameter accepted before and accepts now, and what else is ruled out. */
export function guardLines(event: RunEventOf<'guard.fired'>): readonly StoryLine[] {
  return [
    line('accent', 2, `guard ${oneLine(event.guard)}: ${oneLine(event.reason)}`),
    ...event.changes.filter(says).map((change) => cutLine('accent', 3, changeText(change))),
    ...event.constraints.flatMap((constraint) => constraintLines(constraint, event.changes.length > 0)),
  ]
}

/** What words can't tell apart is not worth a line. */
const says = ({ before, after }: SchemaChange): boolean => describeSchema(before) !== describeSchema(after)

function changeText({ tool, pointer, before, after }: SchemaChange): string {
  const name = pointer === '' ? 'arguments' : pointer.slice(1).replaceAll('/', '.')
  return oneLine(`${tool} ${name}: ${describeSchema(before)} -> ${describeSchema(after)}`)
}

/** Constraints that no schema change shows; those that are built into a schema are left out when `shown` changes say it. */
function constraintLines(constraint: Constraint, shown: boolean): readonly StoryLine[] {
  switch (constraint.kind) {
    case 'hint':
      return [cutLine('dim', 3, `hint: ${oneLine(constraint.text)}`)]
    case 'hide':
      return [line('accent', 3, `${oneLine(constraint.tool)} is taken away`)]
    case 'enum':
      return shown ? [] : [cutLine('accent', 3, oneOf(constraint.values))]
    case 'exclude':
      return shown ? [] : [cutLine('accent', 3, `no longer accepted: ${shortList(constraint.values, MOST_VALUES)}`)]
    case 'narrow':
      return shown ? [] : [cutLine('accent', 3, changeText({ ...constraint, before: {}, after: constraint.schema }))]
    case 'refuse':
      return shown ? [] : [cutLine('accent', 3, `${oneLine(constraint.tool)}: this very call is refused from now on`)]
    case 'strict':
      return shown ? [] : [line('accent', 3, `${oneLine(constraint.tool)}: held to its schema while the model writes`)]
    default:
      constraint satisfies never
      return []
  }
}

/** What a schema accepts, in words: `any string`, `one of 3: a, b, c`, `integer 1 to 40`. */
function describeSchema(schema: JsonSchema): string {
  const parts: string[] = []
  if (schema.enum) parts.push(oneOf(schema.enum.map(valueText)))
  else if (schema.const !== undefined) parts.push(`exactly ${valueText(schema.const)}`)
  else parts.push(typeText(schema))
  if (schema.pattern !== undefined) parts.push(`matching /${schema.pattern}/`)
  if (schema.format !== undefined) parts.push(`as ${schema.format}`)
  // An enum of what is left says by itself what is ruled out.
  if (schema.not && !schema.enum) parts.push(`but not ${describeSchema(schema.not)}`)
  for (const part of schema.allOf ?? []) parts.push(`and ${describeSchema(part)}`)
  const either = schema.anyOf ?? schema.oneOf
  if (either) parts.push(`that is ${either.map(describeSchema).join(' or ')}`)
  return oneLine(parts.join(' '))
}

function oneOf(values: readonly string[]): string {
  const real = values.filter((value) => value !== NONE_OF_THESE)
  if (real.length === 0) return 'only the way out'
  return `one of ${real.length}: ${shortList(real, MOST_VALUES)}`
}

function valueText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function typeText(schema: JsonSchema): string {
  const type =
    schema.type === undefined ? 'value' : typeof schema.type === 'string' ? schema.type : schema.type.join(' or ')
  if (type === 'array' && schema.items)
    return `array of ${describeSchema(schema.items)}${bounds(schema.minItems, schema.maxItems)}`
  if (type === 'object' && schema.required?.length) return `object with ${shortList(schema.required, MOST_VALUES)}`
  const limits = type === 'string' ? lengths(schema) : bounds(lowest(schema), highest(schema))
  return limits === '' ? `any ${type}` : `${type}${limits}`
}

function lengths({ minLength, maxLength }: JsonSchema): string {
  if (minLength === undefined && maxLength === undefined) return ''
  // Every argument that means something has at least a character.
  if (maxLength === undefined && minLength === 1) return ''
  if (maxLength === undefined) return ` of at least ${count(minLength ?? 0, 'character')}`
  return ` of${bounds(minLength ?? 0, maxLength)} characters`
}

const lowest = (schema: JsonSchema) => schema.minimum ?? schema.exclusiveMinimum
const highest = (schema: JsonSchema) => schema.maximum ?? schema.exclusiveMaximum

function bounds(low: number | undefined, high: number | undefined): string {
  if (low === undefined && high === undefined) return ''
  if (high === undefined) return ` from ${low}`
  return low === undefined ? ` up to ${high}` : ` ${low} to ${high}`
}
