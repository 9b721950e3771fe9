import type { JsonSchema } from '../core/json.ts'
import { PROVIDERS } from '../core/provider.ts'
import {
  boolean,
  duration,
  integer,
  modelName,
  oneOf,
  path,
  positive,
  type SettingType,
  webAddress,
} from './setting-types.ts'

/** One setting. `T` is the type of its resolved value, with undefined where it has no default. */
export interface Setting<T> {
  readonly type: SettingType<NonNullable<T>>
  readonly description: string
  readonly fallback: T
  /** The flag of the command line that sets it. */
  readonly flag?: string
  /** Values that the repository's file may not set, and why: whoever can send a pull request writes that file. */
  readonly repository?: { readonly refuses: 'all' | readonly NonNullable<T>[]; readonly because: string }
}

const MODEL = modelName(PROVIDERS.map(({ id }) => id))

function optional<T>(setting: Omit<Setting<T | undefined>, 'fallback'>): Setting<T | undefined> {
  return { ...setting, fallback: undefined }
}

function setting<T>(of: Setting<T>): Setting<T> {
  return of
}

/** Every setting there is: type, JSON Schema, environment names and messages are derived from this table. */
export const SETTINGS = {
  model: setting<string>({
    type: MODEL,
    description: 'The model that plans and edits, as provider/model.',
    fallback: 'anthropic/claude-opus-5-5',
    flag: '--model',
  }),
  models: {
    plan: optional<string>({ type: MODEL, description: 'Another model for planning.' }),
    edit: optional<string>({ type: MODEL, description: 'Another model for editing.' }),
    repair: optional<string>({
      type: MODEL,
      description: 'Another (cheaper) model for repairing a single failed call.',
    }),
    escalate: optional<string>({
      type: MODEL,
      description: 'A stronger model that plans and edits once the others have failed.',
    }),
  },
  baseUrl: optional<string>({
    type: webAddress,
    description: "Address of the provider's API.",
    flag: '--base-url',
    repository: { refuses: 'all', because: 'a repository could have your API key sent to an address of its choice' },
  }),
  limits: {
    attempts: setting<number>({
      type: integer(1, 100),
      description: 'Attempts at one plan step before the plan is made anew.',
      fallback: 3,
      flag: '--max-attempts',
    }),
    argumentRetries: setting<number>({
      type: integer(0, 100),
      description: 'Retries of a call whose arguments are wrong, before the plan is questioned.',
      fallback: 1,
    }),
    targetRetries: setting<number>({
      type: integer(0, 100),
      description: 'Retries of a call that names what is not there, before the plan is questioned.',
      fallback: 1,
    }),
    editRetries: setting<number>({
      type: integer(0, 100),
      description: 'Retries of an edit that can not be placed, before the attempt ends.',
      fallback: 2,
    }),
    cutRetries: setting<number>({
      type: integer(0, 100),
      description: 'Retries of a call that the limit of output tokens cut, before the attempt ends.',
      fallback: 2,
    }),
    replans: setting<number>({ type: integer(0, 100), description: 'New plans in one run.', fallback: 3 }),
    turns: setting<number>({
      type: integer(1, 10_000),
      description: 'Requests to the model in one run.',
      fallback: 60,
      flag: '--max-turns',
    }),
    transientTries: setting<number>({
      type: integer(1, 100),
      description: 'Tries of one request that meets rate limits, overload or network faults.',
      fallback: 5,
    }),
  },
  budgetUsd: optional<number>({
    type: positive,
    description: 'What a run may cost, in US dollars. Needs a model whose prices are known.',
    flag: '--max-budget-usd',
  }),
  contextTokens: setting<number>({
    type: integer(4_000, 10_000_000),
    description: "The model's context. Nearing it, results of old calls are shortened.",
    fallback: 180_000,
  }),
  maxOutputTokens: setting<number>({
    type: integer(1_024, 1_000_000),
    description: 'Longest answer of the model, in tokens.',
    fallback: 32_000,
  }),
  timeouts: {
    run: optional<number>({
      type: duration,
      description: 'For the whole run. No limit by default.',
      flag: '--timeout',
    }),
    check: setting<number>({ type: duration, description: 'For one run of a check.', fallback: 600_000 }),
    command: setting<number>({ type: duration, description: 'For one command of the model.', fallback: 120_000 }),
    idle: setting<number>({ type: duration, description: "For silence in the provider's stream.", fallback: 90_000 }),
  },
  approvalMode: setting<'default' | 'yolo'>({
    type: oneOf('default', 'yolo'),
    description: 'default: commands need consent. yolo: everything is allowed.',
    fallback: 'default',
    flag: '--approval-mode',
    repository: { refuses: ['yolo'], because: 'a repository could run commands on your machine without asking you' },
  }),
  checks: {
    types: setting<boolean>({ type: boolean, description: 'Whether the type checker has to pass.', fallback: true }),
    lint: setting<boolean>({ type: boolean, description: 'Whether the linter has to pass.', fallback: true }),
    tests: setting<boolean>({ type: boolean, description: 'Whether the tests have to pass.', fallback: true }),
  },
  keepRuns: setting<number>({
    type: integer(1, 100_000),
    description: 'How many runs are kept, with what it takes to undo them. At the end of a run older ones are removed.',
    fallback: 50,
  }),
  logDir: optional<string>({
    type: path,
    description: "Folder of the run logs. By default inside of the repository's git directory.",
    flag: '--log-dir',
    repository: { refuses: 'all', because: 'a repository could have files written anywhere on your machine' },
  }),
} as const

