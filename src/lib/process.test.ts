import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ProcessRequest, runProcess } from './process.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'goatfied-process-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

function script(code: string, more: Partial<ProcessRequest> = {}) {
  return runProcess({ file: process.execPath, args: ['-e', code], cwd: folder, deadlineMs: 20_000, ...more })
}

function shell(command: string, more: Partial<ProcessRequest> = {}) {
  return runProcess({ file: 'sh', args: ['-c', command], cwd: folder, deadlineMs: 20_000, ...more })
}

/** Zombies that nobody has collected yet are dead. */
function alive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
  return /^[^Z]/.test(stdout.trim())
}

describe('how a command ends', () => {
  test('by itself: exit code, both streams, both in order', async () => {
    const result = await shell('echo out; echo err >&2; exit 3')
    expect({ ...result, output: result.output.split('\n').sort(), ms: 0 }).toEqual({
      status: 'exited',
      exitCode: 3,
      stdout: 'out\n',
      stderr: 'err\n',
      output: ['', 'err', 'out'],
      truncated: false,
      ms: 0,
    })
  })

  test("by a signal that isn't ours", async () => {
    const result = await shell('kill -SEGV $$')
    expect({ status: result.status, signalName: result.signalName }).toEqual({
      status: 'killed',
      signalName: 'SIGSEGV',
    })
  })

  test('a command that reads its input gets the end of file at once', async () => {
    const result = await runProcess({ file: 'cat', args: [], cwd: folder, deadlineMs: 20_000 })
    expect({ ...result, ms: 0 }).toEqual({
      status: 'exited',
      exitCode: 0,
      stdout: '',
      stderr: '',
      output: '',
      truncated: false,
      ms: 0,
    })
  })

  test('input arrives; a command that does not read it is fine', async () => {
    const read = await runProcess({ file: 'cat', args: [], cwd: folder, deadlineMs: 20_000, input: 'höhö' })
    const ignored = await shell('exit 0', { input: 'x'.repeat(1_000_000) })
    expect([read.stdout, ignored.exitCode]).toEqual(['höhö', 0])
  })

  test.each([
    [
      'a missing binary',
      { file: 'no-such-binary-anywhere' },
      'no-such-binary-anywhere is not installed, or not in a folder of PATH',
    ],
    ['a missing file', { file: './nothing-here' }, './nothing-here does not exist'],
    [
      'a missing folder',
      { file: 'sh', cwd: '/no/such/folder' },
      "the folder /no/such/folder does not exist or can't be read",
    ],
    ['a file as folder', { file: 'sh', cwd: process.execPath }, `${process.execPath} is not a folder`],
    ['a file without permission', { file: '/dev/null' }, '/dev/null may not be executed (no permission)'],
  ])('not at all, for %s', async (_, request, reason) => {
    const result = await runProcess({ args: [], cwd: folder, deadlineMs: 20_000, ...request })
    expect({ ...result, ms: 0 }).toEqual({
      status: 'not-started',
      stdout: '',
      stderr: '',
      output: '',
      truncated: false,
      ms: 0,
      reason,
    })
  })

  test('arguments that no process can have are told, not thrown', async () => {
    const result = await runProcess({ file: 'sh', args: ['a\0b'], cwd: folder, deadlineMs: 20_000 })
    expect(result).toMatchObject({ status: 'not-started', reason: expect.stringContaining("sh can't be started") })
  })
})

