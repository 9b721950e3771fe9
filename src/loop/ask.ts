import { costOf } from '../core/cost.ts'
import type { RunEvent } from '../core/event.ts'
import { type Failure, failed, type Outcome, success } from '../core/failure.ts'
import type { ModelAnswer } from '../core/message.ts'
import { prompt } from '../core/prompts.ts'
import type { RunContext } from './context.ts'
import type { Conversation } from './conversation.ts'

/** From this share of the context on there may be no room left for the answer. */
const NEARLY_FULL = 0.85

/**
 * One model step: sends the conversation as it is, yields what happens meanwhile, and adds the answer to it. Limits are
 * looked at before the request. A conversation that is (or turns out to be) too long has its old results shortened, once.
 */
export async function* ask(
  ctx: RunContext,
  conversation: Conversation,
): AsyncGenerator<RunEvent, Outcome<ModelAnswer>> {
  if (conversation.estimatedTokens > ctx.settings.contextTokens * NEARLY_FULL)
    yield* shrink(ctx, conversation, 'nearly-full')
  const outcome = yield* request(ctx, conversation)
  if (outcome.ok || outcome.failure.kind !== 'provider.context-overflow') return outcome
  const { failure } = outcome
  if (!(yield* shrink(ctx, conversation, 'overflow'))) return outcome
  const { limit } = ctx.policy[failure.kind]
  yield {
    type: 'decision',
    level: 'request',
    failure,
    decision: { kind: 'repeat', delayMs: 0 },
    count: 1,
    limit,
    reason: 'shortened',
  }
  return yield* request(ctx, conversation)
}

async function* shrink(
  ctx: RunContext,
  conversation: Conversation,
  reason: 'nearly-full' | 'overflow',
): AsyncGenerator<RunEvent, boolean> {
  const before = conversation.estimatedTokens
  const results = conversation.shrink(prompt(ctx.prompts, 'shortened'))
  if (results === 0) return false
  yield {
    type: 'context.shrunk',
    conversation: conversation.id,
    reason,
    results,
    before,
    after: conversation.estimatedTokens,
  }
  return true
}

/** The limit that forbids another request. */
function exhausted({ tally, settings }: RunContext): Failure | undefined {
  if (tally.requests >= settings.maxTurns) return { kind: 'budget.turns', limit: settings.maxTurns }
  const { budgetUsd } = settings
  return budgetUsd !== undefined && (tally.costUsd ?? 0) >= budgetUsd
    ? { kind: 'budget.money', limitUsd: budgetUsd }
    : undefined
}

async function* request(ctx: RunContext, conversation: Conversation): AsyncGenerator<RunEvent, Outcome<ModelAnswer>> {
  const limit = exhausted(ctx)
  if (limit !== undefined) return failed(limit)
  const number = ctx.tally.requests + 1
  const { first, messages } = conversation.takeUnannounced()
  const { system, tools, role } = conversation
  yield {
    type: 'model.requested',
    request: number,
    conversation: conversation.id,
    role,
    ...(first ? { system, tools } : {}),
    appended: messages,
    estimatedTokens: conversation.estimatedTokens,
  }
  const startedAt = ctx.ports.clock.now()
  const answering = ctx.ports.models[role].answer(
    { role, system, tools, messages: conversation.messages, maxOutputTokens: ctx.settings.maxOutputTokens },
    ctx.signal,
  )
  let step = await answering.next()
  while (!step.done) {
    const event = step.value
    if (event.type === 'text') yield { type: 'model.text', request: number, text: event.text }
    else yield { ...event, type: 'model.waiting', request: number }
    step = await answering.next()
  }
  const ms = ctx.ports.clock.now() - startedAt
  if (!step.value.ok) {
    yield { type: 'model.failed', request: number, failure: step.value.failure, ms }
    return step.value
  }
  const answer = step.value.value
  const price = ctx.settings.prices[ctx.ports.models[role].id]
  const cost = price === undefined ? {} : { costUsd: costOf(answer.usage, price) }
  yield { type: 'model.answered', request: number, answer, ...cost, ms }
  if (answer.content.length > 0) conversation.add({ role: 'assistant', content: answer.content })
  return success(answer)
}