type Table = typeof SETTINGS
type Resolved<S> = S extends Setting<infer T> ? T : { readonly [K in keyof S]: Resolved<S[K]> }

/** All settings with their values. Durations are milliseconds. Holds no keys, so it can be shown and logged. */
export type Settings = { readonly [K in keyof Table]: Resolved<Table[K]> }

type KeyOf<K extends string, S> = S extends Setting<infer _> ? K : `${K}.${keyof S & string}`

/** A setting's name with dots, as in `limits.attempts`. */
export type SettingKey = { [K in keyof Table]: KeyOf<K, Table[K]> }[keyof Table]

/** A setting whose value type is not known. */
export type AnySetting = Setting<unknown>

export function isSetting(entry: object): entry is AnySetting {
  return 'fallback' in entry
}

/** All settings by their names with dots. */
export const SETTING_BY_KEY: ReadonlyMap<string, AnySetting> = new Map(
  Object.entries(SETTINGS).flatMap(([name, entry]): [string, AnySetting][] =>
    isSetting(entry)
      ? [[name, entry as AnySetting]]
      : Object.entries(entry).map(([member, of]): [string, AnySetting] => [`${name}.${member}`, of as AnySetting]),
  ),
)

/** The variable that sets it: `limits.attempts` is `GOATFIED_LIMITS_ATTEMPTS`. */
export function environmentName(key: string): string {
  return `GOATFIED_${key
    .replaceAll(/[A-Z]/g, (letter) => `_${letter}`)
    .replaceAll('.', '_')
    .toUpperCase()}`
}

/** JSON Schema (2020-12) of the repository's `.goatfiedrc.json`: what is refused there is not in it. */
export function repositorySchema(): JsonSchema & { readonly $schema: string; readonly title: string } {
  const properties: Record<string, JsonSchema> = {
    $schema: { type: 'string', description: 'Address of this schema, for editors.' },
  }
  for (const [name, entry] of Object.entries(SETTINGS)) {
    const schema = isSetting(entry) ? settingSchema(entry as AnySetting) : groupSchema(entry)
    if (schema !== undefined) properties[name] = schema
  }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Settings of Goatfied for one repository (.goatfiedrc.json)',
    type: 'object',
    properties,
    additionalProperties: false,
  }
}

function groupSchema(group: object): JsonSchema {
  const members = Object.entries(group).flatMap(([name, entry]) => {
    const schema = settingSchema(entry as AnySetting)
    return schema === undefined ? [] : [[name, schema] as const]
  })
  return { type: 'object', properties: Object.fromEntries(members), additionalProperties: false }
}

function settingSchema({ type, description, fallback, repository }: AnySetting): JsonSchema | undefined {
  if (repository?.refuses === 'all') return undefined
  const refused = repository?.refuses ?? []
  const allowed = type.schema.enum?.filter((value) => !refused.includes(value as NonNullable<unknown>))
  return {
    description,
    ...type.schema,
    ...(allowed === undefined ? {} : { enum: allowed }),
    ...(fallback === undefined ? {} : { default: fallback }),
  }
}
