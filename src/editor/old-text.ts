/** What comes before the text of a line where text was copied with it: a reader's line numbers, or a diff's marks. */
const MARKS: readonly { readonly mark: RegExp; readonly left?: RegExp }[] = [
  { mark: /^\s*\d+(?:\t|\s*[|:→]\s?|:\s?)/ },
  // Of a diff the added lines are not in the file.
  { mark: /^[- ]/, left: /^(?:\+|@@ )/ },
  // Or they are, where it shows what was done already.
  { mark: /^[+ ]/, left: /^(?:-|@@ )/ },
  { mark: /^> ?/ },
]

/**
 * The lines of an old text without the marks it may have been copied with: of all ways to read it the one by which most
 * lines are in the file, as `isPresent` tells; as it is where none is better.
 */
export function unmarked(lines: readonly string[], isPresent: (line: string) => boolean): readonly string[] {
  const present = (read: readonly string[]) => read.filter((line) => line.trim() !== '' && isPresent(line)).length
  let best = { lines, present: present(lines) }
  for (const { mark, left } of MARKS) {
    const kept = lines.filter((line) => left === undefined || !left.test(line))
    if (!kept.every((line) => line.trim() === '' || mark.test(line))) continue
    const read = kept.map((line) => line.replace(mark, ''))
    const count = present(read)
    if (count > best.present) best = { lines: read, present: count }
  }
  return best.lines
}
