import { readFile } from 'node:fs/promises'
import { Ajv, type ErrorObject } from 'ajv'
import schema from '../../fixtures/scenarios/scenario.schema.json' with { type: 'json' }
import type { Scenario, Turn } from './turn.ts'

/** Faults that mean nothing without an answer to act on. */
const ACTS_ON_ANSWER = [
  'cutAfterDeltas',
  'endAfterDeltas',
  'stallAfterDeltas',
  'garbledAfterDeltas',
  'badEvents',
  'duplicateIds',
]
/** What goes with one kind of fault only. */
const BELONGS_TO: Readonly<Record<string, readonly string[]>> = {
  errorType: ['status'],
  retryAfter: ['status'],
  retryAfterMs: ['status'],
  message: ['status', 'errorEvent'],
}

/** Reads a scenario from a JSON file. Throws an Error that says file, place and what to do. */
export async function readScenario(file: string): Promise<Scenario> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    throw new Error(`${file}: the scenario can't be read (${(error as NodeJS.ErrnoException).code}). Check the path.`)
  }
  return parseScenario(text, file)
}

/** The scenario in a JSON text. `file` is named in the Error thrown for one that is not valid. */
export function parseScenario(text: string, file: string): Scenario {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Error(`${file}: this is not JSON (${(error as Error).message}).`)
  }
  const validate = new Ajv({ allErrors: true, allowUnionTypes: true, verbose: true }).compile<Scenario>(schema)
  const complaints = validate(value) ? value.turns.flatMap(turnComplaints) : schemaComplaints(validate.errors ?? [])
  if (complaints.length > 0)
    throw new Error(`${file} is not a valid scenario:\n${complaints.map((c) => `  ${c}`).join('\n')}`)
  return value as Scenario
}

function schemaComplaints(errors: readonly ErrorObject[]): string[] {
  return errors.flatMap((error) => {
    const place = placeOf(error.instancePath)
    switch (error.keyword) {
      case 'oneOf':
      case 'anyOf':
        return [`${place}: give ${error.keyword === 'oneOf' ? 'exactly' : 'at least'} one of ${alternatives(error)}`]
      case 'required':
        // Said by the complaint about the choice itself.
        return /\/(?:oneOf|anyOf)\//.test(error.schemaPath)
          ? []
          : [`${place}: "${error.params.missingProperty}" is missing`]
      case 'additionalProperties': {
        const known = Object.keys((error.parentSchema?.properties as object | undefined) ?? {})
        return [`${place}: "${error.params.additionalProperty}" is not known here; known are ${known.join(', ')}`]
      }
      case 'enum':
        return [
          `${place}: has to be ${(error.params.allowedValues as unknown[]).map((v) => JSON.stringify(v)).join(' or ')}`,
        ]
      default:
        return [`${place}: ${error.message}`]
    }
  })
}

function alternatives(error: ErrorObject): string {
  const choices = error.schema as readonly { readonly required: readonly string[] }[]
  return choices.map(({ required }) => required.join(' with ')).join(', ')
}

function turnComplaints(turn: Turn, index: number): string[] {
  const keys = Object.keys(turn.fault ?? {})
  const place = `turns[${index}].fault`
  return keys.flatMap((key) => {
    const owners = BELONGS_TO[key]
    if (owners && !owners.some((owner) => keys.includes(owner)))
      return [`${place}: "${key}" goes with ${owners.join(' or ')} only`]
    return ACTS_ON_ANSWER.includes(key) && !turn.answer
      ? [`${place}: "${key}" acts on an answer; give turns[${index}].answer too`]
      : []
  })
}

/** `/turns/0/answer` as `turns[0].answer`. */
function placeOf(pointer: string): string {
  if (pointer === '') return 'top level'
  return pointer
    .slice(1)
    .replace(/\/(\d+)(?=\/|$)/g, '[$1]')
    .replaceAll('/', '.')
}
