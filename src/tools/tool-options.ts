/** The options of a program that neither write elsewhere nor load code or configuration of the caller's choice. */
export interface ToolOptions {
  readonly flags: ReadonlySet<string>
  /** Options with a value: the shape of the whole value, or a path inside of the repository. */
  readonly values: Readonly<Record<string, RegExp | 'path'>>
}

const words = (text: string): string[] => text.split(' ').filter((word) => word !== '')
const all = (names: string, shape: RegExp | 'path') => Object.fromEntries(words(names).map((name) => [name, shape]))

/** The name of a test, a glob of what is left out: matched, never opened or run. */
const TEXT = /^.+$/
const NUMBER = /^\d+$/
const SHARE = /^\d+%?$/
const SHARD = /^\d+\/\d+$/
const NAME = /^[\w-]+$/
const NAMES = /^[\w,]+$/
const RULE = /^[\w@/-]+$/
const BOOLEAN = /^(?:true|false)$/
const COMMON = words('--help -h --version -v --no-color --color')

const options = (flags: string, values: ToolOptions['values']): ToolOptions => ({
  flags: new Set([...COMMON, ...words(flags)]),
  values,
})

const tsc = options(
  `--noEmit --pretty --strict --skipLibCheck --incremental --listFiles --listFilesOnly --listEmittedFiles --explainFiles
  --diagnostics --extendedDiagnostics --traceResolution --showConfig --all --noEmitOnError --noErrorTruncation --allowJs
  --checkJs --esModuleInterop --resolveJsonModule --isolatedModules --noImplicitAny --strictNullChecks --noUnusedLocals
  --noUnusedParameters --noImplicitReturns --noImplicitOverride --noUncheckedIndexedAccess --exactOptionalPropertyTypes
  --allowImportingTsExtensions --emitDeclarationOnly --declaration -d -b --build --verbose --dry --force`.replaceAll(
    '\n',
    ' ',
  ),
  {
    ...all('-p --project', 'path'),
    ...all('-m --module -t --target --moduleResolution --jsx', NAME),
    '--lib': /^[\w.,]+$/,
  },
)

