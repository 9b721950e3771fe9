import type { CheckPlan } from '../core/verdict.ts'
import { type Check, word } from './checks/check.ts'
import { jestCheck, jestWords } from './checks/jest.ts'
import type { Link } from './checks/links.ts'
import { mochaCheck, mochaWords } from './checks/mocha.ts'
import { nodeTestCheck, nodeTestWords } from './checks/node-test.ts'
import type { RunnerSettings } from './checks/runner.ts'
import { scriptCheck } from './checks/script.ts'
import { vitestCheck, vitestWords } from './checks/vitest.ts'
import {
  assignments,
  callsMissing,
  type FoundCheck,
  joined,
  namesIn,
  notInstalled,
  type Place,
  runsInMembers,
  scriptCommand,
  typed,
  typedScript,
  typedStep,
  unquoted,
} from './detect-common.ts'
import { findInstalled } from './installed.ts'
import { namesBuild, programOf, roleOf } from './roles.ts'
import type { Word } from './script-steps.ts'
import { isPlaceholder, type ScriptStep, scriptSteps, type ToolStep } from './script-tools.ts'
import { emitsNothing, projectOf } from './tsconfig.ts'

const NAMED = ['test', 'tests', 'test:unit', 'test:run', 'vitest', 'jest', 'mocha', 'unit']
const VITEST_CONFIG = /^(?:vitest|vite)\.config\.[cm]?[jt]s$/

/** Runners that are asked in the same way: their own command, and the words of the script that they are given. */
interface Runner {
  readonly name: string
  readonly typed: readonly string[]
  words(given: readonly Word[]): readonly Word[]
  check(plan: CheckPlan, settings: RunnerSettings): Check
}

const VITEST: Runner = { name: 'vitest', typed: ['vitest', 'run'], words: vitestWords, check: vitestCheck }
const RUNNERS: readonly Runner[] = [
  VITEST,
  { name: 'jest', typed: ['jest'], words: jestWords, check: jestCheck },
  { name: 'mocha', typed: ['mocha'], words: mochaWords, check: mochaCheck },
]

/** What runs before the tests, and how a person types it. */
interface Before {
  readonly links: readonly Link[]
  readonly typed: readonly string[]
}

/** By a runner that is known, as the script calls it; by exit code where it is something else. What judges otherwise is left out. */
export async function findTests(place: Place): Promise<readonly FoundCheck[]> {
  const scripts = place.package.scripts
  const name = NAMED.find((one) => scripts[one] !== undefined && !isPlaceholder(scripts[one]))
  const script = name === undefined ? undefined : scripts[name]
  if (name === undefined || script === undefined) return withoutScript(place)
  if (runsInMembers(place, script)) return []
  const steps = scriptSteps(scripts, name)
  if (steps === undefined) return [whole(place, name, script)]
  const found: FoundCheck[] = []
  const before: ScriptStep[] = []
  for (const step of steps) {
    if (isRunner(step)) found.push(await known(place, step, toBefore(place, before)))
    else if (await preparesTests(place, step)) before.push(step)
  }
  return found.length > 0 ? found : byExitCode(place, name, script, steps)
}

function isRunner(step: ScriptStep): step is ToolStep {
  return step.kind === 'tool' && /^(?:vitest|jest|mocha|node|tsx)$/.test(step.tool)
}

/** What builds, and programs of the repository's own; a tool of a package that nobody knows rather judges. */
async function preparesTests(place: Place, step: ScriptStep): Promise<boolean> {
  if (step.kind === 'tool' && step.tool === 'tsc' && (await emitsNothing(place.folder, projectOf(step.words))))
    return false
  const role = roleOf(step)
  return role === 'builds' || (role === 'unknown' && !place.programs.has(programOf(step.text)))
}

/** A script that builds is named as such where it runs as a whole and can be typed. */
function toBefore(place: Place, steps: readonly ScriptStep[]): Before {
  const shown: string[] = []
  for (let index = 0; index < steps.length; ) {
    const step = steps[index] as ScriptStep
    const build = step.through.slice(1).find(namesBuild)
    const all = build === undefined ? undefined : wholeScript(place, build)
    const length = all?.length ?? 0
    if (build !== undefined && length > 0 && all?.every((one, at) => isSame(one, steps[index + at]))) {
      shown.push(typedScript(place, build))
      index += length
    } else {
      shown.push(typedStep(place, step))
      index += 1
    }
  }
  return { links: steps.map(({ text, env }) => ({ text, env })), typed: shown }
}

/** The steps of a script, where it needs no package manager that is not there. */
function wholeScript(place: Place, name: string): readonly ScriptStep[] | undefined {
  const { scripts } = place.package
  const steps = scriptSteps(scripts, name) ?? [
    { kind: 'other', text: scripts[name] ?? '', env: {}, words: [], through: [] },
  ]
  return callsMissing(place, [name, ...steps.flatMap((step) => step.through)]) ? undefined : steps
}

