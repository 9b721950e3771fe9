import type { RunEvent } from '../core/event.ts'
import type { Failure } from '../core/failure.ts'
import type { Plan } from '../core/plan.ts'
import { prompt } from '../core/prompts.ts'
import { ask } from './ask.ts'
import type { RunContext } from './context.ts'
import type { Conversation } from './conversation.ts'
import { dispatch } from './dispatch.ts'
import { skipRest } from './execute.ts'
import { submittedPlan } from './plan.ts'
import { isOverlay, settleRungs } from './rung.ts'
import { changedFiles } from './shown-files.ts'
import { openTurn, replyTo, type Turn, textOf } from './turn.ts'

/** Where an attempt is carried on: its conversation, and the turn whose calls are still to be answered. */
export interface Editing {
  readonly conversation: Conversation
  readonly turn: Turn | undefined
}

export type EditEnd =
  | {
      readonly kind: 'finished'
      readonly summary: string
      readonly finishedBy?: string
      readonly turn: Turn | undefined
    }
  /** The model revised the plan; what it has changed so far stays and the attempt goes on under the new plan. */
  | { readonly kind: 'replanned'; readonly plan: Plan; readonly submittedBy: string; readonly turn: Turn }
  | { readonly kind: 'failed'; readonly failure: Failure; readonly stop: boolean }

/** The conversation of an attempt, until the model finishes the step or a limit ends it. */
export async function* edit(
  ctx: RunContext,
  { conversation, turn: opened }: Editing,
  goal: string,
): AsyncGenerator<RunEvent, EditEnd> {
  let turn = opened
  let nudged = false
  for (;;) {
    if (turn === undefined) {
      const asked = yield* ask(ctx, conversation)
      if (!asked.ok) return { kind: 'failed', failure: asked.failure, stop: true }
      turn = openTurn(asked.value)
      if (turn.rest.length === 0) {
        yield* settleRungs(ctx, isOverlay, false, 'the answer had no call')
        if (ctx.history.changing.length > 0) return { kind: 'finished', summary: textOf(asked.value), turn: undefined }
        const none: Failure = { kind: 'progress.none', reason: textOf(asked.value) || 'the answer was empty' }
        if (nudged) return { kind: 'failed', failure: none, stop: false }
        nudged = true
        conversation.reply([], [prompt(ctx.prompts, 'nudge-edit')])
        turn = undefined
        continue
      }
    }
    const end = yield* dispatch(ctx, turn, { conversation, phase: 'edit', goal })
    if (end.kind === 'control') {
      switch (end.request.kind) {
        case 'finish':
          if (ctx.history.changing.length === 0 && !nudged) {
            nudged = true
            turn.results.push({
              type: 'result',
              callId: end.call.id,
              text: prompt(ctx.prompts, 'nudge-unchanged'),
              failed: false,
            })
            break
          }
          return { kind: 'finished', summary: end.request.summary, finishedBy: end.call.id, turn }
        case 'plan':
          // Every revision begins the attempts anew: without a limit a model that only plans would never come to an end.
          if (ctx.tally.revisions >= ctx.settings.maxReplans) {
            const text = prompt(ctx.prompts, 'plan-settled')
            turn.results.push({ type: 'result', callId: end.call.id, text, failed: true })
            break
          }
          return { kind: 'replanned', plan: submittedPlan(end.request), submittedBy: end.call.id, turn }
        case 'resume': {
          const { attempt } = end.request
          const { changes = [] } = ctx.history.rejected.find(({ number }) => number === attempt) ?? {}
          const content = await ctx.ports.tools.show(changedFiles(changes, 'after'), SHOWN_BYTES)
          const text = prompt(ctx.prompts, 'resumed', { attempt, paths: end.changed.join(', '), content })
          turn.results.push({ type: 'result', callId: end.call.id, text, failed: false })
          break
        }
      }
      if (turn.rest.length > 0) continue
    }
    if (end.kind === 'failed' && end.follows !== 'replan')
      return { kind: 'failed', failure: end.failure, stop: end.follows === 'stop' }
    yield* skipRest(ctx, turn, 'earlier-failure')
    replyTo(conversation, turn)
    turn = undefined
  }
}

/** How much of the files in scope a prompt shows. */
export const SHOWN_BYTES = 24_000

export const attemptName = (attempt: number): string => `attempt-${attempt}`
