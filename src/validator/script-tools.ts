import { type Step, splitScript, type Word } from './script-steps.ts'

export type ToolName = 'tsc' | 'eslint' | 'vitest' | 'node' | 'tsx'

/** A step that is a known tool. `words` is what follows its name. */
export interface ToolStep {
  readonly kind: 'tool'
  readonly tool: ToolName
  readonly env: Readonly<Record<string, string>>
  readonly words: readonly Word[]
  readonly text: string
}

/** A step of a script, calls of other scripts followed. */
export type ScriptStep = ToolStep | { readonly kind: 'other'; readonly text: string }

export type Scripts = Readonly<Record<string, string>>

const DEEPEST = 8

/**
 * What running script `name` runs, with its `pre` script and with the scripts it calls. Undefined when there is no such
 * script, it is a placeholder, or a part of it can't be taken apart.
 */
export function scriptSteps(
  scripts: Scripts,
  name: string,
  extra: readonly Word[] = [],
  depth = 0,
): ScriptStep[] | undefined {
  const script = scripts[name]
  if (script === undefined || depth > DEEPEST || isPlaceholder(script)) return undefined
  const own = splitScript(script)
  if (own === undefined) return undefined
  const steps: ScriptStep[] = []
  const before = scripts[`pre${name}`]
  if (before !== undefined)
    steps.push(...(scriptSteps(scripts, `pre${name}`, [], depth + 1) ?? [{ kind: 'other', text: before }]))
  for (const [index, step] of own.entries()) {
    // What is given after `npm run x --` goes to the last command, as with npm.
    const last = index === own.length - 1 && extra.length > 0
    const whole = last
      ? { text: [step.text, ...extra.map((word) => word.raw)].join(' '), words: [...step.words, ...extra] }
      : step
    steps.push(...followStep(scripts, whole, depth))
  }
  return steps
}

/** Scripts that only say that there is nothing to run. */
export function isPlaceholder(script: string): boolean {
  return /^\s*(?:echo\b[^&;|]*(?:(?:&&|;)\s*exit \d+)?|exit \d+|true|:)?\s*$/.test(script)
}

const ASSIGNMENT = /^([A-Za-z_]\w*)=(.*)$/s

function followStep(scripts: Scripts, step: Step, depth: number): ScriptStep[] {
  const env: Record<string, string> = {}
  let words = [...step.words]
  for (;;) {
    const [first, second] = words
    const assignment = ASSIGNMENT.exec(first?.value ?? '')
    if (assignment?.[1] !== undefined && first?.plain) {
      env[assignment[1]] = assignment[2] ?? ''
      words = words.slice(1)
    } else if (first?.value === 'cross-env') words = words.slice(1)
    else if (first?.value === 'npx' || first?.value === 'bunx') {
      words = words.slice(1)
      while (/^(?:--no-install|--no|--yes|-y)$/.test(words[0]?.value ?? '')) words = words.slice(1)
    } else if (first?.value === 'c8' && !second?.value.startsWith('-')) words = words.slice(1)
    else if (/^(?:npm|pnpm|yarn)$/.test(first?.value ?? '') && second?.value === 'exec') {
      words = words.slice(words[2]?.value === '--' ? 3 : 2)
    } else break
  }
  const called = calledScripts(scripts, words)
  if (called !== undefined) {
    return called.names.flatMap((name): ScriptStep[] => {
      const steps = scriptSteps(scripts, name, called.extra, depth + 1)
      if (steps === undefined) return [{ kind: 'other', text: step.text }]
      return steps.map((one) => (one.kind === 'tool' ? { ...one, env: { ...env, ...one.env } } : one))
    })
  }
  const tool = knownTool(words)
  return tool === undefined
    ? [{ kind: 'other', text: step.text }]
    : [{ kind: 'tool', tool, env, words: words.slice(1), text: step.text }]
}

function knownTool(words: readonly Word[]): ToolName | undefined {
  const name = words[0]?.value
  if (name === 'tsc' || name === 'eslint') return name
  if (name === 'vitest') {
    const command = words[1]?.value
    const known = command === undefined || /^(?:run|watch|dev|-.*)$/.test(command)
    // A bare word that is no other command of vitest filters files.
    return known || !/^(?:bench|list|related|init|typecheck)$/.test(command) ? 'vitest' : undefined
  }
  if (name === 'node' || name === 'tsx') return words.some((word) => word.value === '--test') ? name : undefined
  return undefined
}

/** The scripts of the same package that a command calls: `npm run x`, `npm test`, `yarn x`, `run-s a b:*`. */
function calledScripts(
  scripts: Scripts,
  words: readonly Word[],
): { names: string[]; extra: readonly Word[] } | undefined {
  const [runner, ...rest] = words
  if (/^(?:run-s|run-p|npm-run-all)$/.test(runner?.value ?? '')) {
    const names = rest.filter((word) => !word.value.startsWith('-')).flatMap((word) => matching(scripts, word.value))
    return names.length > 0 ? { names, extra: [] } : undefined
  }
  if (!/^(?:npm|pnpm|yarn|bun)$/.test(runner?.value ?? '')) return undefined
  const explicit = rest[0]?.value === 'run' || rest[0]?.value === 'run-script'
  const after = (explicit ? rest.slice(1) : rest).filter((word) => !/^(?:-s|--silent)$/.test(word.value))
  const called = after[0]?.value
  const direct = explicit || runner?.value !== 'npm' || called === 'test' || called === 't'
  if (called === undefined || !direct) return undefined
  const name = called === 't' ? 'test' : called
  if (scripts[name] === undefined) return undefined
  const dashes = after.findIndex((word) => word.value === '--')
  const extra = dashes > 0 ? after.slice(dashes + 1) : runner?.value === 'npm' ? [] : after.slice(1)
  return { names: [name], extra }
}

function matching(scripts: Scripts, pattern: string): string[] {
  if (!pattern.includes('*')) return [pattern]
  const expression = new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/\*+/g, '[^:]*')}$`)
  return Object.keys(scripts).filter((name) => expression.test(name))
}
