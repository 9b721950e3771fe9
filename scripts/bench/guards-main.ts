import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { devNull, tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { WEIGHTS } from '../../src/simulator/fault-model-mistakes.ts'
import { wantedSession } from '../../src/simulator/fault-model-session.ts'
import { type Row, rowOf, type Target, tableOf, targetsOf } from './guards-figures.ts'
import { ggufTableOf, playGguf } from './guards-gguf.ts'
import { plotOf } from './guards-plot.ts'
import { ARMS, GUESSES, type Played, play, writeTemplate } from './guards-session.ts'
import { printTable } from './measure.js'

const REPEATS = [0, 0.5, 0.9, 1]
/** More than there are cores: half of the time is waited for git and the disk. */
const AT_ONCE = 4
/** `submitPlan` before and `finishStep` behind the wanted calls. */
const CONTROL_CALLS = 2

interface Options {
  readonly sessions: number
  readonly calls: number
  readonly faults: number
  readonly seed: number
}

/** Runs the bench; gives the exit code: 1 when a target is missed, 2 for wrong arguments. */
export async function main(args: readonly string[]): Promise<number> {
  let values: ReturnType<typeof parsed>['values']
  try {
    values = parsed(args).values
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return 2
  }
  const options = {
    sessions: Number(values.sessions),
    calls: Number(values.calls),
    faults: Number(values.faults),
    seed: Number(values.seed),
  }
  const problem = problemOf(options)
  if (problem !== undefined) {
    process.stderr.write(`${problem}\n`)
    return 2
  }
  if (values.gguf !== undefined) return mainGguf(values.gguf, values)
  const began = performance.now()
  const rows = await playAll(options)
  const targets = targetsOf(rows)
  const seconds = (performance.now() - began) / 1000
  if (values.svg !== undefined) writeFileSync(values.svg, plotOf(rows))
  if (values.json) {
    const model = { kind: 'simulated', ...describedModel(options) }
    process.stdout.write(`${JSON.stringify({ ...options, seconds, model, rows, targets }, undefined, 2)}\n`)
  } else print(options, rows, targets, seconds)
  return targets.every(({ met }) => met) ? 0 : 1
}

function parsed(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    options: {
      sessions: { type: 'string', default: '8' },
      calls: { type: 'string', default: '50' },
      faults: { type: 'string', default: '0.1' },
      seed: { type: 'string', default: '1' },
      svg: { type: 'string' },
      json: { type: 'boolean', default: false },
      gguf: { type: 'string' },
      recoveries: { type: 'string', default: '200' },
      packages: { type: 'string', multiple: true, default: [] },
    },
  })
}

/** The arms with a real model; there are no targets, since what a small model can do is not ours. */
async function mainGguf(
  file: string,
  options: { readonly recoveries: string; readonly seed: string; readonly packages: string[]; readonly json: boolean },
): Promise<number> {
  const [count, seed] = [Number(options.recoveries), Number(options.seed)]
  const onProgress = (text: string) => process.stderr.write(`${text}\n`)
  const { packages, json } = options
  const rows = await playGguf({ file, count, seed, packages, onProgress })
  if (json) {
    process.stdout.write(`${JSON.stringify({ model: { kind: 'real', file }, count, seed, rows }, undefined, 2)}\n`)
    return 0
  }
  process.stdout.write(`${count} failed calls asked for again in each arm, by ${path.basename(file)}, seed ${seed}\n`)
  process.stdout.write(
    'Without guards too the schema as it was binds while decoding, so that no type can be wrong.\n\n',
  )
  printTable(ggufTableOf(rows))
  return 0
}

function problemOf({ sessions, calls, faults, seed }: Options): string | undefined {
  if (!Number.isInteger(sessions) || sessions < 1) return '--sessions: a number of at least 1'
  if (!Number.isInteger(calls) || calls < 10 || calls > 2_000) return '--calls: a number from 10 to 2000'
  if (!(faults >= 0 && faults <= 1)) return '--faults: a share from 0 to 1'
  return Number.isInteger(seed) ? undefined : '--seed: a whole number'
}

