import type { Diagnostic } from '../core/verdict.ts'
import { parseEslint } from './parse/eslint.ts'
import type { Place } from './parse/paths.ts'
import { parseGithub, parsePlaced, parseUnformatted } from './parse/placed.ts'
import type { Word } from './script-steps.ts'

export type LintToolName = 'oxlint' | 'biome' | 'xo' | 'standard' | 'prettier' | 'oxfmt'

/** A linter or formatter other than eslint: judged by its exit code, and by what can be read of its report. */
export interface LintTool {
  readonly name: LintToolName
  readonly package: string
  /** Files by which a folder is configured for it, where that says enough, and what it is called with then. */
  readonly config?: { readonly file: RegExp; readonly words: readonly string[] }
  /** Options that write files or choose the report, and those of them whose value is a word of its own. */
  readonly notOurs: RegExp
  readonly withValue: RegExp
  /** Options for a report that can be read. */
  report(version: string): readonly string[]
  parse(output: { readonly stdout: string; readonly all: string }, place: Place): readonly Diagnostic[]
}

const NEVER = /^(?!)/

export const LINT_TOOLS: readonly LintTool[] = [
  {
    name: 'oxlint',
    package: 'oxlint',
    config: { file: /^(?:\.oxlintrc\.jsonc?|oxlint\.config\.[cm]?[jt]s)$/, words: [] },
    notOurs: /^(?:--fix(?:-suggestions|-dangerously)?|-f|--format|--silent|--init|--lsp)(?:=.*)?$/,
    withValue: /^(?:-f|--format)$/,
    report: () => ['--format=unix'],
    parse: ({ all }, place) => parsePlaced(all, 'oxlint', place),
  },
  {
    name: 'biome',
    package: '@biomejs/biome',
    config: { file: /^biome\.jsonc?$/, words: ['check'] },
    notOurs:
      /^(?:--write|--fix|--apply|--apply-unsafe|--unsafe|--suppress|--reason|--staged|--reporter|--reporter-file|--max-diagnostics|--colors|--verbose)(?:=.*)?$/,
    withValue: /^(?:--reason|--reporter|--reporter-file|--max-diagnostics|--colors)$/,
    report: (version) => [
      '--reporter=github',
      '--colors=off',
      `--max-diagnostics=${Number(version.split('.')[0]) >= 2 ? 'none' : '200'}`,
    ],
    parse: ({ stdout }, place) => parseGithub(stdout, 'biome', place),
  },
  {
    name: 'xo',
    package: 'xo',
    notOurs: /^(?:--fix|--reporter|--print-config|--open|--stdin|--stdin-filename)(?:=.*)?$/,
    withValue: /^(?:--reporter|--print-config|--stdin-filename)$/,
    report: () => ['--reporter=json'],
    parse: ({ stdout }, place) =>
      (parseEslint(stdout, place, { warnings: false }) ?? []).map((one) => ({ ...one, source: 'xo' })),
  },
  {
    name: 'standard',
    package: 'standard',
    notOurs: /^(?:--fix|--verbose|-v)(?:=.*)?$/,
    withValue: NEVER,
    report: () => [],
    parse: ({ all }, place) => parsePlaced(all, 'standard', place),
  },
  {
    name: 'prettier',
    package: 'prettier',
    notOurs: /^(?:--cache|--cache-location|--cache-strategy|--log-level)(?:=.*)?$/,
    withValue: /^(?:--cache-location|--cache-strategy|--log-level)$/,
    report: () => [],
    parse: ({ all }, place) => parseUnformatted(all, 'prettier', place),
  },
  {
    name: 'oxfmt',
    package: 'oxfmt',
    notOurs: NEVER,
    withValue: NEVER,
    report: () => [],
    parse: ({ all }, place) => parseUnformatted(all, 'oxfmt', place),
  },
]

/** Whether a call of the tool looks, or would with its writing options left out. A formatter that writes is no check. */
export function isCheckingCall({ name }: LintTool, given: readonly Word[]): boolean {
  const values = given.map((word) => word.value)
  const writes = values.some((value) => /^(?:--write|--fix|--apply|-w)\b/.test(value))
  switch (name) {
    case 'biome':
      return /^(?:lint|check|ci)$/.test(values[0] ?? '') || (values[0] === 'format' && !writes)
    case 'prettier':
    case 'oxfmt':
      return !writes && values.some((value) => /^(?:--check|-c|--list-different|-l)$/.test(value))
    default:
      return !values.some((value) => /^(?:--help|-h|--version|--print-config|--init|--lsp|--rules)\b/.test(value))
  }
}
