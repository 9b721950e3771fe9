import type { JsonSchema } from '../core/json.ts'
import { DURATION_PATTERN, LONGEST_MS, parseDuration } from './duration.ts'

/** What a setting's value may be, for a file (JSON) and for the environment and flags (text). */
export interface SettingType<T> {
  readonly schema: JsonSchema
  /** What is allowed, in words that follow "expected". */
  readonly expected: string
  /** Undefined when the value is not allowed. */
  fromJson(value: unknown): T | undefined
  /** Undefined when the text is not allowed. */
  fromText(text: string): T | undefined
}

/** Text that a parser turns into the value; the same in files, environment and flags. */
function text<T>(schema: JsonSchema, expected: string, parse: (text: string) => T | undefined): SettingType<T> {
  return {
    schema: { type: 'string', ...schema },
    expected,
    fromJson: (value) => (typeof value === 'string' ? parse(value) : undefined),
    fromText: parse,
  }
}

/** `provider/model` with one of the providers. */
export function modelName(providers: readonly string[]): SettingType<string> {
  const pattern = `^(${providers.join('|')})/\\S+$`
  return text(
    { pattern },
    `provider/model, where provider is one of: ${providers.join(', ')} (for instance anthropic/claude-opus-5-5)`,
    (value) => (new RegExp(pattern).test(value) ? value : undefined),
  )
}

export function oneOf<const T extends string>(...values: readonly T[]): SettingType<T> {
  return text({ enum: values }, `one of: ${values.join(', ')}`, (value) => values.find((known) => known === value))
}

export const webAddress = text(
  { pattern: '^https?://\\S+$' },
  'an address that starts with http:// or https://',
  (value) => (/^https?:\/\/\S+$/.test(value) && URL.canParse(value) ? value : undefined),
)

export const path = text({ minLength: 1 }, 'a path', (value) => (value === '' ? undefined : value))

export function integer(minimum: number, maximum: number): SettingType<number> {
  const allowed = (value: number): number | undefined =>
    Number.isInteger(value) && value >= minimum && value <= maximum ? value : undefined
  return {
    schema: { type: 'integer', minimum, maximum },
    expected: `a whole number from ${minimum} to ${maximum}`,
    fromJson: (value) => (typeof value === 'number' ? allowed(value) : undefined),
    fromText: (value) => (/^-?\d+$/.test(value) ? allowed(Number(value)) : undefined),
  }
}

/** A sum of money or the like: any number above zero. */
export const positive: SettingType<number> = {
  schema: { type: 'number', exclusiveMinimum: 0 },
  expected: 'a number above 0',
  fromJson: (value) => (typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : undefined),
  fromText: (value) => (/^\d+(\.\d+)?$/.test(value) && Number(value) > 0 ? Number(value) : undefined),
}

export const boolean: SettingType<boolean> = {
  schema: { type: 'boolean' },
  expected: 'true or false',
  fromJson: (value) => (typeof value === 'boolean' ? value : undefined),
  fromText: (value) =>
    new Map([
      ['true', true],
      ['1', true],
      ['false', false],
      ['0', false],
    ]).get(value),
}

/** Milliseconds. A bare number is allowed in files only: on a command line `600` would be taken for seconds by half of all readers. */
export const duration: SettingType<number> = {
  schema: {
    anyOf: [
      { type: 'string', pattern: DURATION_PATTERN },
      { type: 'integer', minimum: 1, maximum: LONGEST_MS },
    ],
  },
  expected: 'a duration with its unit, such as "90s", "10m" or "1h30m" (a bare number in a file is milliseconds)',
  fromJson: (value) => {
    if (typeof value === 'string') return parseDuration(value)
    return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= LONGEST_MS ? value : undefined
  },
  fromText: parseDuration,
}
