import type { Usage } from '../../src/core/message.ts'
import { ARMS, type Arm, type Played } from './guards-session.ts'

/** One arm at one probability of repeating a mistake, over all sessions. */
export interface Row {
  readonly arm: Arm
  readonly repeats: number
  readonly sessions: number
  readonly finished: number
  readonly finishedShare: number
  /** Wanted calls that were got wrong. */
  readonly mistaken: number
  readonly failedCalls: number
  readonly repeatedCalls: number
  /** Those that failed and were recovered, and those that were mended without failing. */
  readonly recovered: number
  readonly mended: number
  /** Of finished sessions, as the two below: what an unfinished one would have taken is not known. Undefined when none finished. */
  readonly requestsPerCall?: number
  /** All tokens: sent, read from the cache, received. */
  readonly tokensPerCall?: number
  /** Those sent and received, without what is read from the cache. */
  readonly newTokensPerCall?: number
  /** Sent and received beyond the same session without mistakes, for each recovered call; what is read from the cache apart. */
  readonly extraTokensPerRecovery?: number
  readonly extraCacheReadsPerRecovery?: number
  /** Tokens that had been in the cache and were not read from it. */
  readonly cacheLost: number
  /** Why sessions did not finish, with how many there were. */
  readonly failures: Readonly<Record<string, number>>
}

export interface Target {
  readonly name: string
  readonly limit: number
  readonly worst: number
  readonly met: boolean
}

/** `clean` are the same sessions without mistakes, in the same order as `played`; `calls` are those that a session needs. */
export function rowOf(
  { arm, repeats }: { readonly arm: Arm; readonly repeats: number },
  played: readonly Played[],
  clean: readonly Played[],
  calls: number,
): Row {
  const pairs = played.flatMap((one, index) => {
    const other = clean[index]
    return one.finished && other !== undefined ? [{ one, other }] : []
  })
  const recovered = sum(pairs.map(({ one }) => one.recovered))
  const extra = (count: (usage: Usage) => number) =>
    sum(pairs.map(({ one, other }) => count(one.usage) - count(other.usage)))
  const each = (total: number, of: number) => (of === 0 ? undefined : total / of)
  return {
    arm,
    repeats,
    sessions: played.length,
    finished: pairs.length,
    finishedShare: pairs.length / Math.max(1, played.length),
    mistaken: sum(played.map((one) => one.mistaken)),
    failedCalls: sum(played.map((one) => one.failedCalls)),
    repeatedCalls: sum(played.map((one) => one.repeatedCalls)),
    recovered: sum(played.map((one) => one.recovered)),
    mended: sum(played.map((one) => one.mended)),
    requestsPerCall: each(sum(pairs.map(({ one }) => one.requests)), pairs.length * calls),
    tokensPerCall: each(sum(pairs.map(({ one }) => allOf(one.usage))), pairs.length * calls),
    newTokensPerCall: each(sum(pairs.map(({ one }) => newOf(one.usage))), pairs.length * calls),
    extraTokensPerRecovery: each(extra(newOf), recovered),
    extraCacheReadsPerRecovery: each(
      extra((usage) => usage.cacheRead),
      recovered,
    ),
    cacheLost: sum(played.map((one) => one.cacheLost)),
    failures: counted(played.flatMap(({ failure }) => (failure === undefined ? [] : [failure]))),
  }
}

const newOf = ({ input, cacheWrite, output }: Usage): number => input + cacheWrite + output
const allOf = (usage: Usage): number => newOf(usage) + usage.cacheRead
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

function counted(items: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return Object.fromEntries(counts)
}

/** What guards have to hold, each over all rows of that arm. */
export function targetsOf(rows: readonly Row[]): readonly Target[] {
  const guards = rows.filter(({ arm }) => arm === 'guards')
  const most = (name: string, limit: number, value: (row: Row) => number): Target => {
    const worst = Math.max(0, ...guards.map(value))
    return { name, limit, worst, met: guards.length > 0 && worst <= limit }
  }
  return [
    most('sessions that did not finish', 0, (row) => row.sessions - row.finished),
    most('failing calls made again', 0, (row) => row.repeatedCalls),
    most('requests a call', 1.1, (row) => row.requestsPerCall ?? Number.POSITIVE_INFINITY),
    most('extra tokens a recovered call', 500, (row) => row.extraTokensPerRecovery ?? 0),
    most('cached tokens lost', 0, (row) => row.cacheLost),
  ]
}

const TITLES: Readonly<Record<Arm, string>> = {
  'error-text': 'error text only',
  candidates: 'text with candidates',
  guards: 'guards',
}

export const titleOf = (arm: Arm): string => TITLES[arm]

/** The rows as a table: two lines of headings, then an arm after the other. */
export function tableOf(rows: readonly Row[]): string[][] {
  const number = (value: number | undefined, places: number) => (value === undefined ? '-' : value.toFixed(places))
  const lines = ARMS.flatMap((arm) => rows.filter((row) => row.arm === arm)).map((row) => [
    titleOf(row.arm),
    String(row.repeats),
    `${(row.finishedShare * 100).toFixed(0)} %`,
    String(row.mistaken),
    String(row.mended),
    String(row.recovered),
    String(row.failedCalls),
    String(row.repeatedCalls),
    number(row.requestsPerCall, 3),
    number(row.tokensPerCall, 0),
    number(row.newTokensPerCall, 0),
    number(row.extraTokensPerRecovery, 0),
    number(row.extraCacheReadsPerRecovery, 0),
    String(row.cacheLost),
  ])
  return [...HEADINGS, ...lines]
}

const HEADINGS = [
  ['', '', 'sessions', 'calls', '', '', 'failed', 'made', 'requests', 'tokens', 'without', 'extra,', 'cache', 'cached'],
  [
    '',
    'r',
    'finished',
    'wrong',
    'mended',
    'recovered',
    'calls',
    'again',
    'a call',
    'a call',
    'cache',
    'recovery',
    'reads',
    'lost',
  ],
]
