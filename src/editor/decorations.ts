import { toLf } from './locate.ts'

interface Texts {
  readonly oldText: string
  readonly newText: string
}

/** A mark that every line of a text may carry because it was copied from where files are shown, not from the file. */
interface Decoration {
  readonly old: RegExp
  readonly fresh: RegExp
  /** What at least one line has to carry, so that indentation is not taken for a mark. */
  readonly telling: RegExp
  /** The marks are numbers that go up. */
  readonly counts?: true
}

const numbered = (mark: RegExp): Decoration => ({ old: mark, fresh: mark, telling: mark, counts: true })

/** As `readFile` numbers lines. */
const READER = numbered(/^ *(\d+)(?:\t|→)/)

const DECORATIONS: readonly Decoration[] = [
  READER,
  numbered(/^ *(\d+) ?[|│] ?/),
  numbered(/^ *(\d+): ?/),
  { old: /^-/, fresh: /^\+/, telling: /^[-+]/ },
  { old: /^[- ]/, fresh: /^[+ ]/, telling: /^[-+]/ },
  { old: /^> ?/, fresh: /^> ?/, telling: /^>/ },
]

export interface Undecorated extends Texts {
  /** Both texts carried the mark. */
  readonly carried: boolean
  /** Only some lines of the new text carry it: what it is without is anybody's guess, and it is left as it is. */
  readonly unclear: boolean
}

/**
 * The ways to read an edit of which each line of the old text carries a reader's line numbers, a diff's marks or those
 * of a quotation: both texts without them.
 */
export function undecorated({ oldText, newText }: Texts): Undecorated[] {
  const [oldLines, newLines] = [toLf(oldText).split('\n'), toLf(newText).split('\n')]
  return DECORATIONS.filter((decoration) => carries(oldLines, decoration)).map((decoration) => {
    const { old, fresh, telling } = decoration
    const [plainOld, plainNew] = [without(oldLines, old), without(newLines, fresh)]
    const lines = filled(newLines)
    // Where no line has a telling mark, a diff that takes lines out is told from indentation by the lines that stay.
    const told = lines.some((line) => telling.test(line)) || plainNew.every((line) => plainOld.includes(line))
    const carried = lines.length > 0 && told && lines.every((line) => fresh.test(line))
    const unclear = !carried && lines.some((line) => fresh.test(line) || telling.test(line))
    return { oldText: plainOld.join('\n'), newText: carried ? plainNew.join('\n') : newText, carried, unclear }
  })
}

/** True for a new text in which each line has a reader's number where no line of the file has one. */
export function hasForeignNumbers(text: string, newText: string): boolean {
  return carries(toLf(newText).split('\n'), READER) && !text.split('\n').some((line) => READER.old.test(line))
}

function carries(lines: readonly string[], { old, telling, counts }: Decoration): boolean {
  const marked = filled(lines)
  if (!marked.every((line) => old.test(line)) || !marked.some((line) => telling.test(line))) return false
  if (!counts) return true
  const numbers = marked.map((line) => Number(old.exec(line)?.[1]))
  return numbers.every((number, row) => row === 0 || number > (numbers[row - 1] ?? 0))
}

/** A blank line has often lost its mark. */
const filled = (lines: readonly string[]): string[] => lines.filter((line) => line.trim() !== '')

const without = (lines: readonly string[], mark: RegExp): string[] => lines.map((line) => line.replace(mark, ''))