function isSame(one: ScriptStep, other: ScriptStep | undefined): boolean {
  return other !== undefined && one.text === other.text && `${assignments(one.env)}` === `${assignments(other.env)}`
}

async function known(place: Place, step: ToolStep, before: Before): Promise<FoundCheck> {
  const runner = RUNNERS.find((one) => one.name === step.tool)
  return runner === undefined
    ? nodeTest(place, step.tool === 'tsx' ? 'tsx' : 'node', step, before)
    : byRunner(place, runner, step, before)
}

async function byRunner(
  place: Place,
  runner: Runner,
  { words: given, launch, env }: Pick<ToolStep, 'words' | 'launch' | 'env'>,
  before: Before,
): Promise<FoundCheck> {
  const { name } = runner
  const raw = (all: readonly Word[]): string[] => all.map((one) => one.raw)
  const own =
    launch.length === 0
      ? typed(place, env, ...runner.typed, ...raw(runner.words(given)))
      : [...assignments(env), 'node', ...raw(launch), `node_modules/.bin/${name}`, ...raw(runner.words(given))].join(
          ' ',
        )
  const command = [...before.typed, own].join(' && ')
  const installed = await findInstalled(name, name, place.folder)
  if (installed === undefined) return notInstalled(place, name, command)
  const settings = { installed, launch, given, before: before.links, env }
  return { tool: name, command, build: (plan) => runner.check(plan, settings) }
}

async function nodeTest(place: Place, launcher: 'node' | 'tsx', step: ToolStep, before: Before): Promise<FoundCheck> {
  const words = unquoted(nodeTestWords(step.words))
  const own =
    launcher === 'tsx'
      ? typed(place, step.env, 'tsx', ...words)
      : [...assignments(step.env), 'node', ...words].join(' ')
  const command = [...before.typed, own].join(' && ')
  const installed = launcher === 'node' ? undefined : await findInstalled('tsx', 'tsx', place.folder)
  if (launcher === 'tsx' && installed === undefined) return notInstalled(place, 'tsx', command)
  const settings = {
    launcher: installed === undefined ? [] : [word(installed.entry)],
    given: step.words,
    before: before.links,
    env: step.env,
  }
  return { tool: 'node:test', command, build: (plan) => nodeTestCheck(plan, settings) }
}

/** The parts that test, after those that build; nothing where all that the script does are checks of another kind. */
function byExitCode(place: Place, name: string, script: string, steps: readonly ScriptStep[]): FoundCheck[] {
  const judging = steps.filter((step) => roleOf(step) === 'judges')
  const building = steps.filter((step) => roleOf(step) === 'builds')
  // What comes behind the tests (an audit, an upload of the coverage) judges nothing of the change.
  const last = steps.findLastIndex((step) => roleOf(step) === 'tests')
  const isUnknown = (step: ScriptStep, index: number) => roleOf(step) === 'unknown' && (last < 0 || index < last)
  const testing = steps.filter((step, index) => roleOf(step) === 'tests' || isUnknown(step, index))
  if (testing.length === 0) {
    const unknown = judging.filter((step) => step.kind === 'other')
    if (unknown.length === 0 && building.every((step) => step.kind === 'tool')) return []
    return [whole(place, name, script)]
  }
  const simple = testing.length === steps.length
  if (simple || /\|\||;|\n/.test(script)) return [whole(place, name, script)]
  const end = steps.indexOf(testing.at(-1) as ScriptStep)
  const before = toBefore(
    place,
    building.filter((step) => steps.indexOf(step) < end),
  )
  const own = joined(place, testing)
  const command = [...before.typed, own.command].join(' && ')
  const env = { npm_lifecycle_event: name, ...own.env }
  return [{ tool: command, command, build: (plan) => scriptCheck(plan, own.text, before.links, env) }]
}

/** The script's text as it stands now, with its `pre` script: an edit of package.json can't change it. */
function whole(place: Place, name: string, script: string): FoundCheck {
  const before = place.package.scripts[`pre${name}`]
  const env = { npm_lifecycle_event: name }
  const { command, ...typable } = scriptCommand(place, name)
  const build: FoundCheck['build'] =
    typable.text === script
      ? (plan) => scriptCheck(plan, script, before === undefined ? [] : [{ text: before, env }], env)
      : (plan) => scriptCheck(plan, typable.text, [], { ...env, ...typable.env })
  return { tool: command, command, build }
}

async function withoutScript(place: Place): Promise<readonly FoundCheck[]> {
  const names = await namesIn(place.folder)
  const uses = place.package.dependencies.has('vitest') || [...names].some((name) => VITEST_CONFIG.test(name))
  if (!uses || (await findInstalled('vitest', 'vitest', place.folder)) === undefined) return []
  return [await byRunner(place, VITEST, { words: [], launch: [], env: {} }, { links: [], typed: [] })]
}
