import { type UndoReport, undo as undoRun } from '../compose/undo.ts'
import { EXIT, type ExitCode } from '../core/outcome.ts'
import { UserError } from '../core/user-error.ts'
import { wantsColor } from '../print/style.ts'
import { renderUndo } from '../print/undo.ts'
import { loadWidthOf } from '../print/width.ts'
import { safeWriter } from '../print/writer.ts'

export interface UndoOptions {
  readonly attempt?: number
  readonly preview?: boolean
  readonly cwd?: string
  readonly json?: boolean
}

/** `goatfied undo`: the tree as it was before a run, or before one of its attempts. */
export async function undo(run: string | undefined, options: UndoOptions): Promise<ExitCode> {
  const { attempt, preview = false, json = false, cwd = process.cwd() } = options
  if (attempt !== undefined && run?.includes('/'))
    throw new UserError('Give either --attempt or the name of an undo.', EXIT.usage)
  const report = await undoRun({ cwd, run, attempt, preview })
  for (const notice of report.notices) process.stderr.write(`goatfied: ${notice}\n`)
  const { stdout } = process
  const out = safeWriter(stdout)
  if (json) out.write(`${JSON.stringify(report, undefined, 2)}\n`)
  else {
    const terminal = stdout.columns ? { terminal: { columns: stdout.columns, widthOf: await loadWidthOf() } } : {}
    for (const text of renderUndo(report, { color: wantsColor(stdout, process.env), ...terminal })) out.write(text)
  }
  await out.flush()
  return exitCodeOf(report)
}

function exitCodeOf({ left, changes, notices }: UndoReport): ExitCode {
  if (left.length > 0) return EXIT.gaveUp
  return changes.length > 0 || notices.length > 0 ? EXIT.validated : EXIT.unchanged
}
