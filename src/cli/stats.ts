import { collectStats, runsDirOf } from '../compose/logs.ts'
import { EXIT, type ExitCode } from '../core/outcome.ts'
import { renderStats } from '../print/stats.ts'
import { safeWriter } from '../print/writer.ts'
import type { LogOptions } from './runs.ts'

/** `goatfied stats`: what all runs in this repository tell together; with `--json` as one object (`Stats` in core). */
export async function stats(options: LogOptions): Promise<ExitCode> {
  const cwd = options.cwd ?? process.cwd()
  const dir = await runsDirOf({ cwd, env: process.env, flags: { logDir: options.logDir } })
  const collected = await collectStats(dir, Date.now())
  const out = safeWriter(process.stdout)
  out.write(options.json ? `${JSON.stringify(collected.stats, undefined, 2)}\n` : renderStats(collected.stats))
  for (const note of collected.notes) process.stderr.write(`goatfied: ${note}\n`)
  await out.flush()
  return EXIT.validated
}
