import { parseAllDocuments } from 'yaml'
import type { Fault } from './scan.ts'

/** Rules about meaning, or about tags that another tool knows. */
const LENIENT: ReadonlySet<string> = new Set([
  'BAD_DIRECTIVE',
  'DUPLICATE_KEY',
  'RESOURCE_EXHAUSTION',
  'TAB_AS_INDENT',
  'TAG_RESOLVE_FAILED',
])

/** What keeps `text` from being one or more YAML documents. */
export function yamlFault(text: string): Fault | undefined {
  const documents = parseAllDocuments(text, {
    strict: false,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'silent',
    stringKeys: false,
  })
  if (!Array.isArray(documents)) return undefined
  const error = documents.flatMap(({ errors }) => errors).find(({ code }) => !LENIENT.has(code))
  return error === undefined ? undefined : { offset: error.pos[0], message: error.message.split('\n')[0] ?? '' }
}
