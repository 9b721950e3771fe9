import type { EditReport } from '../tool.ts'

const MATCHED: Readonly<Record<NonNullable<EditReport['strategy']>, string>> = {
  exact: '',
  'line-endings': 'matched after normalising line endings',
  'trailing-blanks': 'matched after normalising trailing blanks',
  indentation: 'matched after normalising indentation',
  quotes: 'matched after normalising quotes',
  unicode: 'matched after normalising Unicode forms',
  blanks: 'matched after normalising blanks',
  decorations: 'matched without the line numbers or marks given with it',
}

/** How an edit's old text was found where it is not in the file as it was given; else empty. */
export function howMatched({ strategy }: Pick<EditReport, 'strategy'>): string {
  return strategy === undefined ? '' : MATCHED[strategy]
}
