// Bundles src/cli/main.ts into dist/, with the licences of what is bundled.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { licenseText, packageFolders } from './licenses.js'

/**
 * Writes the bundle of `entry` to `outDir`, in which nothing else is left. What a lazy `import()` loads becomes a chunk of its own,
 * so that a start reads only what it needs. Nothing is touched when the build fails.
 * @param {{ root: string, entry: string, outDir: string }} options `entry` and `outDir` relative to `root`
 * @throws when the sources don't build, or a bundled package has no compatible licence
 */
export async function buildBundle({ root, entry, outDir }) {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const folder = path.join(root, outDir)
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outdir: outDir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"', GOATFIED_VERSION: JSON.stringify(version) },
    // Ink asks for it only when the environment has DEV=true.
    external: ['react-devtools-core'],
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'warning',
  })
  // What was shaken out of the bundle needs no licence text.
  const bundled = Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
  )
  const licenses = licenseText(packageFolders(bundled, root))

  const files = new Map(outputFiles.map(({ path: file, text }) => [path.relative(folder, file), withRequire(text)]))
  files.set('THIRD-PARTY-LICENSES.txt', licenses)
  replaceFolder(folder, files)
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
 * an unchanged bundle meanwhile finds all of it; names that nothing asks for yet come before those that ask for them.
 * @param {string} folder @param {ReadonlyMap<string, string>} files by their paths in the folder
 */
function replaceFolder(folder, files) {
  mkdirSync(folder, { recursive: true })
  const isNew = (/** @type {string} */ name) => !existsSync(path.join(folder, name))
  for (const [name, contents] of [...files].sort(([a], [b]) => Number(isNew(b)) - Number(isNew(a)))) {
    const file = path.join(folder, name)
    if (existsSync(file) && readFileSync(file, 'utf8') === contents) continue
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, contents)
  }
  for (const name of readdirSync(folder)) {
    if (!files.has(name)) rmSync(path.join(folder, name), { recursive: true, force: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await buildBundle({ root: path.join(import.meta.dirname, '..'), entry: 'src/cli/main.ts', outDir: 'dist' })
  } catch (error) {
    // esbuild has shown its own messages.
    if (error instanceof Error && !('errors' in error)) process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}
