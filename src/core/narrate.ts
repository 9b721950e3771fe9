import type { Decision } from './decision.ts'
import type { RunEventOf, Rung, StampedEvent } from './event.ts'
import type { ModelAnswer } from './message.ts'
import { progress, type RunProgress } from './progress.ts'
import { attemptText } from './story/activity.ts'
import { baselineLines, checkLine, factsLines, verdictLines } from './story/checks.ts'
import { diffLines } from './story/diff.ts'
import { describeFailure } from './story/failure.ts'
import { capped, cutLine, line, type StoryLine } from './story/line.ts'
import { howMatched } from './story/matched.ts'
import { resultLines } from './story/result.ts'
import { guardLines } from './story/schema.ts'
import { cleanLines, compactNumber, count, duration, oneLine, shortList } from './story/text.ts'

const MOST_TASK_LINES = 8
const MOST_REMARK_LINES = 3
const MOST_EDIT_LINES = 16

/**
 * What one event adds to the story of a run, as finished lines; `state` is the progress before it. Nothing for what only
 * moves the live part of a screen (streamed text, a check that begins). Pure.
 */
export function narrate(event: StampedEvent, state: RunProgress): readonly StoryLine[] {
  switch (event.type) {
    case 'run.started':
      return [
        line('title', 0, oneLine(`goatfied ${event.version} · ${event.model}`)),
        ...capped(
          cleanLines(event.task.text).map((text) => line('plain', 0, text)),
          MOST_TASK_LINES,
          'lines',
        ),
        line('dim', 0, oneLine(`in ${event.root}`)),
      ]
    case 'facts.gathered':
      return factsLines(event.facts)
    case 'notice':
      return [line('warn', 0, oneLine(event.text))]
    case 'baseline.taken':
      return baselineLines(event.baseline, event.ms)
    case 'check.ended':
      return event.phase === 'baseline' ? [] : [checkLine(event.result, event.phase)]
    case 'model.waiting': {
      const when = `again in ${duration(event.delayMs)} (${event.retry}/${event.limit})`
      return [line('warn', 1, `${describeFailure(event.failure)}; ${when}`)]
    }
    case 'model.answered':
      return remarkLines(event.answer)
    case 'context.shrunk': {
      const size = `${compactNumber(event.before)} -> ${compactNumber(event.after)} tokens`
      return [
        line(
          'dim',
          1,
          `context ${event.reason === 'overflow' ? 'too long' : 'nearly full'}: ${count(event.results, 'old result')} shortened, ${size}`,
        ),
      ]
    }
    case 'model.failed':
      return [line('bad', 1, `✗ request ${event.request}: ${describeFailure(event.failure)}`)]
    case 'plan.accepted':
      return planLines(event)
    case 'step.started':
      return state.steps.length > 1
        ? [line('title', 0, oneLine(`step ${event.index + 1} of ${state.steps.length}: ${event.step.goal}`))]
        : []
    case 'step.passed':
      return [line('good', 1, oneLine(`✓ step ${event.index + 1} passed: ${event.summary}`))]
    case 'attempt.started':
      return attemptLines(event, state)
    case 'attempt.ended':
      return attemptEnd(event)
    case 'call.ended':
      return callLines(event, state)
    case 'call.failed': {
      const target = state.calls.find((call) => call.id === event.callId)?.target ?? ''
      const skipped = event.failure.kind === 'call.skipped'
      return [
        line(skipped ? 'dim' : 'bad', 1, oneLine(`✗ ${event.tool} ${target}`)),
        line(skipped ? 'dim' : 'bad', 2, describeFailure(event.failure)),
      ]
    }
    case 'call.repaired':
      return event.repairs.map(({ from, to, reason }) =>
        line('accent', 1, oneLine(`mended ${event.tool} without the model: ${from} -> ${to} (${reason})`)),
      )
    case 'guard.fired':
      return guardLines(event)
    case 'recovery.ended':
      return event.recovered
        ? [line('good', 2, oneLine(`✓ recovered by ${RUNG[event.rung]}: ${event.note}`))]
        : [line('warn', 2, oneLine(`not recovered by ${RUNG[event.rung]}: ${event.note}`))]
    case 'approval.answered': {
      const action = state.asking?.callId === event.callId ? oneLine(state.asking.action) : 'the call'
      const who = event.by === 'person' ? 'you' : 'the settings'
      return [line(event.allowed ? 'plain' : 'warn', 1, `${event.allowed ? 'allowed' : 'denied'} by ${who}: ${action}`)]
    }
    case 'verdict':
      return verdictLines(event.verdict, event.phase, event.ms)
    case 'rollback.started':
      return [line('warn', 1, oneLine(`rolling back: ${event.reason}`))]
    case 'rollback.ended':
      return [
        line('plain', 2, `restored ${restoredText(event.report.restored)}`),
        ...event.report.conflicts.map((path) =>
          line(
            'warn',
            2,
            oneLine(path.startsWith('not covered: ') ? path : `left alone, changed by somebody else: ${path}`),
          ),
        ),
        ...(event.report.displaced ?? []).map(({ path, kept }) =>
          line('warn', 2, oneLine(`what a command or somebody else had written to ${path} is kept as ${kept}`)),
        ),
      ]
    case 'decision':
      return [line('accent', 1, oneLine(`${decisionText(event)}: ${event.reason}`))]
    case 'run.ended':
      return resultLines(event.result, state)
    case 'check.started':
    case 'check.progress':
    case 'model.requested':
    case 'model.text':
    case 'call.started':
    case 'recovery.started':
    case 'approval.asked':
      return []
    default:
      // A log of another version may hold events that this one does not know.
      event satisfies never
      return []
  }
}

