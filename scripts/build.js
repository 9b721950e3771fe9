// Bundles src/cli/main.ts into dist/, with the licences of what is bundled.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'
import { build } from 'esbuild'
import { compiled, IMPORT, toCommonJs } from './compiled.js'
import { licenseText, packageFolders } from './licenses.js'

/** For the Node that builds; see `compiled`. */
const COMPILED = `compiled/${process.versions.v8}-${process.arch}`

/**
 * Writes the bundle of `entry` to `outDir`, in which nothing else is left: CommonJS, for the sake of a fast start. What a lazy
 * `import()` loads becomes a chunk of its own, so that a start reads only what it needs; what it loads of `modules` becomes an
 * ES module with all that it needs, since it waits at its top level. Nothing is touched when the build fails.
 * @param {{ root: string, entry: string, outDir: string, modules?: readonly string[], grammars?: readonly string[] }} options all but
 *   `root` relative to it; `grammars` are WebAssembly files, put compressed into the folder of that name
 * @throws when the sources don't build, or a bundled package has no compatible licence
 */
export async function buildBundle({ root, entry, outDir, modules = [], grammars = [] }) {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const folder = path.join(root, outDir)
  const options = optionsOf(root, outDir, version)
  const [main, ...own] = await Promise.all([
    build({ ...options, entryPoints: [entry], plugins: [leaveOut(modules)] }),
    ...modules.map((module) => build({ ...options, entryPoints: [module], outExtension: { '.js': '.mjs' } })),
  ])
  // What was shaken out of the bundle needs no licence text.
  const bundled = [main, ...own].flatMap(({ metafile }) =>
    Object.values(metafile.outputs).flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
    ),
  )
  const licenses = licenseText(packageFolders([...bundled, ...grammars], root))

  /** @type {Map<string, string | Buffer | (() => Buffer)>} */
  const files = new Map([
    ['package.json', '{ "type": "commonjs" }\n'],
    ['import.js', IMPORT],
  ])
  for (const { path: file, text } of main.outputFiles) {
    const code = toCommonJs(text)
    const name = path.relative(folder, file)
    files.set(name, code)
    // The name of any other chunk stands for its text: compiled code can't be taken for that of another.
    if (/-[A-Z0-9]{8}\.js$/.test(name)) files.set(`${COMPILED}/${name}`, () => compiled(code))
  }
  for (const { path: file, text } of own.flatMap(({ outputFiles }) => outputFiles))
    files.set(path.relative(folder, file), withRequire(text))
  for (const file of grammars)
    files.set(`grammars/${path.basename(file)}.br`, compressed(readFileSync(path.join(root, file))))
  files.set('THIRD-PARTY-LICENSES.txt', licenses)
  replaceFolder(folder, files)
}

/** @param {string} root @param {string} outDir @param {string} version */
function optionsOf(root, outDir, version) {
  return /** @satisfies {import('esbuild').BuildOptions} */ ({
    absWorkingDir: root,
    outdir: outDir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"', GOATFIED_VERSION: JSON.stringify(version) },
    inject: [path.join(import.meta.dirname, 'bundle-globals.ts')],
    // Ink asks for it only when the environment has DEV=true.
    external: ['react-devtools-core'],
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'warning',
  })
}

/** Hardly larger than the smallest there is, which takes seconds. @param {Buffer} bytes */
function compressed(bytes) {
  return brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
}

/** Has these sources loaded from beside the bundle. @param {readonly string[]} modules @returns {import('esbuild').Plugin} */
function leaveOut(modules) {
  return {
    name: 'modules',
    setup({ onResolve, initialOptions }) {
      onResolve({ filter: /^\.\.?\// }, ({ path: file, resolveDir }) => {
        const source = path.relative(initialOptions.absWorkingDir ?? '', path.join(resolveDir, file))
        if (!modules.includes(source)) return undefined
        return { path: `./${path.parse(source).name}.mjs`, external: true }
      })
    },
  }
}

/**
 * CommonJS packages ask for Node's own modules by `require`, which a chunk of an ESM bundle has to make for itself. A chunk
 * that has no need of it starts sooner without.
 * @param {string} code
 */
function withRequire(code) {
  if (!/(?<![\w.$])require\b/.test(code)) return code
  return `import { createRequire as createRequireOfBundle } from 'node:module';const require = createRequireOfBundle(import.meta.url);\n${code}`
}

/**
 * Leaves exactly these files in the folder. What is the same already is not touched, so that a program which runs from
 * an unchanged bundle meanwhile finds all of it; names that nothing asks for yet come before those that ask for them. A file
 * that is made by a function is made only where it is missing, and is there whole or not at all.
 * @param {string} folder @param {ReadonlyMap<string, string | Buffer | (() => Buffer)>} files by their paths in the folder
 */
function replaceFolder(folder, files) {
  mkdirSync(folder, { recursive: true })
  const isNew = (/** @type {string} */ name) => !existsSync(path.join(folder, name))
  for (const [name, contents] of [...files].sort(([a], [b]) => Number(isNew(b)) - Number(isNew(a)))) {
    const file = path.join(folder, name)
    mkdirSync(path.dirname(file), { recursive: true })
    if (typeof contents === 'function') {
      if (existsSync(file)) continue
      writeFileSync(`${file}.${process.pid}`, contents())
      renameSync(`${file}.${process.pid}`, file)
    } else if (!existsSync(file) || !readFileSync(file).equals(Buffer.from(contents))) {
      writeFileSync(file, contents)
      // It is that of another text, should the build end here.
      rmSync(path.join(folder, COMPILED, name), { force: true })
    }
  }
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(slashed)) {
    const isFolder = [...files.keys()].some((file) => file.startsWith(`${name}/`))
    if (!files.has(name) && !isFolder) rmSync(path.join(folder, name), { recursive: true, force: true })
  }
}

const slashed = (/** @type {string} */ name) => name.replaceAll(path.sep, '/')

/** The program of this package. */
export const buildProgram = () =>
  buildBundle({
    root: path.join(import.meta.dirname, '..'),
    entry: 'src/cli/main.ts',
    outDir: 'dist',
    modules: ['src/ui/start.tsx'],
    grammars: [
      'web-tree-sitter/web-tree-sitter',
      'tree-sitter-python/tree-sitter-python',
      'tree-sitter-go/tree-sitter-go',
    ].map((name) => `node_modules/${name}.wasm`),
  })

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await buildProgram()
  } catch (error) {
    // esbuild has shown its own messages.
    if (error instanceof Error && !('errors' in error)) process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}