async function playAll({ sessions, calls, faults, seed }: Options): Promise<Row[]> {
  const base = mkdtempSync(path.join(tmpdir(), 'goatfied-bench-guards-'))
  try {
    putStandInsOnPath(base)
    const made = Array.from({ length: sessions }, (_, index) => {
      const own = seed * 10_000 + index
      const template = path.join(base, `session-${index}`)
      const session = wantedSession(own, calls)
      writeTemplate(session, template)
      return { seed: own, session, template }
    })
    const clean = await inPool(made, (one) => play({ ...one, arm: 'guards', faults: 0, repeats: 0 }))
    const broken = clean.find(({ finished }) => !finished)
    if (broken !== undefined) throw new Error(`a session without mistakes does not finish: ${broken.failure}`)
    const rows: Row[] = []
    for (const arm of ARMS) {
      for (const repeats of REPEATS) {
        const played = await inPool(made, (one) => play({ ...one, arm, faults, repeats }))
        rows.push(rowOf({ arm, repeats }, played, clean, calls + CONTROL_CALLS))
      }
    }
    return rows
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

/** npm takes longer to start than all else takes in a session, and the user's git settings must not count. */
function putStandInsOnPath(base: string): void {
  const bin = path.join(base, 'bin')
  mkdirSync(bin)
  writeFileSync(path.join(bin, 'npm'), '#!/bin/sh\necho "ran $2"\n', { mode: 0o755 })
  process.env.PATH = `${bin}${path.delimiter}${process.env.PATH ?? ''}`
  process.env.GIT_CONFIG_GLOBAL = devNull
  process.env.GIT_CONFIG_NOSYSTEM = '1'
}

/** Results in the order of the items. */
async function inPool<T>(items: readonly T[], work: (item: T) => Promise<Played>): Promise<Played[]> {
  const results: Played[] = []
  const queue = [...items.entries()]
  const worker = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) results[next[0]] = await work(next[1])
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return results
}

function describedModel({ faults }: Pick<Options, 'faults'>) {
  return {
    mistakes: `the share ${faults} of a session's calls, drawn by the seed, is got wrong at first; kinds by weight: ${Object.entries(
      WEIGHTS,
    )
      .map(([kind, weight]) => `${kind} ${weight}`)
      .join(', ')}`,
    repeats:
      'with probability r the same mistake comes again at each further try, unless the schema in force excludes it and is enforced (a strict tool, or the only one): then the right call, or none of the values offered',
    otherwise: `else the text of the failure is read; where it does not name what is right, a guess is right with probability ${GUESSES}`,
    unknownTools:
      'in no schema, so repeated with r until the text of a failure asks for a revised plan, and given up then: the policy asks at the first',
    tokens:
      'a quarter of the bytes; read from the cache as far as a request begins like the former one of its conversation (tools, system prompt, messages)',
    real: 'loop, policy, prompts, tools, editor, snapshots, git repository',
    standIns: 'the checks (pass at once) and npm (prints a line)',
  }
}

function print(options: Options, rows: readonly Row[], targets: readonly Target[], seconds: number): void {
  const { sessions, calls, seed } = options
  const say = (text: string) => process.stdout.write(`${text}\n`)
  say(`${sessions} sessions of ${calls} calls for each arm and r, seed ${seed}, ${seconds.toFixed(0)} s`)
  say('The model is SIMULATED:')
  for (const [name, text] of Object.entries(describedModel(options))) say(`- ${name}: ${text}`)
  say('')
  printTable(tableOf(rows))
  say(
    `\nRequests and tokens are of finished sessions, submitPlan and finishStep counted as calls. Extra are the tokens sent and received beyond the same session without mistakes, for each recovered call; beside it what is read from the cache in addition. An arm that loses its hard sessions looks the better for it in these.`,
  )
  for (const { arm, repeats, failures } of rows)
    for (const [failure, times] of Object.entries(failures))
      say(`not finished: ${arm}, r ${repeats}: ${times}x ${failure}`)
  say('')
  for (const { name, limit, worst, met } of targets)
    say(`${met ? 'met   ' : 'MISSED'} guards, ${name}: at most ${limit}, worst ${Number(worst.toFixed(3))}`)
}
