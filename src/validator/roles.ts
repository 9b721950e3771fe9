import type { ScriptStep } from './script-tools.ts'

/** What a step of a test script does there. */
export type Role = 'builds' | 'judges' | 'tests' | 'unknown'

const names = (text: string): ReadonlySet<string> => new Set(text.split(' '))

const JUDGES = names(
  'eslint oxlint oxfmt prettier biome xo standard ts-standard semistandard stylelint tslint jshint markdownlint markdownlint-cli2 remark cspell alex tsgo vue-tsc tsd flow svelte-check check-dts type-coverage publint attw knip depcheck dprint commitlint size-limit es-check ls-lint madge depcruise dependency-cruise syncpack sherif manypkg ec editorconfig-checker npmPkgJsonLint sort-package-json installed-check echo',
)
const BUILDS = names(
  'tsc tsup tsdown esbuild rollup rolldown webpack rspack rslib rsbuild swc babel unbuild obuild parcel ncc microbundle bunchee tshy zshy pkgroll preconstruct tsc-alias del-cli del rimraf rm mkdirp mkdir cp cpy cpx copyfiles shx mv ncp cpr touch prisma graphql-codegen svelte-package svelte-kit nuxi napi node-gyp prebuildify wasm-pack cmake make peggy pegjs nearleyc jison antlr4ts protoc buf tree-sitter gulp grunt',
)
const TESTS = names(
  'vitest mocha jest ava tap tape uvu qunit jasmine karma playwright cypress wtr web-test-runner lab zora borp poku cucumber-js ospec xv',
)

const BUILD_WORD =
  /(?:^|[:._-])(?:pre|post)?(?:build|compile|generate|gen|codegen|prepare|prep|bundle|clean|copy|transpile|dist|make|setup|sync)(?=[:._-]|$)/
const JUDGE_WORD =
  /(?:^|[:._-])(?:pre|post)?(?:[a-z]{0,3}lint(?:er)?|format|fmt|prettier|types?|typecheck|typings|tsc|tsd|style|spell|spellcheck|audit|check|verify|knip|publint|attw|size|standard|xo|biome|licen[cs]es?)(?=[:._-]|$)/

/** Whether a script's name says that it builds something. */
export function namesBuild(script: string): boolean {
  return roleOfName(script) === 'builds'
}

/**
 * What the step does, by its tool and by the names of the scripts that lead to it from the first one; what comes first in
 * a name decides (`build:types` builds, `lint:build` judges).
 */
export function roleOf(step: ScriptStep): Role {
  const tool = step.kind === 'tool' ? step.tool : programOf(step.text)
  if (JUDGES.has(tool) || (tool === 'tsc' && /\s--noEmit\b(?!\s+false)/.test(step.text))) return 'judges'
  if (step.kind === 'tool' && /^(?:vitest|jest|mocha|node|tsx)$/.test(tool)) return 'tests'
  const named = step.through
    .slice(1)
    .map(roleOfName)
    .find((role) => role !== undefined)
  if (named !== undefined) return named
  if (BUILDS.has(tool) || /^(?:npx )?vite build\b/.test(step.text)) return 'builds'
  if (TESTS.has(tool) || /(?:^|[^\w])tests?(?:[^\w]|$)/.test(step.text)) return 'tests'
  return /(?:^|[^a-z])(?:build|compile|generate|codegen|prepare|sync|bundle|clean|copy)(?:[^a-z]|$)/.test(step.text)
    ? 'builds'
    : 'unknown'
}

function roleOfName(script: string): 'builds' | 'judges' | undefined {
  const builds = BUILD_WORD.exec(script)?.index ?? Number.POSITIVE_INFINITY
  const judges = JUDGE_WORD.exec(script)?.index ?? Number.POSITIVE_INFINITY
  if (builds === judges) return undefined
  return builds < judges ? 'builds' : 'judges'
}

/** The program of a command, without what npx and paths put before its name. */
export function programOf(text: string): string {
  const [first = '', second = ''] = text.trim().split(/\s+/)
  return (first === 'npx' ? second : first).replace(/^(?:\.\/)?node_modules\/\.bin\//, '')
}
