import fc from 'fast-check'
import { expect, test } from 'vitest'
import { editDistance } from './edit-distance.ts'

/** The definition, cell by cell. */
function byDefinition(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : i)),
  )
  const cell = (i: number, j: number): number => rows[i]?.[j] ?? Number.POSITIVE_INFINITY
  for (let i = 1; i <= a.length; i += 1) {
    for (let j = 1; j <= b.length; j += 1) {
      const substituted = cell(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? cell(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY
      const row = rows[i]
      if (row !== undefined) row[j] = Math.min(cell(i - 1, j) + 1, cell(i, j - 1) + 1, substituted, swapped)
    }
  }
  return cell(a.length, b.length)
}

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), maxLength: 90 })

test('is the distance by definition, and more than `most` beyond it', () => {
  fc.assert(
    fc.property(word, word, fc.nat(90), (a, b, most) => {
      const exact = byDefinition(a, b)
      const distance = editDistance(a, b, most)
      expect(exact <= most ? distance === exact : distance > most).toBe(true)
    }),
    { numRuns: 300 },
  )
})

test.each([
  ['iterate', 'itreate', 1],
  ['array', 'aray', 1],
  ['a', '', 1],
  ['', '', 0],
  ['abcdef', 'abXcYef', 2],
])('%s and %s', (a, b, distance) => {
  expect(editDistance(a, b, 10)).toBe(distance)
  expect(editDistance(b, a, 10)).toBe(distance)
})
