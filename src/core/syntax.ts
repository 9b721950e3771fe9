/** Where a text stops being a program of its language. `line` and `column` are 1-based, `column` in UTF-16 units. */
export interface SyntaxFault {
  readonly line: number
  readonly column: number
  readonly message: string
  /** The line's own text, without its end. */
  readonly lineText: string
}

/**
 * What is wrong with the content `after` of the file at `path` (`/` between folders) that was not wrong `before`; `before` is
 * undefined for a new file. Undefined when nothing is, or when that can't be told. Never rejects.
 */
export type SyntaxCheck = (
  path: string,
  before: Uint8Array | undefined,
  after: Uint8Array,
) => Promise<SyntaxFault | undefined>
