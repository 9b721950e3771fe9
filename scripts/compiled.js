// Turns the chunks of the bundle into CommonJS, and compiles them ahead for the Node that builds.

import { setFlagsFromString } from 'node:v8'
import { Script } from 'node:vm'
import { transformSync } from 'esbuild'

/** Chunks of the bundle and Node's own modules, which `require` loads. */
const LAZY = /\bawait import\("((?:\.\/[^"]+\.js|node:[^"]+))"\)/g
const FOREIGN = /\bawait import\(/g

/** What loads an ES module for compiled code, which can't do so by itself: as `import.js` beside the chunks. */
export const IMPORT = 'module.exports = (id) => import(id)\n'

/**
 * A chunk as CommonJS, which loads without the detours of the loader for ES modules, without blanks and with all names.
 * @param {string} code @returns {string}
 */
export function toCommonJs(code) {
  const lazy = code
    .replaceAll(LAZY, (_, id) => `await Promise.resolve().then(() => require("${id}"))`)
    .replaceAll(FOREIGN, 'await importOfChunk(')
  const { code: made } = transformSync(lazy, {
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    minifyWhitespace: true,
    minifySyntax: true,
    define: { 'import.meta.url': 'urlOfChunk', 'import.meta.dirname': '__dirname' },
  })
  // Code of packages may give `require` a meaning of its own where these are used.
  const own = []
  if (/\burlOfChunk\b/.test(made)) own.push(`const urlOfChunk=require('node:url').pathToFileURL(__filename).href;`)
  if (/\bimportOfChunk\b/.test(made)) own.push(`const importOfChunk=(id)=>require('./import.js')(id);`)
  return `${own.join('')}${made}`
}

/**
 * What V8 makes of the code of a module, functions that are not called at once included. It is of use to the same V8 only,
 * which sees for itself whether it is, by version, flags and the length of the code.
 * @param {string} code @returns {Buffer}
 */
export function compiled(code) {
  // Wrapped as bin/goatfied.js does.
  const wrapped = `(function (exports, require, module, __filename, __dirname) {${code}\n})`
  setFlagsFromString('--no-lazy')
  const script = new Script(wrapped)
  // The flags in force when it is written have to be those under which it is read.
  setFlagsFromString('--lazy')
  return script.createCachedData()
}
