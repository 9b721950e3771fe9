import type { RunEvent } from '../core/event.ts'
import { failed, type Outcome, success } from '../core/failure.ts'
import type { ModelAnswer } from '../core/message.ts'
import type { RunContext } from './context.ts'
import type { Conversation } from './conversation.ts'

/** One model step: sends the conversation as it is, yields what happens meanwhile, and adds the answer to it. */
export async function* ask(
  ctx: RunContext,
  conversation: Conversation,
): AsyncGenerator<RunEvent, Outcome<ModelAnswer>> {
  if (ctx.tally.requests >= ctx.settings.maxTurns) {
    return failed({ kind: 'budget.turns', limit: ctx.settings.maxTurns })
  }
  const request = ctx.tally.requests + 1
  const { first, messages } = conversation.takeUnannounced()
  const { system, tools, role } = conversation
  yield {
    type: 'model.requested',
    request,
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
    if (event.type === 'text') yield { type: 'model.text', request, text: event.text }
    else yield { ...event, type: 'model.waiting', request }
    step = await answering.next()
  }
  const ms = ctx.ports.clock.now() - startedAt
  if (!step.value.ok) {
    yield { type: 'model.failed', request, failure: step.value.failure, ms }
    return step.value
  }
  const answer = step.value.value
  yield { type: 'model.answered', request, answer, ms }
  if (answer.content.length > 0) conversation.add({ role: 'assistant', content: answer.content })
  return success(answer)
}
