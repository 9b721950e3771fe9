import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readScenario } from './scenario.ts'
import type { Turn } from './turn.ts'

/** The demo's repository and its scenario belong together: what the one says of the other has to hold. */

const root = fileURLToPath(new URL('../../', import.meta.url))
let folder: string
let turns: readonly Turn[]

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'goatfied-demo-'))
  await cp(path.join(root, 'fixtures/repos/demo'), folder, { recursive: true })
  await mkdir(path.join(folder, 'node_modules'))
  for (const name of ['typescript', 'eslint', 'typescript-eslint', 'vitest'])
    await symlink(path.join(root, 'node_modules', name), path.join(folder, 'node_modules', name), 'junction')
  turns = (await readScenario(path.join(root, 'fixtures/scenarios/demo.json'))).turns
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Exit code and output of a package's script, run in the repository. */
function run(script: string, ...args: string[]): Promise<{ code: number; output: string }> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')))
  return new Promise((resolve) => {
    const file = path.join(folder, 'node_modules', script)
    execFile(process.execPath, [file, ...args], { cwd: folder, env, timeout: 50_000 }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? -1) : 0, output: stdout + stderr }),
    )
  })
}

const types = () => run('typescript/bin/tsc', '--noEmit', '--pretty', 'false')
const lint = () => run('eslint/bin/eslint.js', '.')
async function tests(): Promise<{ passed: number; failed: string[] }> {
  await run('vitest/vitest.mjs', 'run', '--reporter=json', '--outputFile=results.json')
  const results = JSON.parse(await readFile(path.join(folder, 'results.json'), 'utf8'))
  const all: { fullName: string; status: string }[] = results.testResults.flatMap(
    (file: { assertionResults: unknown[] }) => file.assertionResults,
  )
  return {
    passed: all.filter(({ status }) => status === 'passed').length,
    failed: all.filter(({ status }) => status !== 'passed').map(({ fullName }) => fullName),
  }
}

interface EditCall {
  readonly path: string
  readonly edits: readonly { readonly oldText: string; readonly newText: string }[]
}

/** The calls of `editFile` in the scenario, in order. */
function editCalls(): EditCall[] {
  return turns.flatMap(({ answer = [] }) =>
    answer.flatMap((block) =>
      'call' in block && block.call === 'editFile' ? [block.input as unknown as EditCall] : [],
    ),
  )
}

/** Makes the edits of a call, each of which has to fit exactly once; gives back how to undo them. */
async function apply(call: EditCall | undefined): Promise<() => Promise<void>> {
  if (!call) throw new Error('the scenario has no such call')
  const file = path.join(folder, call.path)
  const before = await readFile(file, 'utf8')
  const after = call.edits.reduce((text, { oldText, newText }) => {
    expect(text.split(oldText)).toHaveLength(2)
    return text.replace(oldText, () => newText)
  }, before)
  await writeFile(file, after)
  return () => writeFile(file, before)
}

it('has one failing test, and clean types and lint', async () => {
  expect(await types()).toEqual({ code: 0, output: '' })
  expect(await lint()).toEqual({ code: 0, output: '' })
  expect(await tests()).toEqual({ passed: 27, failed: ['cart totals round half a cent up'] })
})

it('has no file at the mistyped path of the scenario', async () => {
  await expect(apply(editCalls()[0])).rejects.toMatchObject({ code: 'ENOENT' })
})

it('does not compile after the first edit of the scenario', async () => {
  const undo = await apply(editCalls()[1])
  expect(await types()).toEqual({
    code: 2,
    output: "src/cart/totals.ts(12,3): error TS2322: Type 'string' is not assignable to type 'number'.\n",
  })
  await undo()
})

it('is clean and passes all tests after the last edit of the scenario', async () => {
  await apply(editCalls()[2])
  expect(await types()).toEqual({ code: 0, output: '' })
  expect(await lint()).toEqual({ code: 0, output: '' })
  expect(await tests()).toEqual({ passed: 28, failed: [] })
})
