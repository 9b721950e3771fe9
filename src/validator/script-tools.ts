import { isCheckingCall, LINT_TOOLS, type LintToolName } from './lint-tools.ts'
import { type Step, splitScript, type Word } from './script-steps.ts'
import { calledScripts, unwrap } from './script-words.ts'

export type CompilerName = 'tsc' | 'tsgo' | 'vue-tsc'
export type RunnerName = 'vitest' | 'jest' | 'mocha' | 'node' | 'tsx'
export type ToolName = CompilerName | RunnerName | 'eslint' | LintToolName

interface AnyStep {
  readonly env: Readonly<Record<string, string>>
  /** What a shell is given, without the assignments; found through `node_modules/.bin` like in the script itself. */
  readonly text: string
  /** The scripts that led here, the first one first. */
  readonly through: readonly string[]
}

/** A step that is a known tool. `words` is what follows its name; `launch` are the options of a Node that starts it. */
export interface ToolStep extends AnyStep {
  readonly kind: 'tool'
  readonly tool: ToolName
  readonly words: readonly Word[]
  readonly launch: readonly Word[]
}

/** `words` are all of its words; none where it can't be taken apart. */
export interface OtherStep extends AnyStep {
  readonly kind: 'other'
  readonly words: readonly Word[]
}

/** A step of a script, calls of other scripts followed. */
export type ScriptStep = ToolStep | OtherStep

export type Scripts = Readonly<Record<string, string>>

const DEEPEST = 8
const NO_JEST_RUN = /^--(?:init|version|help|listTests|showConfig|clearCache)$/

/**
 * What running script `name` runs, with its `pre` and `post` scripts and with the scripts it calls. Undefined when there
 * is no such script, it is a placeholder, or it can't be taken apart.
 */
export function scriptSteps(
  scripts: Scripts,
  name: string,
  extra: readonly Word[] = [],
  callers: readonly string[] = [],
): ScriptStep[] | undefined {
  const script = scripts[name]
  if (script === undefined || callers.length > DEEPEST || isPlaceholder(script)) return undefined
  const own = splitScript(script)
  if (own === undefined) return undefined
  const through = [...callers, name]
  const steps = besides(scripts, `pre${name}`, through)
  for (const [index, step] of own.entries()) {
    // What is given after `npm run x --` goes to the last command, as with npm.
    const last = index === own.length - 1 && extra.length > 0
    const whole = last
      ? { text: [step.text, ...extra.map((word) => word.raw)].join(' '), words: [...step.words, ...extra] }
      : step
    steps.push(...followStep(scripts, whole, through))
  }
  return [...steps, ...besides(scripts, `post${name}`, through)]
}

/** Scripts that only say that there is nothing to run. */
export function isPlaceholder(script: string): boolean {
  return /^\s*(?:echo\b[^&;|]*(?:(?:&&|;)\s*exit \d+)?|exit \d+|true|:)?\s*$/.test(script)
}

function besides(scripts: Scripts, name: string, through: readonly string[]): ScriptStep[] {
  const text = scripts[name]
  if (text === undefined || isPlaceholder(text)) return []
  return scriptSteps(scripts, name, [], through) ?? [opaque(text, {}, [...through, name])]
}

function opaque(text: string, env: Readonly<Record<string, string>>, through: readonly string[]): OtherStep {
  return { kind: 'other', text, env, words: [], through }
}

function followStep(scripts: Scripts, step: Step, through: readonly string[]): ScriptStep[] {
  const { env, words, text } = unwrap(scripts, step)
  const called = calledScripts(scripts, words)
  if (called !== undefined) {
    return called.names.flatMap((name): ScriptStep[] => {
      const script = scripts[name]
      if (script !== undefined && isPlaceholder(script)) return []
      const steps = scriptSteps(scripts, name, called.extra, through)
      if (steps !== undefined) return steps.map((one) => ({ ...one, env: { ...env, ...one.env } }))
      if (script === undefined || splitScript(script) !== undefined) return [opaque(text, env, through)]
      const inner = [...through, name]
      const main = opaque([script, ...called.extra.map((word) => word.raw)].join(' '), env, inner)
      return [...besides(scripts, `pre${name}`, inner), main, ...besides(scripts, `post${name}`, inner)]
    })
  }
  const { launch, called: all } = withoutNode(words)
  const tool = knownTool(all)
  return tool === undefined
    ? [{ kind: 'other', text, env, words, through }]
    : [{ kind: 'tool', tool, env, words: all.slice(1), launch, text, through }]
}

/** `node --options node_modules/.bin/jest` is jest: its options for Node, and the command that is called. */
function withoutNode(words: readonly Word[]): { launch: readonly Word[]; called: readonly Word[] } {
  const script = words.findIndex((word, index) => index > 0 && !word.value.startsWith('-'))
  const word = words[script]
  const name = /^(?:\.\/)?node_modules\/(?:\.bin\/|.+\/bin\/)(jest|_?mocha|vitest)(?:\.m?js)?$/.exec(
    word?.value ?? '',
  )?.[1]
  if (words[0]?.value !== 'node' || word === undefined || name === undefined) return { launch: [], called: words }
  return { launch: words.slice(1, script), called: [{ ...word, value: name, raw: name }, ...words.slice(script + 1)] }
}

function knownTool(words: readonly Word[]): ToolName | undefined {
  const name = words[0]?.value
  if (name === 'tsc' || name === 'tsgo' || name === 'vue-tsc' || name === 'eslint') return name
  if (name === 'vitest') {
    const command = words[1]?.value
    const known = command === undefined || /^(?:run|watch|dev|-.*)$/.test(command)
    // A bare word that is no other command of vitest filters files.
    return known || !/^(?:bench|list|related|init|typecheck)$/.test(command) ? 'vitest' : undefined
  }
  const command = words[1]?.value ?? ''
  if (name === 'jest') return words.some((word) => NO_JEST_RUN.test(word.value)) ? undefined : 'jest'
  if (name === 'mocha' || name === '_mocha') return /^(?:init|inspect|debug)$/.test(command) ? undefined : 'mocha'
  if (name === 'node' || name === 'tsx') return words.some((word) => word.value === '--test') ? name : undefined
  const lint = LINT_TOOLS.find((tool) => tool.name === name)
  return lint !== undefined && isCheckingCall(lint, words.slice(1)) ? lint.name : undefined
}
