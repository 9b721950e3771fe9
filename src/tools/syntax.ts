import type { Correctable } from '../core/failure.ts'
import { cutLine } from './file-text.ts'
import type { CallName, ToolContext } from './tool.ts'

const CONTEXT_LINES = 3
/** A longer line is shown as the stretch around the fault. */
const MOST_LINE_LENGTH = 300

/**
 * The failure of a call that would leave the file unparsable, where its content `before` (undefined for a new file) was not.
 * `hints` say what of the call may be the cause.
 */
export async function brokenSyntax(
  path: string,
  before: Uint8Array | undefined,
  after: Uint8Array,
  context: ToolContext,
  call: CallName,
  hints: readonly string[] = [],
): Promise<Correctable | undefined> {
  const fault = await context.checkSyntax(path, before, after)
  if (fault === undefined) return undefined
  const { line, column } = fault
  const message = [fault.message, ...hints].join('; ')
  const lines = new TextDecoder().decode(after).split(/\r?\n/)
  return { ...call, kind: 'edit.syntax', path, line, column, message, shown: linesAround(lines, line, column) }
}

function linesAround(lines: readonly string[], line: number, column: number): string {
  const first = Math.max(1, line - CONTEXT_LINES)
  const shown = lines.slice(first - 1, line + CONTEXT_LINES)
  return shown
    .map((text, index) => {
      const number = first + index
      const isLong = number === line && text.length > MOST_LINE_LENGTH
      const from = isLong ? Math.max(0, column - 1 - MOST_LINE_LENGTH / 2) : 0
      return `${number}\t${from > 0 ? '[...] ' : ''}${cutLine(text.slice(from), MOST_LINE_LENGTH)}`
    })
    .join('\n')
}
