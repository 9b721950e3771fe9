import { isJsonObject, type Json, type JsonObject } from '../core/json.ts'
import type { Expectation } from './turn.ts'
import { objects, plainText, text } from './wire.ts'

const SHOWN = 400

/** What of an expectation the request does not meet, as "expected ..., but ..."; undefined when it meets all. */
export function unmet(expectation: Expectation, body: JsonObject): string | undefined {
  const messages = objects(body.messages)
  const { tools, system, lastUserText, messages: count, enum: members, noEnum } = expectation
  return (
    (tools &&
      unmetTools(
        tools,
        objects(body.tools).map(({ name }) => text(name)),
      )) ??
    (count !== undefined && count !== messages.length
      ? `expected ${count} messages, but the conversation has ${messages.length}`
      : undefined) ??
    unmetText('the system prompt', system, plainText(body.system)) ??
    unmetText('the last message', lastUserText, plainText(messages.at(-1)?.content)) ??
    (members && unmetEnum(members, objects(body.tools))) ??
    (noEnum && unmetNoEnum(noEnum, objects(body.tools)))
  )
}

function unmetTools(expected: readonly string[], offered: readonly string[]): string | undefined {
  const same = [...expected].sort().join() === [...offered].sort().join()
  return same ? undefined : `expected the tools ${list(expected)}, but ${list(offered)} are offered`
}

function unmetText(where: string, expected: string | readonly string[] = [], actual: string): string | undefined {
  const missing = [expected].flat().find((part) => !actual.includes(part))
  if (missing === undefined) return undefined
  const shown = actual.length > SHOWN ? `${actual.slice(0, SHOWN)}...` : actual
  return `expected "${missing}" in ${where}, but that is "${shown}"`
}

function unmetEnum(
  { tool, pointer, contains, last }: NonNullable<Expectation['enum']>,
  tools: readonly JsonObject[],
): string | undefined {
  const offered = tools.find(({ name }) => name === tool)
  if (!offered) return `expected an enum at ${pointer} of ${tool}, but that tool is not offered`
  const values = enumAt(offered, pointer)
  if (!values) return `expected an enum at ${pointer} of ${tool}, but there is none`
  const missing = contains.find((value) => !values.includes(value))
  if (missing !== undefined)
    return `expected "${missing}" in the enum at ${pointer} of ${tool}, but it has ${list(values)}`
  return last === undefined || values.at(-1) === last
    ? undefined
    : `expected "${last}" as the last value of the enum at ${pointer} of ${tool}, but it has ${list(values)}`
}

function unmetNoEnum(
  { tool, pointer }: NonNullable<Expectation['noEnum']>,
  tools: readonly JsonObject[],
): string | undefined {
  const offered = tools.find(({ name }) => name === tool)
  if (!offered) return `expected no enum at ${pointer} of ${tool}, but that tool is not offered`
  const values = enumAt(offered, pointer)
  return values && `expected no enum at ${pointer} of ${tool}, but it has ${list(values)}`
}

function enumAt({ input_schema: schema }: JsonObject, pointer: string): readonly Json[] | undefined {
  const values = schemaAt(schema, pointer)?.enum
  return Array.isArray(values) ? (values as readonly Json[]) : undefined
}

function schemaAt(root: Json | undefined, pointer: string): JsonObject | undefined {
  const steps = pointer.split('/').slice(1)
  return steps.reduce<JsonObject | undefined>(
    (schema, step) => {
      const next = step === '*' || /^\d+$/.test(step) ? schema?.items : memberOf(schema?.properties, step)
      return isJsonObject(next) ? next : undefined
    },
    isJsonObject(root) ? root : undefined,
  )
}

function memberOf(value: Json | undefined, key: string): Json | undefined {
  return isJsonObject(value) ? value[key.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined
}

function list(values: readonly Json[]): string {
  return `[${values.map(String).join(', ')}]`
}
