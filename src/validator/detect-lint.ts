import { eslintCheck, eslintWords } from './checks/eslint.ts'
import { scriptCheck } from './checks/script.ts'
import {
  type FoundCheck,
  namesIn,
  notInstalled,
  type Place,
  runsInMembers,
  stepsWith,
  typed,
  typedScript,
} from './detect-common.ts'
import { findInstalled } from './installed.ts'
import { isPlaceholder, scriptSteps } from './script-tools.ts'

const NAMED = ['lint', 'eslint', 'check:lint', 'lint:js', 'lint:ts', 'lint:check', 'check', 'test', 'pretest']
const CONFIG = /^(?:eslint\.config\.[cm]?[jt]s|\.eslintrc(?:\.(?:[cm]?js|json|ya?ml))?)$/

/** By eslint, as a script says or on the whole folder; by exit code where `lint` is another tool that writes nothing. */
export async function findLint(place: Place): Promise<readonly FoundCheck[]> {
  const named = stepsWith(place, NAMED, 'eslint')
  const names = await namesIn(place.folder)
  const hasConfig = [...names].some((name) => CONFIG.test(name))
  if (named.length === 0 && !hasConfig) return otherTool(place)
  const eslint = await findInstalled('eslint', 'eslint', place.folder)
  if (eslint === undefined) {
    // Without a script or a dependency that asks for it, the configuration is for the editor.
    if (named.length === 0 && !place.package.dependencies.has('eslint')) return otherTool(place)
    return [notInstalled(place, 'eslint', typed(place, 'eslint', '.'))]
  }
  const steps = named.length > 0 ? named : [{ words: [], env: {} }]
  return steps.map(({ words, env }) => ({
    tool: 'eslint',
    command: typed(place, 'eslint', ...eslintWords(words).map((word) => word.raw.replace(/^'([\w./-]*)'$/, '$1'))),
    build: (plan) => eslintCheck(plan, eslint, words, env),
  }))
}

function otherTool(place: Place): FoundCheck[] {
  const name = ['lint', 'check:lint', 'lint:check'].find((one) => place.package.scripts[one] !== undefined)
  const script = name === undefined ? undefined : place.package.scripts[name]
  if (name === undefined || script === undefined) return []
  if (isPlaceholder(script) || runsInMembers(place, script)) return []
  const steps = scriptSteps(place.package.scripts, name) ?? []
  const writes = [script, ...steps.map((step) => step.text)].some((text) => /--(?:write|fix|apply|watch)\b/.test(text))
  if (writes || steps.some((step) => step.kind === 'tool')) return []
  return [{ tool: name, command: typedScript(place, name), build: (plan) => scriptCheck(plan, script, [], {}) }]
}
