import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { isReadingGit } from './reading-git.ts'
import { openTestRunner } from './testing.ts'

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

test('programs that the repository configures are not run', async () => {
  const { root, outer, text, put } = await openTestRunner({ 'a.js': 'one\n', '.gitattributes': '*.js diff=d\n' })
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root })
  git('init', '-q')
  git('add', '-A')
  git('-c', 'user.name=t', '-c', 'user.email=t@e.x', 'commit', '-qm', 'first')
  const mark = path.join(outer, 'ran')
  for (const name of [
    'core.fsmonitor',
    'diff.external',
    'diff.d.textconv',
    'diff.d.command',
    'core.pager',
    'pager.log',
  ])
    git('config', name, `echo ${name} >> ${mark}; cat`)
  writeFileSync(path.join(root, '.git/hooks/post-index-change'), `#!/bin/sh\necho hook >> ${mark}\n`, { mode: 0o755 })
  await put('a.js', 'two\n')
  const run = (command: string) => text('runCommand', { command })
  expect(await run('git status --short')).toMatch(/^exit code 0, .*\nM a\.js$/)
  for (const command of ['git diff', 'git --no-pager diff -- a.js']) expect(await run(command)).toMatch(/-one\n\+two$/)
  for (const command of ['git log -p', 'git show HEAD', 'git show HEAD:a.js', 'git log "--author=t <t"'])
    expect(await run(command)).toMatch(/^exit code 0, /)
  expect(existsSync(mark)).toBe(false)
})
