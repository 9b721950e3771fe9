import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyEdits } from './apply.ts'
import { toLf } from './locate.ts'
import { nearestRegions } from './nearest.ts'
import { cases } from './testing.ts'

const FILE = `import { readFile } from 'node:fs/promises'

/** Reads the settings of a folder. */
export async function loadSettings(folder: string): Promise<Settings> {
  const text = await readFile(\`\${folder}/settings.json\`, 'utf8')
  const parsed = JSON.parse(text)
  if (parsed.version !== 2) {
    throw new Error('unknown version')
  }
  return parsed
}

export function total(items: readonly Item[]): number {
  let sum = 0
  for (const item of items) {
    sum += item.price * item.count
  }
  return sum
}

export const labels = { open: 'Open', closed: 'Closed', waiting: 'Waiting for an answer' }
`
const ROWS = FILE.split('\n')
const stretch = (first: number, last: number) => ROWS.slice(first - 1, last).join('\n')
const linesOf = (wanted: string, file = FILE) =>
  nearestRegions(file, wanted).map(({ startLine, endLine }) => `${startLine}-${endLine}`)

it('gives whole lines of the file as they stand there', () => {
  expect(nearestRegions(FILE, 'for (let item of items) {\n  total += item.price\n}')).toEqual([
    { startLine: 15, endLine: 17, text: '  for (const item of items) {\n    sum += item.price * item.count\n  }' },
  ])
})

describe('finds what the old text was made from', () => {
  it.each([
    [
      'other indentation, quotes and blanks',
      stretch(13, 19).replaceAll('  ', '\t  ').replaceAll(' = ', '  =  '),
      '13-19',
    ],
    ['renamed identifiers', stretch(13, 19).replaceAll('item', 'entry').replaceAll('sum', 'result'), '13-19'],
    ['a line that is missing', `${stretch(4, 5)}\n${stretch(7, 11)}`, '4-11'],
    ['a line too many', `${stretch(13, 15)}\n    console.log(item)\n${stretch(16, 19)}`, '13-19'],
    ['empty lines', stretch(13, 18).replaceAll('\n', '\n\n'), '13-18'],
    ['lines joined', 'for (const item of items) { sum += item.price * item.count }', '15-17'],
    ['a part of a line', "waiting: 'Waiting for answers'", '21-21'],
    [
      'the numbers of a reader',
      ROWS.slice(12, 16)
        .map((line, row) => `${row + 13}\t${line}`)
        .join('\n'),
      '13-16',
    ],
    [
      'numbers and bars',
      ROWS.slice(12, 16)
        .map((line, row) => ` ${row + 13} | ${line}`)
        .join('\n'),
      '13-16',
    ],
    ['marks of a diff', `-  let sum = 1\n+  let sum = 0\n   for (const item of items) {`, '14-15'],
    [
      'another version',
      `${stretch(4, 6)}\n  if (parsed.version > 1) throw new Error('too new')\n  return parsed\n}`,
      '4-11',
    ],
  ])('%s', (_, wanted, lines) => {
    expect(linesOf(wanted)).toEqual([lines])
  })

  it('lines that stand apart, each for itself, in whatever order', () => {
    const between = Array.from({ length: 80 }, (_, row) => `// note ${row} of the changes to ${row * row}`).join('\n')
    const file = `${stretch(1, 11)}\n${between}\n${stretch(13, 21)}\n`
    const [head, foot] = [stretch(4, 10), stretch(13, 18)]
    expect(linesOf(`${head}\n${foot}`, file)).toEqual(['4-10', '92-97'])
    expect(linesOf(`${foot}\n${head}`, file)).toEqual(['4-10', '92-97'])
  })
})

it('shows all that are about as good', () => {
  const file = 'a.on("open", () => start(one))\nb.off()\na.on("open", () => start(two))\n'
  expect(linesOf('a.on("open", () => start(xyz))', file)).toEqual(['1-1', '3-3'])
})

it('adds lines until the text stands there once', () => {
  const file = 'function a() {\n  return compute(1)\n}\n\nfunction b() {\n  return compute(1)\n}\n'
  expect(nearestRegions(file, '  return   compute(1);').map(({ text }) => text)).toEqual([
    'function a() {\n  return compute(1)',
    'function b() {\n  return compute(1)',
  ])
})

it('cuts what is too long to be written again into parts', () => {
  const rows = Array.from({ length: 100 }, (_, row) => (row % 10 === 9 ? '' : `const name${row} = make(${row * 7})`))
  const wanted = rows.map((line, row) => (row === 5 ? 'const other = 1' : line)).join('\n')
  expect(linesOf(wanted, rows.join('\n'))).toEqual(['1-59', '61-99'])
})

