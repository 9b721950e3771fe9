import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CheckPlan } from '../../core/verdict.ts'
import { stripTerminalSequences } from '../../lib/text.ts'
import { parseNodeTest } from '../parse/node-test.ts'
import type { Word } from '../script-steps.ts'
import { type Check, type CheckContext, type CheckRun, type Env, withoutOptions, words } from './check.ts'
import { afterLinks, type Link } from './links.ts'
import { NODE_TEST_REPORTER } from './node-test-reporter.ts'
import { finished, unavailable, whyCut } from './result.ts'

const NOT_OURS =
  /^(?:--watch|--watch-path|--watch-preserve-output|--test-reporter|--test-reporter-destination|--experimental-test-coverage|--test-coverage-.+|--test-update-snapshots)(?:=.*)?$/
const WITH_VALUE = /^(?:--watch-path|--test-reporter|--test-reporter-destination|--test-coverage-.+)$/

export interface NodeTestSettings {
  /** Comes before the words: nothing for Node itself, the entry of a loader like tsx. */
  readonly launcher: readonly Word[]
  /** The words after `node`, `--test` among them. */
  readonly given: readonly Word[]
  readonly before: readonly Link[]
  readonly env: Env
}

export function nodeTestCheck(plan: CheckPlan, settings: NodeTestSettings): Check {
  return { plan, run: afterLinks(plan, settings.before, (context) => run(context, plan, settings)) }
}

/** The script's words that choose what is tested: never watching, never writing reports. */
export function nodeTestWords(given: readonly Word[]): Word[] {
  return withoutOptions(given, NOT_OURS, WITH_VALUE)
}

async function run(context: CheckContext, plan: CheckPlan, settings: NodeTestSettings): Promise<CheckRun> {
  const reporter = join(context.scratch, 'reporter.mjs')
  const report = join(context.scratch, 'events.jsonl')
  await writeFile(reporter, NODE_TEST_REPORTER)
  const process = await context.execute({
    kind: 'program',
    file: globalThis.process.execPath,
    words: [
      ...settings.launcher,
      // Node takes what follows the first file as arguments of the tests, so the reporters come first.
      ...words(`--test-reporter=${pathToFileURL(reporter).href}`, `--test-reporter-destination=${report}`),
      ...words('--test-reporter=spec', '--test-reporter-destination=stdout'),
      ...nodeTestWords(settings.given),
    ],
    env: settings.env,
  })
  const cut = whyCut(process, context)
  if (cut !== undefined) return unavailable(plan, 'interrupted', cut, process)
  const place = { root: context.root, cwd: join(context.root, plan.cwd) }
  const tests = parseNodeTest(await readFile(report, 'utf8').catch(() => ''), place)
  if (process.exitCode !== 0 && !tests.some((test) => test.status === 'failed')) {
    return unavailable(plan, 'not-begun', `node --test could not run: ${firstError(process.output)}`, process)
  }
  return finished(plan, process, { tests })
}

function firstError(output: string): string {
  const lines = stripTerminalSequences(output)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return lines.find((line) => /error|could not|cannot|bad option/i.test(line)) ?? lines[0] ?? 'no output'
}
