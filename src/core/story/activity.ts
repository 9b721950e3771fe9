import type { RunProgress } from '../progress.ts'
import { checkWords } from './checks.ts'
import { describeFailure } from './failure.ts'
import { compactNumber, count, duration, oneLine } from './text.ts'

/** What goes on at `now` (milliseconds since the epoch), in one line: `running tests 3.0 s`, `editFile src/a.ts`. */
export function activity(state: RunProgress, now: number): string {
  if (state.result) return 'done'
  if (state.asking) return 'waiting for your answer'
  if (state.restoring) return 'rolling back'
  const parts = [modelPart(state, now), ...callParts(state), ...checkParts(state, now)].filter((part) => part !== '')
  if (parts.length > 0) return parts.join(' · ')
  return state.startedAt === undefined ? 'starting' : 'working'
}

function modelPart({ waiting, answering }: RunProgress, now: number): string {
  if (waiting) {
    const left = Math.max(0, Math.ceil((waiting.until - now) / 1000))
    return `${describeFailure(waiting.failure)}; again in ${left} s (${waiting.retry}/${waiting.limit})`
  }
  if (!answering) return ''
  const words = { plan: 'planning', edit: 'editing', repair: 'correcting a call' }[answering.role]
  return `${words} ${duration(now - answering.since)}`
}

function callParts({ calls }: RunProgress): readonly string[] {
  return calls.filter((call) => call.state === 'running').map((call) => oneLine(`${call.tool} ${call.target}`))
}

function checkParts({ checks }: RunProgress, now: number): readonly string[] {
  return checks.map(({ phase, check, startedAt }) => {
    const when = { baseline: 'baseline: ', attempt: '', proof: 'proof: ' }[phase]
    return `${when}${checkWords(check.kind)} ${duration(now - startedAt)}`
  })
}

/** `attempt 2 of 3`: the last one's place among those of its plan step; empty before the first. */
export function attemptText(state: RunProgress): string {
  const last = state.attempts.at(-1)
  if (last === undefined) return ''
  return `attempt ${last.ordinal}${last.ordinal <= last.limit ? ` of ${last.limit}` : ''}`
}

/** Requests, tokens and time so far: `5 requests · 12.3k tokens (8.0k cached) · 41 s`. */
export function counters(state: RunProgress, now: number): string {
  const { input, cacheRead, cacheWrite, output } = state.usage
  const all = input + cacheRead + cacheWrite + output
  const cached = cacheRead > 0 ? ` (${compactNumber(cacheRead)} cached)` : ''
  const failures = state.failedCalls > 0 ? ` · ${count(state.failedCalls, 'failed call')}` : ''
  const elapsed = state.startedAt === undefined ? '' : ` · ${duration(now - state.startedAt)}`
  return `${count(state.requests, 'request')} · ${compactNumber(all)} tokens${cached}${failures}${elapsed}`
}
