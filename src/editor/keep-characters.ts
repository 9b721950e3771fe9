import { diffArrays } from 'diff'
import { toLf } from './locate.ts'
import { plainCharacters, plainView, type View } from './view.ts'

interface Texts {
  readonly oldText: string
  readonly newText: string
}

/**
 * The new text, LF at its line ends, with the file's own characters wherever the edit changes nothing: lines that stay,
 * and of the others what begins and ends as it did. `found` is the old text in the file's characters.
 */
export function keepCharacters(found: string, { oldText, newText }: Texts): string {
  const [present, wanted, fresh] = [found, oldText, newText].map((text) => toLf(text).split('\n'))
  if (present === undefined || wanted === undefined || fresh === undefined) return newText
  const result: string[] = []
  let row = 0
  let removed: { present: string; wanted: string }[] = []
  // A line that keeps all of its characters but their form is the file's, also where the edit writes it in another form.
  for (const part of diffArrays(wanted.map(plainCharacters), fresh.map(plainCharacters))) {
    if (part.removed) {
      for (let end = row + part.count; row < end; row++)
        removed.push({ present: present[row] ?? '', wanted: wanted[row] ?? '' })
      continue
    }
    for (const line of fresh.slice(result.length, result.length + part.count)) {
      const former = part.added ? removed.shift() : undefined
      if (!part.added) result.push(present[row++] ?? line)
      else if (former === undefined) result.push(inFormOf(found, line))
      else result.push(keepEnds(former.present, former.wanted, line))
    }
    if (!part.added) removed = []
  }
  return result.join('\n')
}

/** A line in the file's characters up to where the edit first changes one, and from where it last does. */
function keepEnds(present: string, wanted: string, fresh: string): string {
  const [here, old, line] = [plainView(present), plainView(wanted), plainView(fresh)]
  const most = Math.min(old.text.length, line.text.length)
  let head = 0
  while (head < most && old.text[head] === line.text[head]) head++
  while (head > 0 && !(begins(here, head) && begins(line, head))) head--
  let tail = 0
  while (tail < most - head && old.text.at(-1 - tail) === line.text.at(-1 - tail)) tail++
  while (tail > 0 && !(endsBefore(here, tail) && endsBefore(line, tail))) tail--
  const middle = fresh.slice(head === 0 ? 0 : line.ends[head], tail === 0 ? undefined : tailOf(line, tail))
  const kept = tail === 0 ? '' : present.slice(tailOf(here, tail))
  return present.slice(0, head === 0 ? 0 : here.ends[head]) + inFormOf(present, middle) + kept
}

/** True where one character of the view ends, so that another begins. */
const begins = (view: View, at: number): boolean => (view.ends[at] ?? -1) !== -1

const tailOf = (view: View, length: number): number => view.starts[view.text.length - length] ?? -1

const endsBefore = (view: View, length: number): boolean => tailOf(view, length) !== -1

/** Decomposed where the text around is. */
function inFormOf(around: string, text: string): string {
  return around.normalize('NFC') !== around && around.normalize('NFD') === around ? text.normalize('NFD') : text
}
