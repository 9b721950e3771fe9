import type { JsonObject } from '../core/json.ts'
import { startSimulator } from './simulator.ts'
import type { Turn } from './turn.ts'

/** What the server answers to one request: its status, and the data of its events or its error. */
export async function answerTo(path: string, body: JsonObject, turn: Turn = { answer: [] }) {
  const simulator = await startSimulator({ name: 'play', task: 't', turns: [turn] })
  try {
    const response = await fetch(`${simulator.url}${path}`, { method: 'POST', body: JSON.stringify(body) })
    const text = await response.text()
    const data = text.split('\n').flatMap((line) => (line.startsWith('data: ') ? [line.slice('data: '.length)] : []))
    return {
      status: response.status,
      events: data.map((one): unknown => (one.startsWith('{') ? JSON.parse(one) : one)),
      error: response.ok ? undefined : (JSON.parse(text).error as JsonObject),
      rejected: simulator.requests[0]?.rejected,
    }
  } finally {
    await simulator.close()
  }
}

export const completions = (more: JsonObject = {}) => ({
  model: 'm',
  messages: [{ role: 'user', content: 'go' }],
  ...more,
})

export const open = { type: 'object', properties: { path: { type: 'string' } } }
export const closed = { ...open, required: ['path'], additionalProperties: false }
