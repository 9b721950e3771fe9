import type { Json, JsonObject } from '../core/json.ts'

/** The version of the log's format. A reader refuses a newer one. */
export const LOG_VERSION = 1

export const LOG_FILE = 'log.jsonl'
export const BLOB_FOLDER = 'blobs'

/** The first line of a log. */
export interface LogHeader {
  /** Version of the program that wrote it. */
  readonly goatfied: string
  readonly log: number
  /** Who writes it, so that a run that is going on can be told from one that was killed. */
  readonly pid: number
  readonly host: string
}

/** Texts over this many UTF-16 code units stand in a file beside the log. */
const LARGEST_TEXT = 64 * 1024

/** Stands in the log for a text that is in `blobs/<hash>`. */
const BLOB_KEY = '$blob'

/** `value` with every large text replaced by a reference; `keep` stores the text and gives the hash it is found by. */
export function putAside(value: Json, keep: (text: string) => string): Json {
  if (typeof value === 'string') return value.length > LARGEST_TEXT ? { [BLOB_KEY]: keep(value) } : value
  if (Array.isArray(value)) return value.map((item) => putAside(item, keep))
  if (typeof value !== 'object' || value === null) return value
  // Another `$` before a member of ours that has the reference's name, so that it isn't taken for one.
  return mapMembers(value as JsonObject, (name, member) => [
    /^\$+blob$/.test(name) ? `$${name}` : name,
    putAside(member, keep),
  ])
}

/** Undoes `putAside`. */
export function putBack(value: Json, find: (hash: string) => string): Json {
  if (Array.isArray(value)) return value.map((item) => putBack(item, find))
  if (typeof value !== 'object' || value === null) return value
  const object = value as JsonObject
  const hash = object[BLOB_KEY]
  if (typeof hash === 'string') return find(hash)
  return mapMembers(object, (name, member) => [/^\$+blob$/.test(name) ? name.slice(1) : name, putBack(member, find)])
}

function mapMembers(object: JsonObject, change: (name: string, member: Json) => [string, Json]): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, member]) => change(name, member)))
}
