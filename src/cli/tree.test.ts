import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { JsonObject } from '../core/json.ts'
import type { AnswerBlock } from '../simulator/turn.ts'
import {
  bed,
  edit,
  eventsOf,
  type Files,
  finish,
  git,
  inTurn,
  only,
  PROJECT,
  plan,
  QUICK_PROJECT,
  repository,
  stateOf,
  temporaryFolder,
} from './testing.ts'

const TASK = 'add() gives wrong sums'
const MATH = PROJECT['src/math.js'] ?? ''
const MENDED = MATH.replace('a - b', 'a + b')
const call = (name: string, input: JsonObject) => ({ call: name, input })
const mend = edit('src/math.js', 'a - b', 'a + b')
const spoil = edit('src/math.js', 'a * 2', 'a * 3')

/** A run whose only attempt is rejected by the tests: the calls, then an edit that breaks one. Gives its exit code. */
async function fails(cwd: string, ...calls: readonly AnswerBlock[]): Promise<number | null> {
  const { run } = await bed(inTurn([plan('src/math.js'), ...calls, spoil, finish]))
  const ended = await run(['fix', TASK, '-C', cwd, '--max-attempts', '1', '--max-turns', '1'])
  expect(ended.stderr).toContain('✗ attempt 1 rejected (')
  return ended.exitCode
}

async function mends(cwd: string, ...calls: readonly AnswerBlock[]): Promise<number | null> {
  const { run } = await bed(inTurn([plan('src/math.js'), ...calls, finish]))
  return (await run(['fix', TASK, '-C', cwd])).exitCode
}

const write = (root: string, name: string, text: string | Uint8Array): void => {
  mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
  writeFileSync(path.join(root, name), text)
}
const read = (root: string, name: string): string => readFileSync(path.join(root, name), 'utf8')

it("leaves a person's stashes, untracked and ignored files alone when an attempt fails (B61, B63, B64)", async () => {
  const root = repository(QUICK_PROJECT)
  write(root, 'src/math.js', `${MATH}// mine, put aside\n`)
  git(root, '-c', 'user.name=t', '-c', 'user.email=t@example.invalid', 'stash', 'push', '--message', 'mine')
  write(root, 'out/data.jsonl', '{"large":true}\n')
  write(root, 'ignored.txt', 'ignored')
  const before = stateOf(root)
  expect([
    await fails(root, call('createFile', { path: 'src/made/new.ts', content: 'export {}\n' })),
    stateOf(root),
  ]).toEqual([53, before])
  expect(git(root, 'stash', 'list', '--format=%s')).toBe('On main: mine\n')
})

it('never moves or removes what another process writes meanwhile (B66)', async () => {
  const root = repository(QUICK_PROJECT)
  const { run } = await bed((_, n) => {
    if (n === 0) return [plan('src/math.js'), spoil]
    write(root, 'other.txt', 'somebody else')
    write(root, 'docs/deep/other.md', 'somebody else')
    return [call('createFile', { path: 'docs/deep/ours.md', content: 'ours' }), finish]
  })
  const ended = await run(['fix', TASK, '-C', root, '--max-attempts', '1', '--max-turns', '2'])
  expect([ended.exitCode, read(root, 'other.txt'), read(root, 'src/math.js')]).toEqual([53, 'somebody else', MATH])
  expect(git(root, 'status', '--porcelain', '-uall')).toBe('?? docs/deep/other.md\n?? other.txt\n')
})

it('keeps what somebody else made of a file that the run had changed, and says so', async () => {
  const root = repository(QUICK_PROJECT)
  const { run } = await bed((_, n) => {
    if (n === 1) write(root, 'src/math.js', `${read(root, 'src/math.js')}// by hand\n`)
    return n === 0 ? [plan('src/math.js'), spoil, call('createFile', { path: 'made.js', content: '' })] : [finish]
  })
  const ended = await run([
    'fix',
    TASK,
    '-C',
    root,
    '--output-format',
    'json',
    '--max-attempts',
    '1',
    '--max-turns',
    '2',
  ])
  expect([ended.exitCode, JSON.parse(ended.stdout).conflicts]).toEqual([53, ['src/math.js']])
  expect(read(root, 'src/math.js')).toBe(`${MATH.replace('a * 2', 'a * 3')}// by hand\n`)
  expect(git(root, 'status', '--porcelain')).toBe(' M src/math.js\n')
})

