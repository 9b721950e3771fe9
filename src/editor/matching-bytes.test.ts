import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyEdits } from './apply.ts'
import { STRATEGIES, type Strategy } from './locate.ts'
import { cases } from './testing.ts'

const bytes = (text: string) => Buffer.from(text, 'utf8')

/** The old text as a writer may give it who has each line in another form than the file; each calls for its strategy. */
const DISTORTIONS: Readonly<Record<Strategy, (text: string) => string>> = {
  exact: (text) => text,
  'line-endings': (text) => text,
  'trailing-blanks': (text) => text.replace(/$/gm, '  '),
  indentation: (text) => text.replace(/^/gm, '    '),
  quotes: (text) => text.replaceAll('“', '"').replaceAll('’', "'"),
  unicode: (text) => text.normalize('NFC').replaceAll('…', '...').replaceAll('\u00a0', ' '),
  blanks: (text) => text.replace(/(?<=\S)[ \t]+(?=\S)/g, '  '),
  decorations: (text) =>
    text
      .split('\n')
      .map((row, at) => `${at + 7}\t${row}`)
      .join('\n'),
}

describe('any file and any distortion of the old text', () => {
  const part = fc.constantFrom(
    'a',
    'b',
    ' ',
    '\t',
    'é',
    'e\u0301',
    '“',
    '’',
    '…',
    '\u00a0',
    '😀',
    '$&',
    '각'.normalize('NFD'),
  )
  const line = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''))
  const file = fc.record({
    bom: fc.constantFrom('', '\ufeff'),
    rows: fc.array(line, { minLength: 2, maxLength: 10 }).map((rows) => rows.map((row, at) => `\trow_${at}: ${row};`)),
    ending: fc.constantFrom('\n', '\r\n'),
    last: fc.boolean(),
  })

  it.each(STRATEGIES)('bytes outside of the lines never change, and a second time is no change: %s', (strategy) => {
    const given = DISTORTIONS[strategy]
    fc.assert(
      fc.property(file, fc.nat(), fc.integer({ min: 1, max: 3 }), ({ bom, rows, ending, last }, at, count) => {
        const first = at % rows.length
        const wanted = rows.slice(first, first + count)
        const fresh = [...wanted.map((row) => row.replace('row_', 'changed_')), '\tadded_line_of_its_own()']
        const change = { oldText: given(wanted.join('\n')), newText: given(fresh.join('\n')) }
        const before =
          bom +
          rows
            .slice(0, first)
            .map((row) => row + ending)
            .join('')
        const behind =
          rows
            .slice(first + wanted.length)
            .map((row) => ending + row)
            .join('') + (last ? ending : '')
        const result = applyEdits(bytes(before + wanted.join(ending) + behind), [change])
        if (!result.ok) throw new Error(JSON.stringify(result))
        const after = Buffer.from(result.bytes).toString()
        const inner = after.slice(before.length, after.length - behind.length)
        expect(after).toBe(before + inner + behind)
        expect(inner.split(ending).map((row) => /^\t[a-z_]+(?:\d+: |\(\))/.exec(row)?.[0])).toEqual(
          fresh.map((row) => /^\t[a-z_]+(?:\d+: |\(\))/.exec(row)?.[0]),
        )
        expect(applyEdits(result.bytes, [change])).toMatchObject({ ok: true, already: true, bytes: result.bytes })
      }),
      { numRuns: cases(100) },
    )
  })
})
