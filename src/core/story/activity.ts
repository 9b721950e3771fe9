import type { CheckPhase } from '../event.ts'
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
    const left = Math.ceil((waiting.until - now) / 1000)
    if (left <= 0) return `try ${waiting.retry} of ${waiting.limit}, after: ${describeFailure(waiting.failure)}`
    return `again in ${left} s (${waiting.retry}/${waiting.limit}): ${describeFailure(waiting.failure)}`
  }
  if (!answering) return ''
  const words = { plan: 'planning', edit: 'editing', repair: 'correcting a call' }[answering.role]
  return `${words} ${duration(now - answering.since)}`
}

function callParts({ calls }: RunProgress): readonly string[] {
  return calls.filter((call) => call.state === 'running').map((call) => oneLine(`${call.tool} ${call.target}`))
}

const PHASES: readonly CheckPhase[] = ['baseline', 'attempt', 'proof']

function checkParts({ checks }: RunProgress, now: number): readonly string[] {
  return PHASES.flatMap((phase) => {
    const running = checks.filter((check) => check.phase === phase)
    const [first] = running
    if (first === undefined) return []
    const kinds = [...new Set(running.map(({ check }) => check.kind))].join(', ')
    const words = {
      baseline: `baseline (${kinds})`,
      attempt: checkWords(first.check.kind),
      proof: `final proof (${kinds})`,
    }
    return [`${words[phase]} ${duration(now - Math.min(...running.map((check) => check.startedAt)))}`]
  })
}

/** `attempt 2 of 3`: the last one's place among those of its plan step; empty before the first. */
export function attemptText(state: RunProgress): string {
  const last = state.attempts.at(-1)
  if (last === undefined) return ''
  return `attempt ${last.ordinal}${last.ordinal <= last.limit ? ` of ${last.limit}` : ''}`
}

/** Time, requests and tokens so far: `41 s · 5 requests · 12.3k tokens (8.0k cached) · 1 failed call`. */
export function counters(state: RunProgress, now: number): string {
  const { input, cacheRead, cacheWrite, output } = state.usage
  const cached = cacheRead > 0 ? ` (${compactNumber(cacheRead)} cached)` : ''
  return [
    ...(state.startedAt === undefined ? [] : [duration(now - state.startedAt)]),
    count(state.requests, 'request'),
    `${compactNumber(input + cacheRead + cacheWrite + output)} tokens${cached}`,
    ...(state.failedCalls > 0 ? [count(state.failedCalls, 'failed call')] : []),
  ].join(' · ')
}
