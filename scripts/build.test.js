import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Script } from 'node:vm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildBundle } from './build.js'
import { isCompatible } from './licenses.js'

/** @type {string} */
let root
beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'goatfied-build-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** @param {string} file @param {string} text */
const write = (file, text) => {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
  writeFileSync(path.join(root, file), text)
}
/** @param {string} name @param {string} license @param {string} code */
const addPackage = (name, license, code) => {
  write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', license, main: 'index.js' }))
  write(`node_modules/${name}/index.js`, code)
  write(`node_modules/${name}/LICENSE`, `The licence of ${name}.`)
}
const build = () => buildBundle({ root, entry: 'src/main.ts', outDir: 'dist', modules: ['src/late.ts'] })

beforeEach(() => {
  write('package.json', '{ "version": "4.5.6", "type": "module" }')
  write(
    'src/main.ts',
    `declare const GOATFIED_VERSION: string
     import('./lazy.ts').then(async ({ folder }) => {
       const { late } = await import('./late.ts')
       console.log(GOATFIED_VERSION, process.env.NODE_ENV, folder, late)
     })`,
  )
  write('src/lazy.ts', `import { base } from 'old'\nexport const folder: string = base('/a/b')`)
  write('src/late.ts', `import { base } from 'old'\nexport const late = await Promise.resolve(base('/late'))`)
  addPackage('old', 'MIT', `exports.base = require('path').basename`)
})

test('the bundle runs, CommonJS packages included, and leaves nothing of an older one', async () => {
  write('dist/chunk-OLD.js', '')
  await build()
  expect(execFileSync(process.execPath, ['dist/main.js'], { cwd: root, encoding: 'utf8' })).toBe(
    '4.5.6 production b late\n',
  )
  expect(existsSync(path.join(root, 'dist/chunk-OLD.js'))).toBe(false)
})

test('what is compiled ahead is taken by this Node, and is that of the present text', async () => {
  await build()
  write('src/lazy.ts', `import { base } from 'old'\nexport const folder: string = base('/a/c')`)
  await build()
  const names = readdirSync(path.join(root, 'dist')).filter((name) => name.endsWith('.js'))
  const folder = `dist/compiled/${process.versions.v8}-${process.arch}`
  const compiled = readdirSync(path.join(root, folder))
  expect(compiled).toEqual(names.filter((name) => !['import.js', 'main.js'].includes(name)))
  expect(compiled.length).toBeGreaterThan(0)
  for (const name of compiled) {
    const code = readFileSync(path.join(root, 'dist', name), 'latin1')
    const wrapped = `(function (exports, require, module, __filename, __dirname) {${code}\n})`
    const cachedData = readFileSync(path.join(root, folder, name))
    expect(new Script(wrapped, { cachedData }).cachedDataRejected).toBe(false)
  }
})

test('the licences of what is bundled stand beside it', async () => {
  await build()
  const rule = '-'.repeat(80)
  expect(readFileSync(path.join(root, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8')).toBe(
    `This program contains the following packages.\n\n${rule}\n\nold 1.0.0 (MIT)\n\nThe licence of old.\n`,
  )
})

test('a licence that is not compatible fails the build, and the last bundle stays', async () => {
  write('dist/main.js', 'the last one')
  addPackage('old', 'GPL-3.0-only', `exports.base = require('path').basename`)
  await expect(build()).rejects.toThrow('old 1.0.0: "GPL-3.0-only"')
  expect(readFileSync(path.join(root, 'dist/main.js'), 'utf8')).toBe('the last one')
})

test.each([
  ['MIT', true],
  ['(MIT OR GPL-3.0-only)', true],
  ['(BSD-2-Clause OR MIT OR Apache-2.0)', true],
  ['MIT AND ISC', true],
  ['MIT AND GPL-2.0', false],
  ['AGPL-3.0', false],
  ['SEE LICENSE IN LICENSE', false],
  [undefined, false],
])('%j is compatible with MIT: %j', (license, compatible) => expect(isCompatible(license)).toBe(compatible))
