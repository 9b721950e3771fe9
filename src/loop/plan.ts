import type { RunEvent } from '../core/event.ts'
import { failed, type Outcome, success } from '../core/failure.ts'
import type { Plan } from '../core/plan.ts'
import { prompt } from '../core/prompts.ts'
import type { ControlRequest } from '../core/tool.ts'
import { ask } from './ask.ts'
import type { RunContext } from './context.ts'
import type { Conversation } from './conversation.ts'
import { dispatch } from './dispatch.ts'
import { skipRest } from './execute.ts'
import { isOverlay, settleRungs } from './rung.ts'
import { openTurn, replyTo, type Turn, textOf } from './turn.ts'

/** A plan, and the conversation and turn in which it came: the first attempt goes on there, so that nothing is read twice. */
export interface Planned {
  readonly plan: Plan
  readonly conversation: Conversation
  readonly turn: Turn
  /** The call that submitted the plan, still to be answered; absent for an implied plan. */
  readonly submittedBy?: string
}

/** Planning ended without a plan: the model holds that there is nothing to do. */
export interface NothingToDo {
  readonly plan: undefined
  readonly summary: string
}

/** Lets the model read until it submits a plan, or implies one by starting to edit. */
export async function* plan(
  ctx: RunContext,
  conversation: Conversation,
): AsyncGenerator<RunEvent, Outcome<Planned | NothingToDo>> {
  let nudged = false
  // A replan or a new attempt means nothing while there is no plan yet: the model is told and goes on planning, for a while.
  let loops = 0
  for (;;) {
    const asked = yield* ask(ctx, conversation)
    if (!asked.ok) return asked
    const answer = asked.value
    const turn = openTurn(answer)
    if (turn.rest.length === 0) {
      yield* settleRungs(ctx, isOverlay, false, 'the answer had no call')
      if (nudged) return success({ plan: undefined, summary: textOf(answer) })
      nudged = true
      conversation.reply([], [prompt(ctx.prompts, 'nudge-plan')])
      continue
    }
    const end = yield* dispatch(ctx, turn, { conversation, phase: 'plan', goal: ctx.task.text })
    switch (end.kind) {
      case 'done':
        break
      case 'implies-plan':
        return success({ plan: impliedPlan(ctx), conversation, turn })
      case 'control':
        if (end.request.kind === 'plan') {
          return success({ plan: submittedPlan(end.request), conversation, turn, submittedBy: end.call.id })
        }
        if (end.request.kind === 'finish') return success({ plan: undefined, summary: end.request.summary })
        break
      case 'failed': {
        const { failure, follows } = end
        loops += follows === 'end-of-attempt' ? 1 : 0
        if (follows === 'give-up' || follows === 'stop' || loops > ctx.settings.maxReplans) return failed(failure)
        yield* settleRungs(ctx, (rung) => !isOverlay(rung), false, 'there is no attempt to end while planning')
        break
      }
    }
    yield* skipRest(ctx, turn, 'earlier-failure')
    replyTo(conversation, turn)
  }
}

export function submittedPlan(request: Extract<ControlRequest, { kind: 'plan' }>): Plan {
  return { summary: request.summary, steps: request.steps, origin: 'submitted' }
}

function impliedPlan(ctx: RunContext): Plan {
  return { summary: ctx.task.text, steps: [{ goal: ctx.task.text, files: [], newFiles: [] }], origin: 'implied' }
}
