import { lstat, readFile } from 'node:fs/promises'
import path from 'node:path'
import vm from 'node:vm'
import { readText } from './file-text.ts'

const MOST_FILE_BYTES = 1024 * 1024
const MINIFIED_LINE = 5000
const FILES_AT_ONCE = 64
/** All regular expression work of one search; a pattern that backtracks without end is cut off here. */
const MATCHING_MS = 2000
/** Matches counted; what is shown of them is fewer. */
const MOST_MATCHES = 500

export interface Pattern {
  readonly expression: RegExp
  /** It is no regular expression, so it is searched as plain text. */
  readonly literal: boolean
}

export interface FileMatches {
  readonly file: string
  readonly lines: readonly string[]
  /** 0-based. */
  readonly matches: readonly number[]
}

export interface Found {
  readonly files: readonly FileMatches[]
  readonly matches: number
  readonly passedOver: number
  readonly ended: 'all' | 'enough' | 'deadline'
}

/** A JavaScript regular expression, `(?i)` in front for any letter case; the text itself where it does not compile. */
export function compilePattern(written: string): Pattern {
  const anyCase = written.startsWith('(?i)')
  const source = anyCase ? written.slice('(?i)'.length) : written
  const flags = anyCase ? 'i' : ''
  try {
    return { expression: new RegExp(source, flags), literal: false }
  } catch {
    return { expression: new RegExp(source.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'), flags), literal: true }
  }
}

/**
 * Lines of `files` (below `root`) that match, files in the order given. Links and binary, minified, unreadable and big files
 * are passed over. Ends early when there are enough matches, or when matching has taken too long.
 */
export async function searchFiles(
  root: string,
  files: readonly string[],
  { expression }: Pattern,
  signal: AbortSignal,
): Promise<Found> {
  const found: FileMatches[] = []
  let matches = 0
  let passedOver = 0
  let left = MATCHING_MS
  for (let start = 0; start < files.length && !signal.aborted; start += FILES_AT_ONCE) {
    const batch = await Promise.all(files.slice(start, start + FILES_AT_ONCE).map((file) => readLines(root, file)))
    passedOver += batch.filter((candidate) => candidate === undefined).length
    const startedAt = performance.now()
    const complete = withDeadline(Math.ceil(left), () => {
      for (const candidate of batch) {
        if (candidate === undefined) continue
        const hits = matchingLines(candidate.lines, expression)
        if (hits.length > 0) found.push({ ...candidate, matches: hits })
        matches += hits.length
      }
    })
    left -= performance.now() - startedAt
    if (!complete || left <= 0) return { files: found, matches, passedOver, ended: 'deadline' }
    if (matches >= MOST_MATCHES) return { files: found, matches, passedOver, ended: 'enough' }
  }
  return { files: found, matches, passedOver, ended: 'all' }
}

function matchingLines(lines: readonly string[], expression: RegExp): number[] {
  const hits: number[] = []
  for (const [number, line] of lines.entries()) if (expression.test(line)) hits.push(number)
  return hits
}

async function readLines(root: string, file: string): Promise<{ file: string; lines: readonly string[] } | undefined> {
  try {
    const absolute = path.join(root, file)
    const status = await lstat(absolute)
    if (!status.isFile() || status.size > MOST_FILE_BYTES) return undefined
    const text = readText(await readFile(absolute))
    if (!text.ok || text.lines.some((line) => line.length > MINIFIED_LINE)) return undefined
    return { file, lines: text.lines }
  } catch {
    return undefined
  }
}

const script = new vm.Script('work()')

/** False when `work` was cut off. Nothing else in Node can interrupt a regular expression that backtracks without end. */
function withDeadline(ms: number, work: () => void): boolean {
  try {
    script.runInNewContext({ work }, { timeout: Math.max(1, ms) })
    return true
  } catch (error) {
    // Made in the other context, it is no `Error` of this one.
    const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
    if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false
    throw error
  }
}
