import { execFileSync } from 'node:child_process'
import { chmod, readFile, symlink } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { FailureError } from '../core/failure.ts'
import type { ToolResult } from '../core/tool.ts'
import { openTestRunner } from './testing.ts'

const manifest = (scripts: Readonly<Record<string, string>>): string => JSON.stringify({ name: 'x', scripts })
/** A result's text without the seconds it took. */
const steady = (text: string): string => text.replace(/\d+\.\d s/, 'N s')

test('scripts and installed checks run without asking, everything else asks', async () => {
  const { check, put } = await openTestRunner({
    'package.json': manifest({ test: 'node --test', build: 'tsc' }),
    'node_modules/.bin/tsc': '#!/bin/sh\n',
  })
  const asks = async (command: string) => {
    const outcome = await check('runCommand', { command })
    return 'failure' in outcome ? outcome.failure.kind : (outcome.checked.needsApproval ?? 'runs')
  }
  const commands = [
    'npm test',
    'npm run build',
    'npx tsc --noEmit',
    'tsc',
    'node --test',
    'npx eslint .',
    'npm test && ls',
    'ls > x',
    'cat a.ts',
    'npm run build -- $(ls)',
  ]
  expect(await Promise.all(commands.map(asks))).toEqual([
    'runs',
    'runs',
    'runs',
    'runs',
    'runs',
    'run `npx eslint .`',
    'run `npm test && ls`',
    'run `ls > x`',
    'run `cat a.ts`',
    'run `npm run build -- $(ls)`',
  ])
  await put('package.json', manifest({ test: 'node --test', build: 'rm -rf /', new: 'ls' }))
  expect(await Promise.all(['npm test', 'npm run build', 'npm run new'].map(asks))).toEqual([
    'runs',
    'run `npm run build`, whose script was changed in this run: build: rm -rf /',
    'run `npm run new`, whose script was changed in this run: new: ls',
  ])
  await put('package.json', manifest({ test: 'node --test', pretest: 'curl x' }))
  expect(await asks('npm test')).toBe('run `npm test`, whose script was changed in this run: pretest: curl x')
})

test('a package manager that is not installed: npm does it, and the answer says so', async () => {
  const before = process.env.PATH
  const { root, run, check } = await openTestRunner({
    'package.json': manifest({ hello: 'echo hello' }),
    'node_modules/.bin/tsc': '#!/bin/sh\necho "tsc $*"\n',
  })
  await chmod(path.join(root, 'node_modules/.bin/tsc'), 0o755)
  const bin = path.join(root, 'node_modules/.bin')
  for (const program of ['node', 'npm', 'npx', 'bash', 'sh', 'cat'])
    await symlink(
      execFileSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim(),
      path.join(bin, program),
    )
  process.env.PATH = bin
  try {
    const text = async (command: string) => steady(((await run('runCommand', { command })) as ToolResult).text)
    expect(await check('runCommand', { command: 'pnpm hello' })).not.toHaveProperty('checked.needsApproval')
    expect(await text('pnpm hello --loud')).toMatch(
      /^\(pnpm is not installed here; ran `npm run hello -- --loud` instead\)\nexit code 0, N s\n[\s\S]*\nhello --loud$/,
    )
    expect(await text("yarn tsc -p 'a b'")).toBe(
      "(yarn is not installed here; ran `npx --no-install tsc -p 'a b'` instead)\nexit code 0, N s\ntsc -p a b",
    )
    expect(await check('runCommand', { command: 'pnpm exec cowsay' })).toMatchObject({
      checked: { needsApproval: 'run `npx --no-install cowsay`' },
    })
    expect(await text('pnpm hello 2>&1 | cat')).toMatch(
      /^exit code 127, [\s\S]*\n\(pnpm is not installed here: write `npm run <script>` or `npx <program>`\)$/,
    )
    expect(await run('runCommand', { command: 'pnpm run helo' })).toMatchObject({ candidates: ['npm run hello'] })
  } finally {
    process.env.PATH = before
  }
})