describe('the whole group is ended', () => {
  const stubborn = `trap '' TERM; ${process.execPath} -e 'process.on("SIGTERM",()=>{});console.log(process.pid);setInterval(()=>{},1000)' & wait; wait; wait`

  test('on the deadline, even when it refuses SIGTERM; what it printed is kept', async () => {
    const result = await shell(stubborn, { deadlineMs: 700 })
    const child = Number(result.stdout)
    expect({ status: result.status, isPid: child > 1, childAlive: alive(child) }).toEqual({
      status: 'deadline',
      isPid: true,
      childAlive: false,
    })
  })

  test('on an abort', async () => {
    const controller = new AbortController()
    let child = 0
    const result = await shell(stubborn, {
      signal: controller.signal,
      onLine: (line) => {
        child = Number(line)
        controller.abort()
      },
    })
    expect({ status: result.status, isPid: child > 1, childAlive: alive(child) }).toEqual({
      status: 'aborted',
      isPid: true,
      childAlive: false,
    })
  })

  test('when this process ends before it', async () => {
    const entry = fileURLToPath(new URL('./process.ts', import.meta.url))
    await build({
      entryPoints: [entry],
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: join(folder, 'process.mjs'),
    })
    const child = await script(`
      import('./process.mjs').then(({ runProcess }) => {
        const onLine = (line) => { console.log(line); process.exit(0) }
        runProcess({ file: 'sh', args: ['-c', 'sleep 60 & echo $!; wait'], cwd: '.', deadlineMs: 20_000, onLine })
      })`)
    const sleeping = Number(child.stdout)
    expect({ isPid: sleeping > 1, alive: alive(sleeping) }).toEqual({ isPid: true, alive: false })
  })

  test('an aborted signal starts nothing', async () => {
    const result = await shell('touch started', { signal: AbortSignal.abort() })
    await expect(readFile(join(folder, 'started'))).rejects.toThrow('ENOENT')
    expect(result.status).toBe('aborted')
  })

  test('a background child neither holds the result nor outlives it', async () => {
    const result = await shell('sleep 60 & echo $!')
    expect({ status: result.status, exitCode: result.exitCode, alive: alive(Number(result.stdout)) }).toEqual({
      status: 'exited',
      exitCode: 0,
      alive: false,
    })
  })

  test('a process that left the group does not hold the result', async () => {
    const result = await script(
      `const {spawn}=require('node:child_process');const c=spawn(process.execPath,['-e','setTimeout(()=>{},8000)'],{detached:true,stdio:'inherit'});console.log(c.pid);c.unref()`,
    )
    process.kill(Number(result.stdout))
    expect({ status: result.status, exitCode: result.exitCode }).toEqual({ status: 'exited', exitCode: 0 })
  })
})

describe('output', () => {
  test('is capped at head and tail, and whole in the log', async () => {
    const logFile = join(folder, 'logs', 'big.log')
    const result = await script(
      `console.log('first');process.stdout.write(('x'.repeat(99)+'\\n').repeat(50_000));console.log('last')`,
      {
        maxOutputBytes: 1000,
        logFile,
      },
    )
    expect(result).toMatchObject({ status: 'exited', exitCode: 0, truncated: true })
    expect(result.stdout).toMatch(/^first\nx+\n[x\n]*\n\[\.\.\. \d+ bytes left out \.\.\.\]\n[x\n]*\nlast\n$/)
    expect(Buffer.byteLength(result.stdout)).toBeLessThan(1100)
    expect((await readFile(logFile)).length).toBe(6 + 100 * 50_000 + 5)
  })

  test('the log is appended to', async () => {
    const logFile = join(folder, 'twice.log')
    await shell('echo one', { logFile })
    await shell('echo two', { logFile })
    expect(await readFile(logFile, 'utf8')).toBe('one\ntwo\n')
  })

  test('a log that cannot be written does not fail the command', async () => {
    await writeFile(join(folder, 'a-file'), '')
    const result = await shell('echo on', { logFile: join(folder, 'a-file', 'x.log') })
    expect(result.stdout).toBe('on\n')
  })

  test('lines come whole and plain, the last one too', async () => {
    const lines: string[] = []
    await script(
      `process.stdout.write('\\x1b[31mFA');setTimeout(()=>process.stdout.write('IL\\x1b[39m\\r\\nh'+Buffer.from('é')+'\\n\\nend'),50)`,
      { onLine: (line) => lines.push(line) },
    )
    expect(lines).toEqual(['FAIL', 'hé', '', 'end'])
  })
})

test('the environment is ours with the given values over it', async () => {
  process.env.GOATFIED_TEST_A = 'a'
  process.env.GOATFIED_TEST_B = 'b'
  const result = await shell('echo "$GOATFIED_TEST_A-$GOATFIED_TEST_B-$GOATFIED_TEST_C"', {
    env: { GOATFIED_TEST_B: undefined, GOATFIED_TEST_C: 'c' },
  })
  delete process.env.GOATFIED_TEST_A
  delete process.env.GOATFIED_TEST_B
  expect(result.stdout).toBe('a--c\n')
})