it('works before the first commit, staged files included (B72)', async () => {
  const root = repository(QUICK_PROJECT, { git: false })
  git(root, 'init', '--quiet', '--initial-branch=main')
  git(root, 'add', 'src', 'package.json')
  write(root, 'src/math.js', `${MATH}// not staged\n`)
  const index = () => [git(root, 'ls-files', '-s'), git(root, 'status', '--porcelain', '-uall')]
  const before = [stateOf(root, { underGit: false }), index()]
  expect([
    await fails(root, call('deleteFile', { path: '.gitignore' })),
    [stateOf(root, { underGit: false }), index()],
  ]).toEqual([53, before])
  expect([await mends(root, mend), read(root, 'src/math.js')]).toEqual([0, `${MENDED}// not staged\n`])
})

it('works in a plain directory with a package.json (B73)', async () => {
  const root = repository(QUICK_PROJECT, { git: false })
  const before = stateOf(root, { underGit: false })
  const made = call('createFile', { path: 'src/made.js', content: '' })
  expect([await fails(root, made), stateOf(root, { underGit: false })]).toEqual([53, before])
  expect([await mends(root, mend), read(root, 'src/math.js')]).toEqual([0, MENDED])
})

it("runs none of the repository's hooks and filters (B78)", async () => {
  const root = repository({ ...QUICK_PROJECT, '.gitattributes': '*.js filter=shout\n' })
  const sentinel = path.join(temporaryFolder('sentinel'), 'ran')
  for (const hook of ['pre-commit', 'post-checkout', 'post-index-change', 'reference-transaction', 'post-commit']) {
    write(root, `.git/hooks/${hook}`, `#!/bin/sh\necho ${hook} >> ${sentinel}\n`)
    chmodSync(path.join(root, '.git/hooks', hook), 0o755)
  }
  git(root, 'config', 'filter.shout.smudge', `sh -c 'echo smudge >> ${sentinel}; tr a-z A-Z'`)
  git(root, 'config', 'core.fsmonitor', '')
  rmSync(sentinel, { force: true })
  expect([await fails(root), read(root, 'src/math.js')]).toEqual([53, MATH])
  expect(() => statSync(sentinel)).toThrow('ENOENT')
})

it('keeps mode, link, line endings, BOM and a missing final newline through a run (B06, B16, B24, B25)', async () => {
  const windows = `\uFEFF${MATH.trimEnd().replaceAll('\n', '\r\n')}`
  const root = repository({
    ...QUICK_PROJECT,
    'src/math.js': windows,
    'bin/run.sh': '#!/bin/sh\necho one\n',
    'conf/base.js': 'one',
  })
  chmodSync(path.join(root, 'bin/run.sh'), 0o755)
  symlinkSync('conf/base.js', path.join(root, 'conf.js'))
  const before = stateOf(root)
  const edits = [
    edit('bin/run.sh', 'echo one', 'echo two'),
    edit('conf.js', 'one', 'two'),
    edit('src/math.js', '(a, b) {\n  return a - b', '(a, b) {\n  return a + b'),
  ]
  expect([await fails(root, ...edits), stateOf(root)]).toEqual([53, before])
  expect([await mends(root, ...edits), read(root, 'src/math.js')]).toEqual([0, windows.replace('a - b', 'a + b')])
  expect([read(root, 'conf/base.js'), statSync(path.join(root, 'bin/run.sh')).mode & 0o777]).toEqual(['two', 0o755])
  write(root, 'conf/base.js', 'one')
  write(root, 'bin/run.sh', '#!/bin/sh\necho one\n')
  write(root, 'src/math.js', windows)
  expect(stateOf(root)).toEqual(before)
})