it('finds nothing where nothing resembles it', () => {
  const none = ['The quick brown fox\njumps over the lazy dog', '}', '\n\n', 'zzz', '=>'].map((wanted) =>
    linesOf(wanted),
  )
  expect([...none, linesOf('anything', '')]).toEqual([[], [], [], [], [], []])
})

describe('properties', () => {
  const words = ['const', 'value', 'items', 'return', 'price', 'count', 'if', 'parse', 'total', 'open', 'user', 'next']
  const word = fc.constantFrom(...words)
  const line = fc
    .tuple(fc.nat(3), fc.array(word, { maxLength: 5 }), fc.constantFrom('', '(', ') {', ' = "a"', "('b')", '}', '', ''))
    .map(([depth, parts, end]) => (parts.length === 0 && end === '' ? '' : '  '.repeat(depth) + parts.join(' ') + end))
  const file = fc.array(line, { minLength: 1, maxLength: 40 })
  const ending = fc.constantFrom('\n', '\r\n')
  const wanted = (rows: readonly string[]) =>
    fc.oneof(
      fc.array(line, { minLength: 1, maxLength: 6 }).map((lines) => lines.join('\n')),
      fc.tuple(fc.nat(rows.length - 1), fc.nat(5), word, word).map(([first, more, from, to]) => {
        const part = rows.slice(first, first + more + 1).join('\n')
        return part.replace(from, `${to}s`)
      }),
      fc.nat(rows.length - 1).map((row) => rows[row]?.trim() ?? ''),
    )
  const failing = file.chain((rows) => fc.record({ rows: fc.constant(rows), wanted: wanted(rows), end: ending }))

  it('the text of a region stands once in the file, and replacing it leaves everything else as it is', () => {
    fc.assert(
      fc.property(failing, fc.array(line, { maxLength: 3 }), fc.boolean(), ({ rows, wanted, end }, fresh, away) => {
        const content = rows.map((row) => row + end).join('')
        const result = wanted === '' ? undefined : applyEdits(Buffer.from(content), [{ oldText: wanted, newText: '#' }])
        const regions = result === undefined || result.ok ? nearestRegions(content, wanted) : result.regions
        for (const { startLine, endLine, text } of regions) {
          expect(text).toBe(rows.slice(startLine - 1, endLine).join('\n'))
          expect(toLf(content).split(text).length).toBe(2)
          const lines = away ? [] : ['#', ...fresh, '#']
          const edit = away ? { oldText: `${text}\n`, newText: '' } : { oldText: text, newText: lines.join('\n') }
          const edited = applyEdits(Buffer.from(content), [edit])
          const expected = [...rows.slice(0, startLine - 1), ...lines, ...rows.slice(endLine)]
          expect(edited.ok && Buffer.from(edited.bytes).toString()).toBe(expected.map((row) => row + end).join(''))
        }
      }),
      { numRuns: cases(300) },
    )
  })

  const long = fc.array(
    fc
      .tuple(
        fc.nat(3),
        fc.array(word, { minLength: 2, maxLength: 5 }),
        fc.nat(999),
        fc.constantFrom('', ' {', ')', ';'),
      )
      .map(([depth, parts, number, end]) => `${'  '.repeat(depth)}${parts.join('.')} = '${number}'${end}`),
    { minLength: 20, maxLength: 200 },
  )
  const damage = fc.constantFrom<((lines: readonly string[], at: number) => readonly string[])[]>(
    (lines) => lines.map((text) => text.replace(/^ +/, '\t')),
    (lines) => lines.map((text) => text.replaceAll("'", '"')),
    (lines) => lines.map((text) => text.replaceAll(' ', '  ')),
    (lines, at) => lines.map((text, row) => (row === at % lines.length ? text.replace(/\w+/, 'changed') : text)),
    // Whether a line at either end was dropped can't be told.
    (lines, at) => lines.filter((_, row) => row === 0 || row === lines.length - 1 || row !== at % lines.length),
  )
  const damaged = fc.record({
    rows: long,
    first: fc.nat(),
    height: fc.integer({ min: 1, max: 12 }),
    at: fc.nat(),
    damage,
  })

  it('nearly always the first one is the stretch that the old text was made from by small damage', () => {
    const samples = fc.sample(damaged, { seed: 1, numRuns: cases(400) })
    let [among, first] = [0, 0]
    for (const { rows, first: seed, height, at, damage } of samples) {
      const from = seed % (rows.length - height)
      const wanted = damage(rows.slice(from, from + height), at).join('\n')
      const holds = nearestRegions(rows.join('\n'), wanted).map(
        ({ startLine, endLine }) => startLine <= from + 1 && endLine >= from + height,
      )
      among += holds.includes(true) ? 1 : 0
      first += holds[0] === true ? 1 : 0
    }
    expect(among / samples.length).toBeGreaterThanOrEqual(0.98)
    expect(first / samples.length).toBeGreaterThanOrEqual(0.95)
  })
})
