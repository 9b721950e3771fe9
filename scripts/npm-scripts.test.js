import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const ROOT = path.join(import.meta.dirname, '..')

/** @type {string} */
let root
beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'goatfied-scripts-'))
  cpSync(path.join(ROOT, 'scripts'), path.join(root, 'scripts'), {
    recursive: true,
    filter: (file) => !/\.test\.|import-|bench/.test(file),
  })
  write('package.json', '{ "name": "checkout", "version": "1.2.3", "type": "module" }\n')
  write('src/model/headers.ts', 'export class Headers {}\n')
  write('src/ui/start.tsx', 'export {};\n')
  write('src/cli/main.ts', 'process.exitCode = process.argv.length\n')
  write('bin/goatfied.js', "console.log('started with', ...process.argv.slice(2))\nawait import('../dist/main.js')\n")
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** @param {string} file @param {string} text */
const write = (file, text) => {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
  writeFileSync(path.join(root, file), text)
}

/** A folder of links, so that nothing done to it reaches the packages of this checkout. */
const linkPackages = () => {
  write('node_modules/.package-lock.json', '{}')
  for (const name of readdirSync(path.join(ROOT, 'node_modules'))) {
    if (!name.startsWith('.')) symlinkSync(path.join(ROOT, 'node_modules', name), path.join(root, 'node_modules', name))
  }
}

/** @param {readonly string[]} args */
const node = (...args) => {
  // What vitest sets would reach the vitest that is started here.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(VITEST|TEST$|NODE_ENV)/.test(name)))
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', env })
  return { status, stdout, stderr }
}

test('start builds and runs the demo, and ends as it does', () => {
  linkPackages()
  expect(node('scripts/start.js', '--keep')).toEqual({ status: 4, stdout: 'started with demo --keep\n', stderr: '' })
})

test('start tells why the packages could not be installed', () => {
  const { status, stdout, stderr } = node('scripts/start.js')
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toMatch(
    /^Installing packages \(npm ci\) …\n[\s\S]*lock[\s\S]*\nThe packages could not be installed \(exit code 1\)\.\n$/,
  )
})

test('start tells why the build failed', () => {
  linkPackages()
  write('src/cli/main.ts', "import './none.ts'\n")
  const { status, stdout, stderr } = node('scripts/start.js')
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toMatch(/Could not resolve ".\/none.ts"[\s\S]*\nThe build failed \(exit code 1\)\.\n$/)
})

const prepareChecks = () => {
  linkPackages()
  write(
    'tsconfig.json',
    '{ "compilerOptions": { "strict": true, "noEmit": true, "types": ["node"] }, "include": ["src"] }\n',
  )
  write('biome.json', '{ "files": { "includes": ["src/**"] } }\n')
  write('knip.json', '{ "entry": ["src/**/*.ts"], "project": ["src/**/*.ts"], "include": ["files"] }\n')
  write('vitest.config.js', 'export default {}\n')
}

/** Lines of the checks, and the last line. @param {string} stdout */
const told = (stdout) => {
  const lines = stdout.trimEnd().split('\n')
  return [...lines.filter((line) => /^(ok|FAILED) /.test(line)), lines.at(-1)]
}

test('test counts the tests, and each failed check and unloadable file as one failed', () => {
  prepareChecks()
  write('src/cli/main.ts', 'export const count: string = 5\n')
  write(
    'src/a.test.ts',
    "import { expect, test } from 'vitest'\ntest('a', () => expect(1).toBe(1))\ntest('b', () => expect(1).toBe(2))\n",
  )
  write('src/b.test.ts', "import './none.ts'\n")
  const { status, stdout } = node('scripts/test.js')
  expect(told(stdout)).toEqual([
    'ok     build',
    'FAILED types',
    'FAILED lint',
    'ok     dead code',
    '1 passed, 4 failed',
  ])
  expect(stdout).toContain('src/cli/main.ts')
  expect(status).toBe(1)
})

test('test ends with 0 when everything holds', () => {
  prepareChecks()
  write('src/cli/main.ts', 'export const count = 5;\n')
  write('src/a.test.ts', 'import { expect, test } from "vitest";\n\ntest("a", () => expect(1).toBe(1));\n')
  const { status, stdout } = node('scripts/test.js')
  expect(told(stdout)).toEqual([
    'ok     build',
    'ok     types',
    'ok     lint',
    'ok     dead code',
    '1 passed, 0 failed',
  ])
  expect(status).toBe(0)
})
