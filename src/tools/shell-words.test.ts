import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { simpleWords } from './shell-words.ts'

test.each([
  ['npm test', ['npm', 'test']],
  ['  npm   run  build ', ['npm', 'run', 'build']],
  [`npx vitest run -t "adds two" src/a.test.ts`, ['npx', 'vitest', 'run', '-t', 'adds two', 'src/a.test.ts']],
  [`echo 'a $b' c"d"e`, ['echo', 'a $b', 'cde']],
  ['echo ""', ['echo', '']],
  ['', []],
])('%s', (command, words) => {
  expect(simpleWords(command)).toEqual(words)
})

test.each([
  'npm test && rm -rf x',
  'npm test; ls',
  'npm test | tee x',
  'npm test > x',
  'npm test &',
  'echo $HOME',
  'echo "$HOME"',
  'echo `ls`',
  'echo "`ls`"',
  'echo $(ls)',
  'ls *.ts',
  'ls [ab].ts',
  'ls {a,b}',
  'ls ~',
  'echo a\\ b',
  'echo # x',
  'echo "a',
  "echo 'a",
  'ls ?',
  'npm test\nls',
  '! npm test',
])('%s is more than words', (command) => {
  expect(simpleWords(command)).toBe(undefined)
})

test('what is recognised is what a shell makes of it', () => {
  const part = fc.oneof(
    fc.stringMatching(/^[\w./:=,@%+-]{1,6}$/),
    fc.stringMatching(/^[ -~]{0,5}$/).map((text) => `'${text}'`),
    fc.stringMatching(/^[ -~]{0,5}$/).map((text) => `"${text}"`),
    fc.constantFrom(' ', '  ', '\t'),
  )
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 8 }).map((parts) => parts.join('')),
      (text) => {
        const words = simpleWords(`set -- ${text}`)
        fc.pre(words !== undefined)
        const printed = execFileSync(
          'sh',
          ['-c', `set -- ${text}\nfor word in "$@"; do printf '%s\\n' "$word"; done`],
          { encoding: 'utf8' },
        )
        expect(['set', '--', ...printed.split('\n').slice(0, -1)]).toEqual(words)
      },
    ),
    { numRuns: 60 },
  )
})
