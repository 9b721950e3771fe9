import { words } from './checks/check.ts'
import { eslintCheck, eslintWords } from './checks/eslint.ts'
import { lintToolCheck, lintToolWords } from './checks/lint-tool.ts'
import { scriptCheck } from './checks/script.ts'
import {
  type FoundCheck,
  namesIn,
  notInstalled,
  type Place,
  runsInMembers,
  scriptCommand,
  stepsWith,
  typed,
  unquoted,
} from './detect-common.ts'
import { findInstalled } from './installed.ts'
import { LINT_TOOLS, type LintTool } from './lint-tools.ts'
import { isPlaceholder, scriptSteps } from './script-tools.ts'

const NAMED = [
  ...['lint', 'eslint', 'check:lint', 'lint:js', 'lint:ts', 'lint:check', 'biome', 'oxlint', 'xo', 'standard'],
  ...['check', 'test', 'pretest', 'posttest', 'ci'],
  ...['format:check', 'check:format', 'fmt:check', 'prettier:check', 'lint:format', 'format', 'fmt', 'prettier'],
]
const WRITES = /--(?:write|fix|apply|watch)\b|\bprettier\b.* -w\b|(?:^|\s)oxfmt\b(?!.* --check\b)/
const CONFIG = /^(?:eslint\.config\.[cm]?[jt]s|\.eslintrc(?:\.(?:[cm]?js|json|ya?ml))?)$/

/** By the linters and formatters that scripts or configurations name; by exit code where `lint` is another tool that writes nothing. */
export async function findLint(place: Place): Promise<readonly FoundCheck[]> {
  const names = await namesIn(place.folder)
  const others = await Promise.all(LINT_TOOLS.map((tool) => byTool(place, tool, names)))
  const found = [...(await byEslint(place, names)), ...others.flat()]
  return found.length > 0 ? found : otherTool(place)
}

async function byEslint(place: Place, names: ReadonlySet<string>): Promise<readonly FoundCheck[]> {
  const named = stepsWith(place, NAMED, 'eslint')
  const hasConfig = [...names].some((name) => CONFIG.test(name))
  if (named.length === 0 && !hasConfig) return []
  const eslint = await findInstalled('eslint', 'eslint', place.folder)
  if (eslint === undefined) {
    // Without a script or a dependency that asks for it, the configuration is for the editor.
    if (named.length === 0 && !place.package.dependencies.has('eslint')) return []
    return [notInstalled(place, 'eslint', typed(place, {}, 'eslint', '.'))]
  }
  const steps = named.length > 0 ? named : [{ words: [], env: {} }]
  return steps.map((step) => ({
    tool: 'eslint',
    command: typed(place, step.env, 'eslint', ...unquoted(eslintWords(step.words))),
    build: (plan) => eslintCheck(plan, eslint, step.words, step.env),
  }))
}

async function byTool(place: Place, tool: LintTool, names: ReadonlySet<string>): Promise<readonly FoundCheck[]> {
  const named = stepsWith(place, NAMED, tool.name)
  const { config } = tool
  const configured = config !== undefined && [...names].some((name) => config.file.test(name))
  if (named.length === 0 && !configured) return []
  const calls = named.length > 0 ? named : [{ words: words(...(config?.words ?? [])), env: {} }]
  const installed = await findInstalled(tool.package, tool.name, place.folder)
  if (installed === undefined && named.length === 0 && !place.package.dependencies.has(tool.package)) return []
  return calls.map(({ words: given, env }) => {
    const command = typed(place, env, tool.name, ...unquoted(lintToolWords(tool, given)))
    if (installed === undefined) return notInstalled(place, tool.name, command)
    return { tool: tool.name, command, build: (plan) => lintToolCheck(plan, { tool, installed, given, env }) }
  })
}

function otherTool(place: Place): FoundCheck[] {
  const name = ['lint', 'check:lint', 'lint:check'].find((one) => place.package.scripts[one] !== undefined)
  const script = name === undefined ? undefined : place.package.scripts[name]
  if (name === undefined || script === undefined) return []
  if (isPlaceholder(script) || runsInMembers(place, script)) return []
  const steps = scriptSteps(place.package.scripts, name) ?? []
  const writes = [script, ...steps.map((step) => step.text)].some((text) => WRITES.test(text))
  if (writes || steps.some((step) => step.kind === 'tool')) return []
  const { command, text, env } = scriptCommand(place, name)
  return [{ tool: name, command, build: (plan) => scriptCheck(plan, text, [], env) }]
}
