const previousRows: [Uint16Array, Uint16Array, Uint16Array] = [
  new Uint16Array(64),
  new Uint16Array(64),
  new Uint16Array(64),
]

/**
 * Optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours, in UTF-16 units.
 * Beyond `most` the exact value doesn't matter and `most + 1` is returned.
 */
export function editDistance(a: string, b: string, most: number): number {
  if (a === b) return 0
  if (Math.abs(a.length - b.length) > most) return most + 1
  let start = 0
  let endA = a.length
  let endB = b.length
  while (start < endA && start < endB && a.charCodeAt(start) === b.charCodeAt(start)) start += 1
  while (endA > start && endB > start && a.charCodeAt(endA - 1) === b.charCodeAt(endB - 1)) {
    endA -= 1
    endB -= 1
  }
  const width = endB - start
  if (endA === start || width === 0) return Math.min(Math.max(endA - start, width), most + 1)
  if (width >= previousRows[0].length) {
    for (let index = 0; index < 3; index += 1) previousRows[index] = new Uint16Array(width * 2)
  }
  let [twoAbove, above, row] = previousRows
  for (let column = 0; column <= width; column += 1) above[column] = column
  for (let i = 1; i <= endA - start; i += 1) {
    const letter = a.charCodeAt(start + i - 1)
    row[0] = i
    let least = i
    for (let j = 1; j <= width; j += 1) {
      const other = b.charCodeAt(start + j - 1)
      let cost = Math.min(
        (above[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (above[j - 1] as number) + (letter === other ? 0 : 1),
      )
      const swapped = i > 1 && j > 1 && letter === b.charCodeAt(start + j - 2) && a.charCodeAt(start + i - 2) === other
      if (swapped) cost = Math.min(cost, (twoAbove[j - 2] as number) + 1)
      row[j] = cost
      if (cost < least) least = cost
    }
    if (least > most) return most + 1
    const spare = twoAbove
    twoAbove = above
    above = row
    row = spare
  }
  return Math.min(above[width] as number, most + 1)
}
