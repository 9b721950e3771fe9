import type { Region } from './failure.ts'

/** The name of a region, the same in words and in an enum: `lines 12-18`, or `line 12`. */
export function regionLabel({ startLine, endLine }: Region): string {
  return startLine === endLine ? `line ${startLine}` : `lines ${startLine}-${endLine}`
}