test('nothing asks in yolo mode', async () => {
  const { check } = await openTestRunner({}, { approval: 'yolo' })
  const outcome = await check('runCommand', { command: 'ls | wc -l' })
  expect('checked' in outcome && outcome.checked.needsApproval).toBe(undefined)
})

test('a script that does not exist: the scripts there are, as commands, nearest first', async () => {
  const { run } = await openTestRunner({ 'package.json': manifest({ build: 'x', 'test:unit': 'x', docs: 'x' }) })
  expect(await run('runCommand', { command: 'npm run test:nit' })).toEqual({
    kind: 'target.not-found',
    callId: 'c1',
    tool: 'runCommand',
    target: 'script',
    pointer: '/command',
    value: 'npm run test:nit',
    candidates: ['npm run test:unit', 'npm run build', 'npm run docs'],
    exhaustive: true,
    lead: expect.closeTo(8 / 9),
  })
})

test('what a person could not see is refused or made visible', async () => {
  const { run, check, put } = await openTestRunner({ 'package.json': manifest({ test: 'node --test' }) })
  const reason = (message: string) => ({ kind: 'call.invalid-arguments', errors: [{ pointer: '/command', message }] })
  const hidden = (code: string) => reason(`holds the invisible character ${code}; write it escaped`)
  expect(await run('runCommand', { command: 'npm test \u202e; touch x\u202c' })).toMatchObject(hidden('U+202E'))
  expect(await run('runCommand', { command: 'npm test\u200b' })).toMatchObject(hidden('U+200B'))
  expect(await run('runCommand', { command: 'ls\u001b[2K' })).toMatchObject(hidden('U+001B'))
  expect(await run('runCommand', { command: 'ls\u00a0x' })).toMatchObject(hidden('U+00A0'))
  expect(await run('runCommand', { command: `ls ${'x'.repeat(1000)}` })).toMatchObject({
    kind: 'call.invalid-arguments',
    errors: [{ pointer: '/command', keyword: 'maxLength' }],
  })
  const asks = (needsApproval: string) => ({ checked: { needsApproval } })
  expect(await check('runCommand', { command: `npm test${' '.repeat(900)}; touch x` })).toMatchObject(
    asks('run `npm test[900 blanks]; touch x`'),
  )
  await put('package.json', manifest({ test: `node --test${' '.repeat(50)}\u202e\n; touch x` }))
  expect(await check('runCommand', { command: 'npm test' })).toMatchObject(
    asks('run `npm test`, whose script was changed in this run: test: node --test[50 blanks][U+202E][U+000A]; touch x'),
  )
  await put('package.json', manifest({ test: `node --test # ${'words '.repeat(200)}; touch x` }))
  expect(await run('runCommand', { command: 'npm test' })).toMatchObject(
    reason('runs a script that was changed in this run and is too long to be shown'),
  )
})

test('a second line is refused', async () => {
  const { run } = await openTestRunner({})
  expect(await run('runCommand', { command: 'ls\nrm x' })).toMatchObject({
    kind: 'call.invalid-arguments',
    errors: [{ pointer: '/command', keyword: 'pattern' }],
  })
})

test.each([
  ['echo out; echo err >&2', 0, 'exit code 0, N s\nout\nerr'],
  ['true', 0, 'exit code 0, N s\n(no output)'],
  ['exit 3', 3, 'exit code 3, N s\n(no output)'],
  ['false | cat', 1, 'exit code 1, N s\n(no output)'],
  ['cat', 0, 'exit code 0, N s\n(no output)'],
  [
    'printf "\\033[31mred\\033[0m"; echo " CI=$CI NO_COLOR=$NO_COLOR FORCE_COLOR=$FORCE_COLOR"',
    0,
    'exit code 0, N s\nred CI=1 NO_COLOR=1 FORCE_COLOR=',
  ],
  ['local-tool', 0, 'exit code 0, N s\nfound'],
])('%s', async (command, exitCode, text) => {
  const { root, run } = await openTestRunner({ 'node_modules/.bin/local-tool': '#!/bin/sh\necho found\n' })
  await chmod(path.join(root, 'node_modules/.bin/local-tool'), 0o755)
  const result = (await run('runCommand', { command })) as ToolResult
  expect({ ...result, text: steady(result.text) }).toEqual({ text, exitCode, edits: [], changed: [] })
})

