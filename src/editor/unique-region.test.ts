import { expect, it } from 'vitest'
import { applyEdits } from './apply.ts'
import { uniqueRegions } from './unique-region.ts'

/** The lines of all matches of an ambiguous text, and the texts of the regions that are told of them. */
function matchesOf(content: string, oldText: string) {
  const result = applyEdits(Buffer.from(content), [{ oldText, newText: 'y' }])
  return result.ok ? 'applied' : { lines: result.lines, texts: result.regions.map(({ text }) => text) }
}

it('tells two equal lines apart, and two matches in one line not', () => {
  expect(matchesOf('a\r\nsame\r\nsame\r\nb\r\n', 'same\n')).toEqual({ lines: [2, 3], texts: ['a\nsame', 'same\nb'] })
  expect(matchesOf('one + one\ntwo\n', 'one')).toEqual({ lines: [1, 1], texts: ['one + one'] })
})

it('shows of each match the fewest lines that stand there once', () => {
  const block = (name: string) => `function ${name}() {\n  begin()\n  return null\n}\n`
  expect(matchesOf(block('a') + block('b'), '  return null\n}')).toEqual({
    lines: [3, 7],
    texts: ['  return null\n}\nfunction b() {', 'function b() {\n  begin()\n  return null\n}'],
  })
})

it('shows at most 20 matches, and none where no lines around tell them apart', () => {
  const numbered = Array.from({ length: 30 }, (_, row) => `[${row}]\n}\n---\n`).join('')
  expect(matchesOf(numbered, '}')).toEqual({
    lines: Array.from({ length: 30 }, (_, row) => 3 * row + 2),
    texts: Array.from({ length: 20 }, (_, row) => `[${row}]\n}`),
  })
  expect(matchesOf('x\n'.repeat(200), 'x')).toEqual({
    lines: Array.from({ length: 200 }, (_, row) => row + 1),
    texts: [],
  })
})

it('leaves out what is too long or not a text of lines that end in LF', () => {
  const rows = ['a', '', 'b\r', 'c'.repeat(7000), ...Array.from({ length: 70 }, (_, row) => `${row}`), '']
  const at = (first: number, last: number) => ({ first, last })
  expect(uniqueRegions(rows, [at(0, 0), at(2, 2), at(3, 3), at(4, 73), at(20, 22)], 8)).toEqual([
    { startLine: 1, endLine: 1, text: 'a' },
    { startLine: 21, endLine: 23, text: '16\n17\n18' },
  ])
})
