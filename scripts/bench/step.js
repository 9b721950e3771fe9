// What one model step costs of our own: the difference between runs of many and of few steps against a server that answers
// at once. Options: --runs <n>, --json. Needs a build.
import { parseArgs } from 'node:util'
import { BIN, makeRepository, measure, printTable, summary } from './measure.js'
import { startProvider } from './provider.js'

const FEW = 10
const MANY = 110

const { values: options } = parseArgs({
  options: { runs: { type: 'string', default: '5' }, json: { type: 'boolean' } },
})
const { root: cwd, env, remove } = makeRepository(1_500)

/** @type {{ cpuMs: number[], wallMs: number[] }} */
const perStep = { cpuMs: [], wallMs: [] }
try {
  for (let run = 0; run < Number(options.runs); run++) {
    const few = await measureSteps(FEW)
    const many = await measureSteps(MANY)
    perStep.cpuMs.push((many.cpuMs - few.cpuMs) / (MANY - FEW))
    perStep.wallMs.push((many.wallMs - few.wallMs) / (MANY - FEW))
  }
} finally {
  remove()
}

const cpu = summary(perStep.cpuMs)
const wall = summary(perStep.wallMs)
if (options.json) {
  process.stdout.write(
    `${JSON.stringify({ runs: Number(options.runs), node: process.version, cpuMs: cpu, wallMs: wall }, null, 2)}\n`,
  )
} else {
  printTable([
    ['one model step', 'min', 'median'],
    ['processor time', `${cpu.minimum.toFixed(2)} ms`, `${cpu.median.toFixed(2)} ms`],
    ['wall time', `${wall.minimum.toFixed(2)} ms`, `${wall.median.toFixed(2)} ms`],
  ])
}

/** A run of `steps` steps, each reading another part of a file. @param {number} steps */
async function measureSteps(steps) {
  let asked = 0
  const provider = await startProvider((request) => {
    asked = request + 1
    if (request >= steps) return { text: 'There is nothing to do.' }
    return { tool: 'readFile', input: { path: 'values.js', startLine: request * 10 + 1, endLine: request * 10 + 10 } }
  })
  try {
    const result = await measure([BIN, 'fix', 'Do nothing.', '--print', '--max-turns', String(steps + 10)], {
      cwd,
      env: { ...env, ANTHROPIC_BASE_URL: provider.url, CI: 'true' },
    })
    if (asked < steps) throw new Error(`the run ended after ${asked} of ${steps} steps`)
    return result
  } finally {
    provider.close()
  }
}
