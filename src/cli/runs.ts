import { giveBackKilled, listRuns, runsDirOf } from '../compose/logs.ts'
import { EXIT, type ExitCode } from '../core/outcome.ts'
import { renderRuns } from '../print/runs.ts'
import { safeWriter } from '../print/writer.ts'

export interface LogOptions {
  readonly cwd?: string
  readonly logDir?: string
  readonly json?: boolean
}

/** `goatfied runs`: the runs in this repository, the latest first. Whoever looks for a run that was killed has its changes given back. */
export async function runs(options: LogOptions): Promise<ExitCode> {
  const cwd = options.cwd ?? process.cwd()
  for (const notice of await giveBackKilled(cwd)) process.stderr.write(`goatfied: ${notice}\n`)
  const dir = await runsDirOf({
    cwd,
    env: process.env,
    flags: { logDir: options.logDir },
  })
  const list = await listRuns(dir, Date.now())
  const out = safeWriter(process.stdout)
  if (options.json) {
    out.write(`${JSON.stringify(list.runs, undefined, 2)}\n`)
  } else {
    const rows = list.runs.map(({ usage, ...run }) => ({
      ...run,
      tokens: usage.input + usage.cacheRead + usage.cacheWrite + usage.output,
    }))
    out.write(renderRuns(rows, { columns: process.stdout.columns ?? 120 }))
  }
  for (const { id, problem } of list.unreadable) process.stderr.write(`goatfied: ${id}: ${problem}\n`)
  await out.flush()
  return EXIT.validated
}
