// How dear a start is, in processor time (git calls of the start included), as a multiple of bare Node.
// Options: --runs <n>, --json. Needs a build.
import { parseArgs } from 'node:util'
import { BIN, makeRepository, measure, printTable, summary } from './measure.js'
import { startProvider } from './provider.js'

const { values: options } = parseArgs({
  options: { runs: { type: 'string', default: '9' }, json: { type: 'boolean' } },
})

const { root: cwd, env, remove } = makeRepository(10)

/** @type {Record<string, () => Promise<import('./measure.js').Measure>>} */
const CASES = {
  'node -e 0': () => measureToTheEnd(['-e', '0']),
  '--version': () => measureToTheEnd([BIN, '--version']),
  '--help': () => measureToTheEnd([BIN, '--help']),
  'fix, no terminal, to the first request': measureFirstRequest,
  'fix, terminal, to the first frame': measureFirstFrame,
}

/** @type {Map<string, import('./measure.js').Measure[]>} */
const results = new Map(Object.keys(CASES).map((name) => [name, []]))
try {
  // Interleaved, so that whatever else the machine does meets all cases alike.
  for (let run = 0; run < Number(options.runs); run++) {
    for (const [name, run] of Object.entries(CASES)) results.get(name)?.push(await run())
  }
} finally {
  remove()
}
report()

/** @param {readonly string[]} args */
async function measureToTheEnd(args) {
  const result = await measure(args, { cwd, env })
  if (result.exitCode !== 0) throw new Error(`node ${args.join(' ')} ended with exit code ${result.exitCode}`)
  return result
}

async function measureFirstRequest() {
  /** @type {import('./measure.js').Child | undefined} */
  let running
  let asked = false
  const provider = await startProvider(() => {
    if (!asked) running?.stop()
    asked = true
    return undefined
  })
  try {
    const result = await measure([BIN, 'fix', 'Do nothing.', '--print'], {
      cwd,
      env: { ...env, ANTHROPIC_BASE_URL: provider.url, CI: 'true' },
      started: (child) => {
        running = child
      },
    })
    if (!asked) throw new Error('fix ended without a request to the model')
    return result
  } finally {
    provider.close()
  }
}

async function measureFirstFrame() {
  const provider = await startProvider(() => undefined)
  let shown = false
  let output = ''
  try {
    const result = await measure([BIN, 'fix', 'Do nothing.'], {
      cwd,
      env: { ...env, ANTHROPIC_BASE_URL: provider.url },
      terminal: (child) => (data) => {
        output += data
        if (shown || output.replaceAll(/\x1b\[[0-9;?]*[ -/]*[@-~]/g, '').trim() === '') return
        shown = true
        child.stop()
      },
    })
    if (!shown) throw new Error('fix ended without a frame')
    return result
  } finally {
    provider.close()
  }
}

function report() {
  const cpuOf = (/** @type {string} */ name) => summary((results.get(name) ?? []).map(({ cpuMs }) => cpuMs))
  const bare = cpuOf('node -e 0')
  const rows = [...results].map(([name, measures]) => {
    const cpu = cpuOf(name)
    const memory = summary(measures.flatMap(({ rssBytes }) => rssBytes ?? []))
    return {
      name,
      cpuMs: cpu,
      multiple: { minimum: cpu.minimum / bare.minimum, median: cpu.median / bare.median },
      wallMs: summary(measures.map(({ wallMs }) => wallMs)),
      ...(Number.isNaN(memory.median) ? {} : { rssBytes: memory }),
    }
  })
  if (options.json) {
    process.stdout.write(`${JSON.stringify({ runs: Number(options.runs), node: process.version, rows }, null, 2)}\n`)
    return
  }
  printTable([
    ['start', 'cpu min', 'median', 'x bare min', 'x bare median', 'resident'],
    ...rows.map(({ name, cpuMs, multiple, rssBytes }) => [
      name,
      `${cpuMs.minimum.toFixed(0)} ms`,
      `${cpuMs.median.toFixed(0)} ms`,
      multiple.minimum.toFixed(2),
      multiple.median.toFixed(2),
      rssBytes === undefined ? '' : `${(rssBytes.median / 2 ** 20).toFixed(0)} MiB`,
    ]),
  ])
}
