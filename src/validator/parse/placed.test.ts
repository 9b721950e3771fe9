import { expect, test } from 'vitest'
import { parseGithub, parsePlaced, parseUnformatted } from './placed.ts'

const place = { root: '/repo', cwd: '/repo/pkg' }
const short = (all: ReturnType<typeof parsePlaced>) =>
  all.map((one) => `${one.severity} ${one.file}:${one.line}:${one.column} ${one.code ?? '-'} ${one.message}`)

test.each([
  [
    'oxlint',
    "b.ts:1:7: Variable 'x' is never used. [Warning/eslint(no-unused-vars)]\n/repo/pkg/a.js:1:1: `debugger` is not allowed [Error/eslint(no-debugger)]\n\n2 problems\n",
    ['error pkg/a.js:1:1 eslint(no-debugger) `debugger` is not allowed'],
  ],
  [
    'only warnings, which were forbidden',
    'b.ts:1:7: Never used. [Warning/eslint(no-unused-vars)]\n',
    ['warning pkg/b.ts:1:7 eslint(no-unused-vars) Never used.'],
  ],
  [
    'standard',
    'standard: Use JavaScript Standard Style\n  /repo/pkg/a.js:1:4: Extra semicolon. (semi)\n',
    ['error pkg/a.js:1:4 - Extra semicolon. (semi)'],
  ],
  [
    'a heading for each file',
    '\n  source/index.ts:9:2\n  ⚠   9:2   Unexpected todo  no-warning-comments\n  ✖  12:10  Missing semicolon  semi\n\n/repo/x.css\n  3:1  error  Unknown rule\n',
    ['error pkg/source/index.ts:12:10 - Missing semicolon  semi', 'error x.css:3:1 - error  Unknown rule'],
  ],
  ['no places', 'Something is wrong\nhttp://localhost:80 refused\n    at run (/repo/x.js:1:2)\n', []],
])('%s', (_, output, complaints) => {
  expect(short(parsePlaced(output, 'lint', place))).toEqual(complaints)
})

test('the form that GitHub reads', () => {
  const output =
    '::warning title=lint/unused,file=/repo/pkg/a.js,line=2,endLine=2,col=5,endColumn=11::Unused.\n' +
    '::error title=lint/suspicious/noDebugger,file=a%2Cb.js,line=1,endLine=1,col=1::This is%0Aa debugger.\n' +
    'Checked 2 files\n'
  expect(parseGithub(output, 'biome', place)).toEqual([
    {
      source: 'biome',
      severity: 'error',
      file: 'pkg/a,b.js',
      line: 1,
      column: 1,
      code: 'lint/suspicious/noDebugger',
      message: 'This is\na debugger.',
    },
  ])
})

test.each([
  [
    'Checking formatting...\n[warn] src/a b.js\n[error] c.ts: SyntaxError: x (1:2)\n[warn] Code style issues found in 2 files. Run Prettier with --write to fix.\n',
    ['pkg/src/a b.js is not formatted', 'pkg/c.ts SyntaxError: x (1:2)'],
  ],
  [
    'Checking formatting...\n\na.js (0ms)\nb.ts (12ms)\n\nFormat issues found in above 2 files. Run without `--check` to fix.\nFinished in 30ms on 2 files using 2 threads.\n',
    ['pkg/a.js is not formatted', 'pkg/b.ts is not formatted'],
  ],
])('files that are not formatted', (output, complaints) => {
  expect(parseUnformatted(output, 'x', place).map((one) => `${one.file} ${one.message}`)).toEqual(complaints)
})
