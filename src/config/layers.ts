import path from 'node:path'
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts'
import { nearest } from './nearest.ts'
import { type AnySetting, environmentName, SETTING_BY_KEY, type SettingKey } from './schema.ts'

/** What one source sets: values by key with dots, each with the name of what set it, and what is wrong with the source. */
export interface Layer {
  readonly values: ReadonlyMap<string, { readonly value: unknown; readonly source: string }>
  readonly problems: readonly string[]
}

/** Where paths of a layer start. */
interface PathBase {
  readonly folder: string
  readonly home: string | undefined
}

/** Reads a file's settings. `owner` says whose file it is: the repository's may not set everything. */
export function fileLayer(content: JsonObject, source: string, owner: 'user' | 'repository', base: PathBase): Layer {
  const values = new Map<string, { value: unknown; source: string }>()
  const problems: string[] = []

  const read = (key: string, json: Json): void => {
    const setting = SETTING_BY_KEY.get(key)
    const members = setting === undefined ? membersOf(key) : []
    if (setting !== undefined) {
      const value = setting.type.fromJson(json)
      const refusal = owner === 'repository' ? refusalOf(setting, value) : undefined
      if (refusal !== undefined) problems.push(`${source}: "${key}" can't be set here: ${refusal}.`)
      else if (value === undefined)
        problems.push(`${source}: "${key}" is ${quote(json)}; expected ${setting.type.expected}.`)
      else values.set(key, { value: absolute(key, value, base), source })
    } else if (members.length > 0 && isJsonObject(json)) {
      for (const [name, member] of Object.entries(json)) read(`${key}.${name}`, member)
    } else if (members.length > 0) {
      problems.push(`${source}: "${key}" is ${quote(json)}; expected an object with: ${members.join(', ')}.`)
    } else {
      problems.push(unknownKey(key, source))
    }
  }
  for (const [key, json] of Object.entries(content)) {
    if (key === '$schema' || (key === 'apiKeys' && owner === 'user')) continue
    if (key === 'apiKeys') problems.push(`${source}: "apiKeys" can't be set here: keys don't belong into a repository.`)
    else read(key, json)
  }
  return { values, problems }
}

const PREFIX = 'GOATFIED_'

/** Reads the `GOATFIED_*` variables. An empty one counts as not set. */
export function environmentLayer(env: Readonly<Record<string, string | undefined>>, base: PathBase): Layer {
  const values = new Map<string, { value: unknown; source: string }>()
  const problems: string[] = []
  const byName = new Map([...SETTING_BY_KEY.keys()].map((key) => [environmentName(key), key]))
  for (const [name, text] of Object.entries(env)) {
    if (!name.startsWith(PREFIX) || text === undefined || text === '') continue
    const key = byName.get(name)
    if (key !== undefined) {
      addText(key, text, name)
      continue
    }
    const near = nearest(
      name.slice(PREFIX.length),
      [...byName.keys()].map((known) => known.slice(PREFIX.length)),
    )
    problems.push(`${name} is not a variable that Goatfied knows.${suggestion(near && PREFIX + near)}`)
  }
  return { values, problems }

  function addText(key: string, text: string, source: string): void {
    const type = SETTING_BY_KEY.get(key)?.type
    const value = type?.fromText(text)
    if (value === undefined) problems.push(`${source} is ${quote(text)}; expected ${type?.expected}.`)
    else values.set(key, { value: absolute(key, value, base), source })
  }
}

/** What the command line sets, by key: text as typed, or values. Undefined counts as not set. */
export type Flags = { readonly [K in SettingKey]?: string | number | boolean | undefined }

export function flagLayer(flags: Flags, base: PathBase): Layer {
  const values = new Map<string, { value: unknown; source: string }>()
  const problems: string[] = []
  for (const [key, given] of Object.entries(flags)) {
    const setting = SETTING_BY_KEY.get(key)
    if (given === undefined || setting === undefined) continue
    const source = setting.flag ?? key
    const value = typeof given === 'string' ? setting.type.fromText(given) : setting.type.fromJson(given)
    if (value === undefined) problems.push(`${source} is ${quote(given)}; expected ${setting.type.expected}.`)
    else values.set(key, { value: absolute(key, value, base), source })
  }
  return { values, problems }
}

function refusalOf({ repository }: AnySetting, value: unknown): string | undefined {
  if (repository === undefined) return undefined
  const refused = repository.refuses === 'all' || (value !== undefined && repository.refuses.includes(value as object))
  if (!refused) return undefined
  const elsewhere = 'Set it in your own file, in the environment or by a flag'
  return `${repository.because}. ${elsewhere}`
}

/** Keys directly below a group, without the group's name. */
function membersOf(group: string): string[] {
  return [...SETTING_BY_KEY.keys()]
    .filter((key) => key.startsWith(`${group}.`))
    .map((key) => key.slice(group.length + 1))
}

function unknownKey(key: string, source: string): string {
  const dot = key.lastIndexOf('.')
  const group = key.slice(0, dot)
  const known =
    dot < 0 ? [...new Set([...SETTING_BY_KEY.keys()].map((name) => name.split('.')[0] ?? ''))] : membersOf(group)
  const near = nearest(key.slice(dot + 1), known)
  const where = dot < 0 ? 'Known settings' : `Known in "${group}"`
  return `${source}: unknown setting "${key}".${suggestion(near)} ${where}: ${known.join(', ')}.`
}

function suggestion(near: string | undefined): string {
  return near === undefined ? '' : ` Did you mean "${near}"?`
}

function quote(value: Json): string {
  const text = JSON.stringify(value)
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}

/** Paths are absolute from here on: what they are relative to is known only where they were written. */
function absolute(key: string, value: unknown, { folder, home }: PathBase): unknown {
  if (key !== 'logDir' || typeof value !== 'string') return value
  return home !== undefined && /^~(?=[/\\]|$)/.test(value)
    ? path.join(home, value.slice(1))
    : path.resolve(folder, value)
}
