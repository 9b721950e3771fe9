// What 100 streamed deltas cost of our own: the difference between runs with a long and with a short answer, by wire format.
// Options: --runs <n>, --json. Needs a build.
import { createServer } from 'node:http'
import { setImmediate as breathe } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { BIN, makeRepository, measure, printTable, summary } from './measure.js'

const SHORT = 100
const LONG = 20_100

const { values: options } = parseArgs({
  options: { runs: { type: 'string', default: '5' }, json: { type: 'boolean' } },
})
const { root: cwd, env, remove } = makeRepository(10)

const usage = { input_tokens: 10, output_tokens: 10, total_tokens: 20 }
const part = { item_id: 'm', output_index: 0, content_index: 0 }

/** @type {Record<string, { args: readonly string[], before: object[], delta: object, after: (text: string) => (object | string)[] }>} */
const WIRES = {
  anthropic: {
    args: ['-m', 'anthropic/claude-opus-5-5'],
    before: [
      {
        type: 'message_start',
        message: { id: 'm', type: 'message', role: 'assistant', model: 'b', content: [], usage },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ],
    delta: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'some words of it ' } },
    after: () => [
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage },
      { type: 'message_stop' },
    ],
  },
  openai: {
    args: ['-m', 'openai/gpt-6'],
    before: [
      { type: 'response.created', response: { id: 'r', status: 'in_progress', output: [] } },
      {
        type: 'response.output_item.added',
        output_index: 0,
        item: { type: 'message', id: 'm', role: 'assistant', content: [] },
      },
    ],
    delta: { type: 'response.output_text.delta', ...part, delta: 'some words of it ' },
    after: (text) => {
      const item = {
        type: 'message',
        id: 'm',
        role: 'assistant',
        content: [{ type: 'output_text', text, annotations: [] }],
      }
      return [
        { type: 'response.output_item.done', output_index: 0, item },
        { type: 'response.completed', response: { id: 'r', status: 'completed', output: [item], usage, model: 'b' } },
      ]
    },
  },
  compatible: {
    args: ['-m', 'vllm/qwen'],
    before: [],
    delta: { choices: [{ index: 0, delta: { content: 'some words of it ' }, finish_reason: null }] },
    after: () => [{ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }, '[DONE]'],
  },
}

/** @type {Record<string, { cpuMs: { minimum: number, median: number } }>} */
const results = {}
try {
  for (const [name, wire] of Object.entries(WIRES)) {
    const cpuMs = []
    for (let run = 0; run < Number(options.runs); run++) {
      const short = await measureAnswer(wire, SHORT)
      const long = await measureAnswer(wire, LONG)
      cpuMs.push(((long - short) / (LONG - SHORT)) * 100)
    }
    results[name] = { cpuMs: summary(cpuMs) }
  }
} finally {
  remove()
}
if (options.json) {
  process.stdout.write(
    `${JSON.stringify({ runs: Number(options.runs), node: process.version, ...results }, null, 2)}\n`,
  )
} else {
  const rows = Object.entries(results).map(([name, { cpuMs }]) => [
    name,
    `${cpuMs.minimum.toFixed(2)} ms`,
    `${cpuMs.median.toFixed(2)} ms`,
  ])
  printTable([['processor time of 100 deltas', 'min', 'median'], ...rows])
}

/**
 * Processor time of a run whose model says so many pieces of text, twice, and does nothing.
 * @param {(typeof WIRES)[string]} wire @param {number} deltas
 */
async function measureAnswer({ args, before, delta, after }, deltas) {
  const line = (/** @type {object | string} */ event) =>
    typeof event === 'string'
      ? `data: ${event}\n\n`
      : `${'type' in event ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`
  const server = createServer((request, response) => {
    request.resume().on('end', async () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const event of before) response.write(line(event))
      for (let sent = 0; sent < deltas; sent++) {
        response.write(line(delta))
        if (sent % 20 === 0) await breathe()
      }
      response.end(after('some words of it '.repeat(deltas)).map(line).join(''))
    })
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  const url = `http://127.0.0.1:${address.port}`
  try {
    const base = args.includes('anthropic/claude-opus-5-5') ? [] : ['--base-url', `${url}/v1`]
    const result = await measure([BIN, 'fix', 'Do nothing.', '--print', ...args, ...base], {
      cwd,
      env: { ...env, ANTHROPIC_BASE_URL: url, OPENAI_API_KEY: 'bench-key', CI: 'true' },
    })
    if (result.exitCode !== 3) throw new Error(`the run ended with exit code ${result.exitCode}`)
    // It is asked once more when it has done nothing.
    return result.cpuMs / 2
  } finally {
    server.close()
    server.closeAllConnections()
  }
}