/** The project in `packages/app` of a repository whose top is none. */
const NESTED: Files = Object.fromEntries(
  Object.entries(QUICK_PROJECT).map(([name, text]) => [`packages/app/${name}`, text]),
)

it('works in a package below the top of the git repository', async () => {
  const top = repository({ ...NESTED, 'other/file.txt': 'other\n' })
  write(top, 'other/file.txt', 'changed by a person\n')
  const app = path.join(top, 'packages/app')
  const before = stateOf(top)
  expect([
    await fails(path.join(app, 'src'), call('createFile', { path: 'new.js', content: '' })),
    stateOf(top),
  ]).toEqual([53, before])
  expect([await mends(app, mend), git(top, 'status', '--porcelain')]).toEqual([
    0,
    ' M other/file.txt\n M packages/app/src/math.js\n',
  ])
})

it('works in a linked worktree, and leaves the main one alone', async () => {
  const main = repository(QUICK_PROJECT)
  const linked = path.join(temporaryFolder('linked'), 'tree')
  git(main, 'worktree', 'add', '--quiet', '-b', 'other', linked)
  const before = [stateOf(main), stateOf(linked)]
  expect([await fails(linked, call('deleteFile', { path: '.gitignore' })), [stateOf(main), stateOf(linked)]]).toEqual([
    53,
    before,
  ])
  expect([await mends(linked, mend), read(linked, 'src/math.js'), stateOf(main)]).toEqual([0, MENDED, before[0]])
})

it('changes nothing outside of the repository, whatever way leads there (B32)', async () => {
  const outside = temporaryFolder('outside')
  const root = repository(QUICK_PROJECT)
  const sibling = `${root}-evil`
  mkdirSync(sibling)
  onTestFinished(() => rmSync(sibling, { recursive: true, force: true }))
  for (const folder of [outside, sibling]) write(folder, 'file.js', 'mine\n')
  symlinkSync(outside, path.join(root, 'link'))
  symlinkSync(path.join(outside, 'none.md'), path.join(root, 'dangling.md'))
  symlinkSync(path.join(outside, 'file.js'), path.join(root, 'linked.js'))
  const before = [stateOf(root), stateOf(outside, { underGit: false }), stateOf(sibling, { underGit: false })]
  const create = (name: string) => call('createFile', { path: name, content: 'x' })
  const ways = [
    create('link/new.js'),
    create('dangling.md'),
    create('../escaped.js'),
    create(`${sibling}/new.js`),
    create('.git/hooks/pre-commit'),
    edit('linked.js', 'mine', 'x'),
    edit(`../${path.basename(sibling)}/file.js`, 'mine', 'x'),
    call('deleteFile', { path: 'link/file.js' }),
    call('moveFile', { from: 'link/file.js', to: 'src/file.js' }),
    call('moveFile', { from: 'src/math.js', to: 'link/math.js' }),
  ]
  const left = [...ways]
  const { run } = await bed(({ body }, n) => {
    // What asks for one call again offers its tool alone.
    if (Array.isArray(body.tools) && body.tools.length === 1) return [{ text: 'No.' }]
    return [...(n === 0 ? [plan('src/math.js')] : []), left.shift() ?? call('listFiles', {})]
  })
  const ended = await run(['fix', TASK, '-C', root, '--json', '-y', '--max-turns', '25'])
  expect(only(eventsOf(ended), 'call.ended').filter(({ changed }) => changed.length > 0)).toEqual([])
  expect([stateOf(root), stateOf(outside, { underGit: false }), stateOf(sibling, { underGit: false })]).toEqual(before)
  expect([1, 53]).toContain(ended.exitCode)
  expect([left, only(eventsOf(ended), 'call.failed').length >= ways.length]).toEqual([[], true])
})
