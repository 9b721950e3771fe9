import type { Env } from './checks/check.ts'
import { word } from './checks/check.ts'
import { nodeTestCheck } from './checks/node-test.ts'
import { scriptCheck } from './checks/script.ts'
import { vitestCheck, vitestWords } from './checks/vitest.ts'
import {
  type FoundCheck,
  namesIn,
  notInstalled,
  type Place,
  runsInMembers,
  typed,
  typedScript,
} from './detect-common.ts'
import { findInstalled } from './installed.ts'
import type { Word } from './script-steps.ts'
import { isPlaceholder, scriptSteps, type ToolStep } from './script-tools.ts'

const NAMED = ['test', 'tests', 'test:unit', 'test:run', 'vitest', 'unit']
const VITEST_CONFIG = /^(?:vitest|vite)\.config\.[cm]?[jt]s$/
/** Steps that only look: not running them before the tests changes nothing for the tests. */
const ONLY_LOOKS =
  /^(?:npx\s+)?(?:eslint|prettier|biome|oxlint|stylelint|standard|xo|knip|depcheck|publint|attw|tsd|cspell|echo|tsc\b.*--noEmit)\b/

/** By vitest or Node's own runner as the script says; by the script's exit code where it is something else. */
export async function findTests(place: Place): Promise<readonly FoundCheck[]> {
  const scripts = place.package.scripts
  const name = NAMED.find((one) => scripts[one] !== undefined && !isPlaceholder(scripts[one]))
  const script = name === undefined ? undefined : scripts[name]
  if (name === undefined || script === undefined) return withoutScript(place)
  if (runsInMembers(place, script)) return []
  const found: FoundCheck[] = []
  const before: string[] = []
  for (const step of scriptSteps(scripts, name) ?? []) {
    if (step.kind === 'tool' && step.tool !== 'tsc' && step.tool !== 'eslint')
      found.push(await known(place, step, [...before]))
    else if (!ONLY_LOOKS.test(step.text)) before.push(step.text)
  }
  return found.length > 0 ? found : [whole(place, name, script)]
}

async function known(place: Place, step: ToolStep, before: readonly string[]): Promise<FoundCheck> {
  return step.tool === 'vitest'
    ? vitest(place, step.words, before, step.env)
    : nodeTest(place, step.tool === 'tsx' ? 'tsx' : 'node', step, before)
}

async function vitest(place: Place, given: readonly Word[], before: readonly string[], env: Env): Promise<FoundCheck> {
  const command = typed(place, 'vitest', 'run', ...vitestWords(given).map((one) => one.raw))
  const installed = await findInstalled('vitest', 'vitest', place.folder)
  if (installed === undefined) return notInstalled(place, 'vitest', command)
  return { tool: 'vitest', command, build: (plan) => vitestCheck(plan, installed, { given, before, env }) }
}

async function nodeTest(
  place: Place,
  launcher: 'node' | 'tsx',
  step: ToolStep,
  before: readonly string[],
): Promise<FoundCheck> {
  const command = [launcher, ...step.words.map((one) => one.raw)].join(' ')
  const installed = launcher === 'node' ? undefined : await findInstalled('tsx', 'tsx', place.folder)
  if (launcher === 'tsx' && installed === undefined) return notInstalled(place, 'tsx', command)
  const settings = {
    launcher: installed === undefined ? [] : [word(installed.entry)],
    given: step.words,
    before,
    env: step.env,
  }
  return { tool: 'node:test', command, build: (plan) => nodeTestCheck(plan, settings) }
}

/** The script's text as it stands now, with its `pre` script: an edit of package.json can't change it. */
function whole(place: Place, name: string, script: string): FoundCheck {
  const before = place.package.scripts[`pre${name}`]
  const command = typedScript(place, name)
  return {
    tool: command,
    command,
    build: (plan) => scriptCheck(plan, script, before === undefined ? [] : [before], { npm_lifecycle_event: name }),
  }
}

async function withoutScript(place: Place): Promise<readonly FoundCheck[]> {
  const names = await namesIn(place.folder)
  const uses = place.package.dependencies.has('vitest') || [...names].some((name) => VITEST_CONFIG.test(name))
  if (!uses || (await findInstalled('vitest', 'vitest', place.folder)) === undefined) return []
  return [await vitest(place, [], [], {})]
}
