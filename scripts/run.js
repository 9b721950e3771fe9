// Runs a program for a script; without packages, since it is used before they are installed.
import { spawn } from 'node:child_process'
import os from 'node:os'

/**
 * Runs `file` and waits for it. Signals to this process reach it, too, and are waited out.
 * @param {string} file
 * @param {readonly string[]} args
 * @param {{ cwd: string, show: boolean, deadlineMs?: number, shell?: boolean }} options `show`: it has the terminal; otherwise its output is kept
 * @returns {Promise<{ code: number, output: string }>} `code` is the shell's (128 + signal; 127 when it could not be started; 124 at the deadline)
 */
export function run(file, args, { cwd, show, deadlineMs, shell = false }) {
  return new Promise((resolve) => {
    const child = spawn(file, args, { cwd, shell, stdio: show ? 'inherit' : ['ignore', 'pipe', 'pipe'] })
    /** @type {Buffer[]} */
    const chunks = []
    child.stdout?.on('data', (chunk) => chunks.push(chunk))
    child.stderr?.on('data', (chunk) => chunks.push(chunk))

    const forward = (/** @type {NodeJS.Signals} */ signal) => child.kill(signal)
    // The terminal sends an interrupt to both of us; here it has only to be survived until the child has dealt with it.
    const survive = () => {}
    process.on('SIGTERM', forward).on('SIGHUP', forward).on('SIGINT', survive)
    let late = false
    const timer =
      deadlineMs === undefined
        ? undefined
        : setTimeout(() => {
            late = true
            child.kill('SIGKILL')
          }, deadlineMs)

    const end = (/** @type {number} */ code, text = '') => {
      clearTimeout(timer)
      process.off('SIGTERM', forward).off('SIGHUP', forward).off('SIGINT', survive)
      resolve({ code: late ? 124 : code, output: Buffer.concat(chunks).toString() + text })
    }
    child.on('error', (error) => end(127, `${file} can't be started: ${error.message}\n`))
    // The end of the program counts, not that of the pipes, which something it started may hold.
    child.on('exit', (code, signal) => setImmediate(end, code ?? 128 + (signal ? os.constants.signals[signal] : 0)))
  })
}
