import { existsSync } from 'node:fs'
import path from 'node:path'
import { listRuns, readRunLog, runsDirOf } from '../compose/logs.ts'
import { EXIT, type ExitCode } from '../core/outcome.ts'
import { UserError } from '../core/user-error.ts'
import { renderStory } from '../print/show.ts'
import { wantsColor } from '../print/style.ts'
import { loadWidthOf } from '../print/width.ts'
import { safeWriter } from '../print/writer.ts'
import type { LogOptions } from './runs.ts'

/** `goatfied show`: the story of a run, as it was told while it ran; with `--json` its events. */
export async function show(run: string, options: LogOptions): Promise<ExitCode> {
  const log = await readRunLog(await logOf(run, options))
  if (!log.ok) throw new UserError(log.problem, EXIT.usage)
  const { stdout } = process
  const out = safeWriter(stdout)
  if (options.json) for (const event of log.events) out.write(`${JSON.stringify(event)}\n`)
  else {
    const { columns } = stdout
    const terminal = columns ? { terminal: { columns, widthOf: await loadWidthOf() } } : {}
    const color = wantsColor(stdout, process.env)
    for (const line of renderStory(log.events, { color, ...terminal })) out.write(line)
  }
  if (log.torn) process.stderr.write('goatfied: the last line of the log is cut, as when the run was killed.\n')
  await out.flush()
  return EXIT.validated
}

async function logOf(run: string, options: LogOptions): Promise<string> {
  if (run.includes(path.sep) || run.endsWith('.jsonl')) {
    const inFolder = path.join(run, 'log.jsonl')
    if (existsSync(inFolder)) return path.resolve(inFolder)
    if (existsSync(run)) return path.resolve(run)
    throw new UserError(`There is no log ${path.resolve(run)}.`, EXIT.usage)
  }
  const dir = await runsDirOf({
    cwd: options.cwd ?? process.cwd(),
    env: process.env,
    flags: { logDir: options.logDir },
  })
  const { runs } = await listRuns(dir, Date.now())
  const found = run === 'last' ? runs.slice(0, 1) : runs.filter(({ id }) => id.startsWith(run))
  const [one, ...others] = found
  if (one !== undefined && (others.length === 0 || one.id === run)) return one.path
  const exact = found.find(({ id }) => id === run)
  if (exact !== undefined) return exact.path
  if (others.length > 0)
    throw new UserError(
      `"${run}" could be ${found.length} runs, of ${found.at(-1)?.id} to ${one?.id}: give more of it.`,
      EXIT.usage,
    )
  throw new UserError(`There is no run "${run}" in ${dir}. "goatfied runs" lists them.`, EXIT.usage)
}