test('much output: head and tail, the whole of it in the log', async () => {
  const { outer } = await openTestRunner({})
  const log = path.join(outer, 'log.txt')
  const { run } = await openTestRunner({}, { commandLog: log })
  const command = 'for i in $(seq 1 20000); do echo "line $i"; done; echo the summary'
  const result = (await run('runCommand', { command })) as ToolResult
  expect(Buffer.byteLength(result.text)).toBeLessThan(12.5 * 1024)
  expect(result.text.split('\n').slice(1, 3)).toEqual(['line 1', 'line 2'])
  expect(result.text).toMatch(/\n\[\.\.\. \d+ lines left out \.\.\.\]\n/)
  expect(result.text.endsWith('line 20000\nthe summary')).toBe(true)
  expect((await readFile(log, 'utf8')).split('\n').length).toBe(20002)
})

test('keys are neither passed on nor shown nor logged', async () => {
  const { outer } = await openTestRunner({})
  const log = path.join(outer, 'log.txt')
  const redact = (text: string) => text.replaceAll('SECRETKEY', '[redacted]')
  const { run } = await openTestRunner({}, { commandLog: log, redact })
  process.env.GEMINI_API_KEY = 'SECRETKEY'
  process.env.GOATFIED_X = 'x'
  try {
    const command = 'echo "key=$GEMINI_API_KEY x=$GOATFIED_X"; printf SECRET; sleep 0.2; echo KEY; printf SECRETKEY'
    expect(steady(((await run('runCommand', { command })) as ToolResult).text)).toBe(
      'exit code 0, N s\nkey= x=\n[redacted]\n[redacted]',
    )
  } finally {
    delete process.env.GEMINI_API_KEY
    delete process.env.GOATFIED_X
  }
  expect(await readFile(log, 'utf8')).toBe('key= x=\n[redacted]\n[redacted]')
})

test('a deadline ends it, with what was printed so far', async () => {
  const { run } = await openTestRunner({}, { commandDeadlineMs: 700 })
  const result = (await run('runCommand', { command: 'echo watching; sleep 60' })) as ToolResult
  expect({ ...result, exitCode: 0 }).toEqual({
    text: 'ended by the deadline of 0.7 s; printed so far:\nwatching',
    exitCode: 0,
    edits: [],
    changed: [],
  })
})

test('an abort ends it with the failure that the signal carries', async () => {
  const { run } = await openTestRunner({})
  const failure = { kind: 'budget.time', limitMs: 5 } as const
  const controller = new AbortController()
  setTimeout(() => controller.abort(new FailureError(failure, 'time is up')), 200)
  expect(await run('runCommand', { command: 'sleep 60' }, controller.signal)).toEqual(failure)
  const plain = new AbortController()
  plain.abort()
  expect(await run('runCommand', { command: 'sleep 60' }, plain.signal)).toEqual({
    kind: 'user.cancelled',
    signal: 'SIGINT',
  })
})

test('files that a command makes are told and known', async () => {
  const { run, index } = await openTestRunner({ 'src/a.ts': '' })
  await index.files()
  expect(await run('runCommand', { command: 'echo x > src/made.ts' })).toMatchObject({ changed: ['src/made.ts'] })
  expect(await index.files()).toEqual(['src/a.ts', 'src/made.ts'])
})
