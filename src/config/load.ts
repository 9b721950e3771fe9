import os from 'node:os'
import path from 'node:path'
import { isJsonObject, type JsonObject } from '../core/json.ts'
import { PROVIDERS } from '../core/provider.ts'
import { environmentLayer, type Flags, fileLayer, flagLayer, type Layer } from './layers.ts'
import { readSettingsFile } from './read-file.ts'
import { type AnySetting, isSetting, SETTINGS, type Settings } from './schema.ts'

const REPOSITORY_FILE = '.goatfiedrc.json'

/** By the provider's id. */
export type ApiKeys = { readonly [provider: string]: string | undefined }

export interface LoadedSettings {
  readonly ok: true
  readonly settings: Settings
  /** Kept apart from the settings, which are shown and logged. */
  readonly apiKeys: ApiKeys
  /** What set each setting, by key with dots: `default`, a file, a variable or a flag. */
  readonly sources: Readonly<Record<string, string>>
}

export interface SettingsRequest {
  /** The repository's root: where `.goatfiedrc.json` is looked for. */
  readonly root: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly flags: Flags
  readonly home?: string
  /** What relative paths in flags and environment start from; the process's own folder by default. */
  readonly cwd?: string
}

/**
 * The settings in force, lowest first: defaults, the user's file, the repository's file, environment, flags.
 * `problem` names every fault found, one a line, each with where it is and what is allowed.
 */
export function loadSettings(
  request: SettingsRequest,
): LoadedSettings | { readonly ok: false; readonly problem: string } {
  const { root, env, flags, cwd = process.cwd() } = request
  const home = request.home ?? homeFolder()
  const problems: string[] = []
  const layers: Layer[] = []
  let userFile: JsonObject | undefined

  const userPath = userSettingsPath(env, home)
  if (userPath !== undefined) {
    const reading = readSettingsFile(userPath, userPath)
    if (reading.kind === 'faulty') problems.push(reading.problem)
    if (reading.kind === 'read') {
      userFile = reading.value
      layers.push(fileLayer(reading.value, userPath, 'user', { folder: path.dirname(userPath), home }))
    }
  }
  const reading = readSettingsFile(path.join(root, REPOSITORY_FILE), REPOSITORY_FILE)
  if (reading.kind === 'faulty') problems.push(reading.problem)
  if (reading.kind === 'read')
    layers.push(fileLayer(reading.value, REPOSITORY_FILE, 'repository', { folder: root, home }))
  layers.push(environmentLayer(env, { folder: cwd, home }), flagLayer(flags, { folder: cwd, home }))

  const keys = readKeys(env, userFile, userPath ?? '')
  problems.push(...layers.flatMap((layer) => layer.problems), ...keys.problems)
  if (problems.length > 0) return { ok: false, problem: problems.join('\n') }
  return { ok: true, apiKeys: keys.apiKeys, ...resolve(layers) }
}

/** The user's own settings file; undefined where the machine knows no home folder. */
export function userSettingsPath(
  env: Readonly<Record<string, string | undefined>>,
  home: string | undefined,
): string | undefined {
  const { XDG_CONFIG_HOME: configured } = env
  // The XDG specification has relative paths ignored.
  const base = configured && path.isAbsolute(configured) ? configured : home && path.join(home, '.config')
  return base ? path.join(base, 'goatfied', 'config.json') : undefined
}

function homeFolder(): string | undefined {
  try {
    return os.homedir()
  } catch {
    // A user without an entry in the system's list of users, as in some containers.
    return undefined
  }
}

function resolve(layers: readonly Layer[]): Pick<LoadedSettings, 'settings' | 'sources'> {
  const sources: Record<string, string> = {}
  const decide = (key: string, { fallback }: AnySetting): unknown => {
    const found = layers.findLast((layer) => layer.values.has(key))?.values.get(key)
    sources[key] = found?.source ?? 'default'
    return found === undefined ? fallback : found.value
  }
  const decideGroup = (group: string, entries: object): object =>
    collect(Object.entries(entries).map(([name, entry]) => [name, decide(`${group}.${name}`, entry)]))
  const settings = collect(
    Object.entries(SETTINGS).map(([name, entry]) => [
      name,
      isSetting(entry) ? decide(name, entry) : decideGroup(name, entry),
    ]),
  )
  return { settings: settings as Settings, sources }
}

/** An object of the members that have a value. */
function collect(members: readonly (readonly [string, unknown])[]): object {
  return Object.fromEntries(members.filter(([, value]) => value !== undefined))
}

/** Keys from the environment (`ANTHROPIC_API_KEY`) before those of the user's file (`apiKeys`). Messages never show a key. */
function readKeys(
  env: Readonly<Record<string, string | undefined>>,
  userFile: JsonObject | undefined,
  userPath: string,
): { apiKeys: ApiKeys; problems: string[] } {
  const problems: string[] = []
  const apiKeys: Record<string, string> = {}
  const inFile = userFile?.apiKeys
  const withKeys = PROVIDERS.flatMap(({ id, keyVariable }) =>
    keyVariable === undefined ? [] : [{ id, variable: keyVariable }],
  )
  const known = withKeys.map(({ id }) => id).join(', ')
  if (inFile !== undefined && !isJsonObject(inFile))
    problems.push(`${userPath}: "apiKeys" must be an object with: ${known}.`)
  const fromFile = isJsonObject(inFile) ? inFile : {}
  for (const name of Object.keys(fromFile)) {
    if (withKeys.some(({ id }) => id === name)) continue
    problems.push(`${userPath}: unknown provider "${name}" in "apiKeys". Known: ${known}.`)
  }
  for (const { id, variable } of withKeys) {
    const fromEnvironment = env[variable]?.trim()
    const key = fromEnvironment || fromFile[id]
    if (key === undefined) continue
    // Anything else can't be sent in a header.
    if (typeof key === 'string' && /^[\x21-\x7e]+$/.test(key.trim())) apiKeys[id] = key.trim()
    else {
      const where = fromEnvironment ? variable : `${userPath}: "apiKeys.${id}"`
      problems.push(`${where} is not a key: expected printable characters without blanks.`)
    }
  }
  return { apiKeys, problems }
}