const RUNG: Readonly<Record<Rung, string>> = {
  repair: 'a repair without the model',
  'scoped-replay': 'a scoped replay',
  overlay: 'being told so in the conversation',
  'end-of-attempt': 'ending the attempt',
}

function remarkLines({ content, stopReason }: ModelAnswer): readonly StoryLine[] {
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')
  const remarks = cleanLines(text).filter((remark) => remark.trim() !== '')
  return [
    ...capped(
      remarks.map((remark) => line('dim', 1, remark)),
      MOST_REMARK_LINES,
      'lines',
    ),
    ...(stopReason === 'length' ? [line('warn', 1, 'the answer was cut off by the token limit')] : []),
    ...(stopReason === 'refusal' ? [line('warn', 1, 'the model refused to go on')] : []),
  ]
}

function planLines({ plan, revision }: RunEventOf<'plan.accepted'>): readonly StoryLine[] {
  if (plan.origin === 'implied') return [line('dim', 0, 'no plan of its own: the task is the only step')]
  return [
    line('title', 0, oneLine(`${revision > 1 ? `plan ${revision}` : 'plan'}: ${plan.summary}`)),
    ...plan.steps.flatMap(({ goal, files, newFiles }, index) => {
      const scope = [...files, ...newFiles.map((path) => `${path} (new)`)]
      return [
        line('plain', 1, oneLine(`${index + 1}. ${goal}`)),
        ...(scope.length > 0 ? [cutLine('dim', 2, shortList(scope, 6))] : []),
      ]
    }),
  ]
}

function attemptLines(event: StampedEvent & RunEventOf<'attempt.started'>, state: RunProgress): readonly StoryLine[] {
  const guards = [...new Set(event.constraints.trace.map((entry) => entry.guard))]
  const under = event.constraints.constraints.length
  return [
    line(
      'title',
      0,
      attemptText(progress(state, event)) + (event.parent === undefined ? '' : `, after attempt ${event.parent}`),
    ),
    ...(under > 0 ? [line('dim', 1, `under ${count(under, 'constraint')} (${shortList(guards, 4)})`)] : []),
    ...(event.snapshot.limitation === undefined ? [] : [line('dim', 1, oneLine(event.snapshot.limitation))]),
  ]
}

function attemptEnd({ attempt, outcome, changed }: RunEventOf<'attempt.ended'>): readonly StoryLine[] {
  if (outcome === 'passed') return []
  const files = changed.length > 0 ? ` (${shortList(changed, 4)})` : ''
  return [line('bad', 1, `✗ attempt ${attempt} ${outcome}${files}`)]
}

/** Control calls are told by what they bring about: a plan, a step that ends. */
const UNTOLD: ReadonlySet<string> = new Set(['submitPlan', 'finishStep'])

function callLines(event: RunEventOf<'call.ended'>, state: RunProgress): readonly StoryLine[] {
  if (event.edits.length > 0) {
    return event.edits.flatMap((edit) => {
      const { path, action, diff, added, removed } = edit
      const how = howMatched(edit) === '' ? '' : `, ${howMatched(edit)}`
      const done = action === 'already-applied' ? '  (was there already)' : `  +${added} -${removed}`
      return [
        cutLine('plain', 1, oneLine(`${event.tool} ${path}`) + done + how),
        ...diffLines(diff, 2, MOST_EDIT_LINES),
      ]
    })
  }
  if (UNTOLD.has(event.tool)) return []
  const target = state.calls.find((call) => call.id === event.callId)?.target ?? ''
  if (event.tool !== 'runCommand') return [cutLine('dim', 1, oneLine(`${event.tool} ${target}`))]
  const files = event.changed.length > 0 ? [line('dim', 2, `changed ${shortList(event.changed, 4)}`)] : []
  const first = cleanLines(event.text)[0] ?? ''
  return [
    cutLine('plain', 1, `${oneLine(`runCommand ${target}`)}  ${duration(event.ms)}`),
    ...(first === '' ? [] : [cutLine('dim', 2, first)]),
    ...files,
  ]
}

function restoredText(paths: readonly string[]): string {
  return paths.length === 0 ? 'nothing: no file had changed' : shortList(paths, 6)
}

function decisionText({ decision, level, count: which, limit }: RunEventOf<'decision'>): string {
  // The model is asked whether its plan holds, which it may well do.
  if (level === 'call' && decision.kind === 'replan') return `plan questioned ${which}/${Math.max(which, limit)}`
  const words: Readonly<Record<Decision['kind'], string>> = {
    repeat: 'again',
    retry: 'retry',
    replan: 'new plan',
    escalate: 'stronger model',
    ask: 'asking you',
    'give-up': 'giving up',
    stop: 'stopping',
  }
  const counted = decision.kind === 'repeat' || decision.kind === 'retry' || decision.kind === 'replan'
  return counted && limit > 0 ? `${words[decision.kind]} ${which}/${limit}` : words[decision.kind]
}
