import { expect, test } from 'vitest'
import { isReadingGit } from './reading-git.ts'

const asked = (commands: readonly string[]): readonly boolean[] =>
  commands.map((command) => isReadingGit(command.split(' ')))

test('what only shows something', () => {
  const commands = [
    'git status',
    'git status --short --branch',
    'git --no-pager diff',
    'git diff --stat HEAD',
    'git diff --cached -- src/a.ts',
    'git diff main..feature src',
    'git log',
    'git log -n 5 --oneline',
    'git log -3 -p --since=2024-01-01 --format=%h:%s -- src',
    'git show HEAD:src/a.ts',
    'git show --name-only abc123',
  ]
  expect(commands.filter((_, index) => asked(commands)[index] === false)).toEqual([])
})

test('what could write, run another program, or look elsewhere', () => {
  const commands = [
    'git',
    'git -c core.pager=x log',
    'git -C ../other status',
    'git --exec-path=/tmp status',
    'git --git-dir=/tmp/x log',
    'git -p log',
    'git --paginate diff',
    'git --no-pager -c a=b diff',
    'git diff --output=x',
    'git diff --outp=x',
    'git diff --output x',
    'git diff --ext-diff',
    'git diff --ext',
    'git diff --textconv',
    'git diff --no-index a b',
    'git diff /etc/passwd a',
    'git diff ../a b',
    'git diff a/../../b c',
    'git log --show-signature',
    'git log --format=%G?',
    'git log --pretty=%h-%GK',
    'git log --ext-diff -p',
    'git log -o x',
    'git log -ox',
    'git show --output=x',
    'git show -O/tmp/order',
    'git status --output=x',
    'git stash',
    'git reset --hard',
    'git checkout .',
    'git branch -D x',
    'git toString',
    'git __proto__',
  ]
  expect(commands.filter((_, index) => asked(commands)[index])).toEqual([])
})
