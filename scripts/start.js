// What `npm start` does, on a fresh clone too: installs what is missing, builds, runs the demo.
import { statSync } from 'node:fs'
import path from 'node:path'
import { run } from './run.js'

const root = path.join(import.meta.dirname, '..')

process.exitCode = await start()

/** @returns {Promise<number>} the exit code */
async function start() {
  if (!isInstalled()) {
    process.stderr.write('Installing packages (npm ci) …\n')
    const [file, args, shell] = npm()
    // Whatever NODE_ENV says: the build needs the development packages.
    const options = ['--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']
    const installed = await run(file, [...args, 'ci', ...options], { cwd: root, show: false, shell })
    if (installed.code !== 0) return fail('The packages could not be installed', installed)
  }
  const built = await run(process.execPath, ['scripts/build.js'], { cwd: root, show: false })
  if (built.code !== 0) return fail('The build failed', built)
  const demo = ['bin/goatfied.js', 'demo', ...process.argv.slice(2)]
  return (await run(process.execPath, demo, { cwd: root, show: true })).code
}

/** @param {string} what @param {{ code: number, output: string }} result */
function fail(what, { code, output }) {
  process.stderr.write(`${output.trimEnd()}\n${what} (exit code ${code}).\n`)
  return code
}

/** Whether npm's own record of the installed packages is there and not older than the lockfile. */
function isInstalled() {
  const [installed, locked] = ['node_modules/.package-lock.json', 'package-lock.json'].map((file) =>
    statSync(path.join(root, file), { throwIfNoEntry: false }),
  )
  return installed !== undefined && (locked === undefined || installed.mtimeMs >= locked.mtimeMs)
}

/** The npm that runs this script, or the one on the PATH. @returns {[file: string, args: string[], shell: boolean]} */
function npm() {
  const { npm_execpath: own } = process.env
  if (own !== undefined && /\.c?js$/.test(own)) return [process.execPath, [own], false]
  return process.platform === 'win32' ? ['npm.cmd', [], true] : ['npm', [], false]
}
