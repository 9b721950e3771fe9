#!/usr/bin/env node
const { existsSync, readFileSync } = require('node:fs')
const { join } = require('node:path')

const DIST = join(__dirname, '../dist')
const [, , first, ...rest] = process.argv
if ((first === '--version' || first === '-V') && rest.length === 0) {
  // The commonest question is answered before anything is loaded.
  const { version } = JSON.parse(readFileSync(join(__dirname, '../package.json'), 'utf8'))
  process.stdout.write(`${version}\n`)
} else if (existsSync(join(DIST, 'main.js'))) {
  start()
} else {
  process.stderr.write('goatfied: dist/ is missing; run "npm run build" (or "npm start") in the checkout first.\n')
  process.exitCode = 2
}

function start() {
  const { enableCompileCache } = require('node:module')
  const compiled = join(DIST, 'compiled', `${process.versions.v8}-${process.arch}`)
  // Newer Node keeps compiled code between starts by itself, in a folder of its own among the temporary files.
  if (enableCompileCache !== undefined) enableCompileCache()
  else if (existsSync(compiled)) return loader(compiled)('./main.js')
  return require('../dist/main.js')
}

/**
 * Loads modules of the bundle from what the build compiled with the same V8, which takes a third of the time. Code that
 * was compiled from another text or under other flags is refused by V8 and compiled anew.
 * @param {string} compiled folder with a file of compiled code for each module
 */
function loader(compiled) {
  const { Script } = require('node:vm')
  /** @type {Map<string, { exports: unknown }>} */
  const loaded = new Map()
  /** @param {string} id @returns {unknown} */
  return function load(id) {
    if (!id.startsWith('./')) return require(id)
    // Only what Node loads by itself can load an ES module.
    if (id === './import.js') return require(join(DIST, id))
    const known = loaded.get(id)
    if (known !== undefined) return known.exports
    const filename = join(DIST, id)
    const code = readFileSync(filename, 'latin1')
    const cache = join(compiled, id)
    const script = new Script(`(function (exports, require, module, __filename, __dirname) {${code}\n})`, {
      filename,
      ...(existsSync(cache) ? { cachedData: readFileSync(cache) } : {}),
    })
    const module = { exports: {} }
    loaded.set(id, module)
    script.runInThisContext()(module.exports, load, module, filename, DIST)
    return module.exports
  }
}