const eslint = options(
  `--fix --fix-dry-run --quiet --cache --no-cache --no-ignore --no-inline-config --no-config-lookup --stats --debug --env-info
  --report-unused-disable-directives --no-error-on-unmatched-pattern --exit-on-fatal-error --pass-on-no-patterns
  --no-warn-ignored --pass-on-unpruned-suppressions`.replaceAll('\n', ' '),
  {
    '--max-warnings': NUMBER,
    '--ext': /^[\w.,]+$/,
    ...all('-f --format', /^(?:stylish|json|json-with-metadata|html|unix|compact)$/),
    '--rule': /^[\w@/-]+\s*:\s*(?:\w+|\[\s*["']?\w+["']?\s*\])$/,
    '--global': /^[\w:,]+$/,
    '--env': NAMES,
    '--fix-type': NAMES,
    '--report-unused-disable-directives-severity': NAME,
    '--ignore-pattern': TEXT,
    '--concurrency': NAME,
    '--print-config': 'path',
  },
)

const vitest = options(
  `--run --no-watch --watch=false --silent --coverage --no-coverage --coverage.enabled --globals --passWithNoTests --typecheck
  --typecheck.only --hideSkippedTests --logHeapUsage --expandSnapshotDiff --update -u --no-file-parallelism --fileParallelism
  --no-isolate --isolate --allowOnly --dangerouslyIgnoreUnhandledErrors --clearScreen=false --changed --sequence.shuffle
  --disable-console-intercept --printConsoleTrace`.replaceAll('\n', ' '),
  {
    ...all('-t --testNamePattern --project --exclude --coverage.include --coverage.exclude', TEXT),
    '--reporter': /^(?:default|basic|verbose|tree|dot|json|tap|tap-flat|junit|hanging-process|github-actions|agent)$/,
    '--pool': NAME,
    '--environment': /^(?:node|jsdom|happy-dom|edge-runtime)$/,
    ...all('--bail --retry --testTimeout --hookTimeout --teardownTimeout --maxConcurrency --slowTestThreshold', NUMBER),
    '--sequence.seed': NUMBER,
    ...all('--maxWorkers --minWorkers', SHARE),
    '--shard': SHARD,
    '--mode': NAME,
    '--coverage.provider': /^(?:v8|istanbul)$/,
    '--coverage.reporter': /^(?:text|text-summary|json|json-summary|lcov|html)$/,
    ...all('-r --root --dir', 'path'),
  },
)

const jest = options(
  `--ci --coverage --no-coverage --silent --verbose --runInBand -i --bail -b --passWithNoTests --detectOpenHandles --forceExit
  --cache --no-cache --onlyChanged -o --lastCommit --listTests --updateSnapshot -u --watchAll=false --watch=false
  --no-watchman --colors --no-colors --errorOnDeprecated --expand -e --findRelatedTests --json --logHeapUsage --noStackTrace
  --onlyFailures -f --showConfig --useStderr --randomize --runTestsByPath`.replaceAll('\n', ' '),
  {
    ...all('-t --testNamePattern --testPathPattern --testPathPatterns --testPathIgnorePatterns', TEXT),
    ...all('-w --maxWorkers', SHARE),
    ...all('--testTimeout --maxConcurrency --seed --bail', NUMBER),
    '--shard': SHARD,
    '--selectProjects': RULE,
    '--coverageReporters': /^(?:text|text-summary|json|json-summary|lcov|html|none)$/,
    '--reporters': /^(?:default|summary|github-actions)$/,
    '--env': /^(?:node|jsdom)$/,
  },
)

const mocha = options(
  `-b --bail -c --colors --no-colors --check-leaks --exit --forbid-only --forbid-pending --full-trace --dry-run --inline-diffs
  --diff --no-diff -p --parallel --recursive -S --sort -i --invert --fail-zero -V --list-reporters --list-interfaces`.replaceAll(
    '\n',
    ' ',
  ),
  {
    ...all('-g --grep -f --fgrep --ignore', TEXT),
    ...all('-t --timeout -s --slow', /^\d+(?:ms|s|m)?$/),
    ...all('-j --jobs --retries', NUMBER),
    ...all('-R --reporter', /^(?:spec|dot|tap|json|json-stream|min|list|nyan|progress|doc|landing|markdown|xunit)$/),
    ...all('-u --ui', /^(?:bdd|tdd|qunit|exports)$/),
    '--extension': /^\.?\w+$/,
    '--spec': 'path',
  },
)

const node = options(
  `--test --test-only --test-force-exit --test-update-snapshots --experimental-test-coverage --experimental-test-snapshots
  --experimental-test-module-mocks --experimental-strip-types --enable-source-maps --no-warnings`.replaceAll('\n', ' '),
  {
    ...all('--test-name-pattern --test-skip-pattern --test-coverage-include --test-coverage-exclude', TEXT),
    ...all('--test-concurrency --test-timeout', NUMBER),
    ...all('--test-coverage-lines --test-coverage-branches --test-coverage-functions', NUMBER),
    '--test-shard': SHARD,
    '--test-reporter': /^(?:spec|tap|dot|junit|lcov)$/,
    ...all('--test-isolation --experimental-test-isolation', NAME),
  },
)

const prettier = options(
  `--check -c --list-different -l --write -w --ignore-unknown -u --no-error-on-unmatched-pattern --cache --no-config
  --no-editorconfig`.replaceAll('\n', ' '),
  {
    ...all('--log-level --end-of-line --parser', NAME),
    ...all('--print-width --tab-width', NUMBER),
    '--ignore-path': 'path',
  },
)

const biome = options(
  `--write --fix --apply --apply-unsafe --unsafe --error-on-warnings --no-errors-on-unmatched --verbose --changed --staged
  --skip-parse-errors`.replaceAll('\n', ' '),
  {
    '--max-diagnostics': /^(?:\d+|none)$/,
    '--reporter': /^(?:default|summary|json|json-pretty|github|gitlab|junit|checkstyle|rdjson|sarif)$/,
    ...all('--diagnostic-level --log-level --log-kind', NAME),
    ...all('--only --skip', RULE),
    ...all('--formatter-enabled --linter-enabled --assist-enabled --organize-imports-enabled', BOOLEAN),
    '--colors': NAME,
  },
)

const oxlint = options(
  `--fix --fix-suggestions --fix-dangerously --quiet --deny-warnings --silent --type-aware --rules --no-ignore -V
  --report-unused-disable-directives --disable-nested-config --import-plugin --react-plugin --jsx-a11y-plugin
  --nextjs-plugin --react-perf-plugin --promise-plugin --node-plugin --vitest-plugin --jest-plugin --jsdoc-plugin`.replaceAll(
    '\n',
    ' ',
  ),
  {
    ...all('-A -D -W --allow --deny --warn', RULE),
    ...all('--max-warnings --threads', NUMBER),
    ...all('-f --format', /^(?:default|json|stylish|github|unix|checkstyle|gitlab|junit|agent)$/),
    ...all('--tsconfig --ignore-path', 'path'),
    '--ignore-pattern': TEXT,
  },
)

/** By the program's name. Every program that is here only checks, formats or tests. */
export const TOOL_OPTIONS: Readonly<Record<string, ToolOptions>> = {
  tsc,
  tsgo: tsc,
  'vue-tsc': tsc,
  eslint,
  vitest,
  jest,
  mocha,
  node,
  prettier,
  biome,
  oxlint,
  oxfmt: options('--check --write --list-different --no-error-on-unmatched-pattern', { '--threads': NUMBER }),
  xo: options('--fix --quiet', {}),
  standard: options('--fix --verbose', {}),
}
