import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ApplyResult, applyEdits, type Edit } from './apply.ts'
import { cases } from './testing.ts'

const bytes = (text: string) => Buffer.from(text, 'utf8')
const edit = (oldText: string, newText: string): Edit => ({ oldText, newText })

function applied(content: string | Buffer, ...edits: Edit[]): string {
  const result = applyEdits(typeof content === 'string' ? bytes(content) : content, edits)
  if (!result.ok) throw new Error(JSON.stringify(result))
  return Buffer.from(result.bytes).toString('utf8')
}

function strategyOf(content: string, ...edits: Edit[]): string | undefined {
  const result = applyEdits(bytes(content), edits)
  return result.ok ? result.strategy : result.problem
}

const refusal = (over: Partial<Extract<ApplyResult, { ok: false }>>) => ({
  ok: false,
  edit: 0,
  tried: [],
  regions: [],
  lines: [],
  ...over,
})

const ALL = ['exact', 'line-endings', 'trailing-blanks', 'indentation', 'quotes', 'unicode', 'blanks', 'decorations']

describe('line endings', () => {
  it('applies LF arguments to a CRLF file, which stays CRLF', () => {
    const file = 'one\r\ntwo\r\nthree\r\nfour\r\n'
    expect(applyEdits(bytes(file), [edit('two\nthree', 'two\nTHREE\nmore')])).toEqual({
      ok: true,
      bytes: bytes('one\r\ntwo\r\nTHREE\r\nmore\r\nfour\r\n'),
      strategy: 'line-endings',
      diff: '@@ -1,4 +1,5 @@\n one\n two\n-three\n+THREE\n+more\n four\n',
      added: 2,
      removed: 1,
      changed: [{ startLine: 2, endLine: 4, text: 'two\nTHREE\nmore' }],
      already: false,
    })
  })

  it('gives lines that an exact match adds the line end of the file', () => {
    expect(applied('one\r\ntwo\r\n', edit('one', 'one\nand'))).toBe('one\r\nand\r\ntwo\r\n')
    expect(applied('one\ntwo\n', edit('one', 'one\r\nand'))).toBe('one\nand\ntwo\n')
  })

  it('never splits a line end', () => {
    expect(applied('one\r\ntwo\r\n', edit('\ntwo', '\nTWO'))).toBe('one\r\nTWO\r\n')
  })

  it('keeps BOM and CRLF with CRLF arguments that include the first line', () => {
    expect(applied('\ufeffone\r\ntwo\r\n', edit('one\r\ntwo\r\n', 'ONE\r\ntwo\r\n'))).toBe('\ufeffONE\r\ntwo\r\n')
    expect(applied('\ufeffone\r\ntwo\r\n', edit('\ufeffone\n', '\ufeffONE\n'))).toBe('\ufeffONE\r\ntwo\r\n')
  })

  it('leaves a file of both kinds as it is outside of the edit', () => {
    expect(applied('a\r\nb\nc\r\nd\n', edit('c', 'c\nC'))).toBe('a\r\nb\nc\r\nC\r\nd\n')
  })

  it('keeps the state of the final newline', () => {
    expect(applied('one\ntwo', edit('one', 'ONE'))).toBe('ONE\ntwo')
    expect(applied('one\ntwo', edit('two', 'TWO'))).toBe('one\nTWO')
    expect(applied('one\ntwo', edit('two\n', 'TWO\n'))).toBe('one\nTWO')
  })
})

describe('looser matches', () => {
  it('re-indents with the tabs of the file', () => {
    const file = 'function f() {\n\tif (a) {\n\t\treturn 1\n\t}\n}\n'
    const change = edit(
      '  if (a) {\n    return 1\n  }',
      '  if (a) {\n    if (b) {\n      return 2\n    }\n    return 1\n  }',
    )
    expect(applied(file, change)).toBe(
      'function f() {\n\tif (a) {\n\t\tif (b) {\n\t\t\treturn 2\n\t\t}\n\t\treturn 1\n\t}\n}\n',
    )
    expect(strategyOf(file, change)).toBe('indentation')
  })

  it('does not take lines of another structure for the same', () => {
    expect(strategyOf('if a:\n  b\nc\n', edit('  if a:\n    b\n    c\n', 'x'))).toBe('no-match')
  })

  it('ignores blanks at line ends and keeps those of lines that stay', () => {
    const file = 'a  \nb\t\nc\n'
    expect(applied(file, edit('a\nb\nc', 'a\nB\nc'))).toBe('a  \nB\nc\n')
    expect(strategyOf(file, edit('a\nb\nc', 'a\nB\nc'))).toBe('trailing-blanks')
  })

  it('finds typographic quotes and keeps those outside of the change', () => {
    const file = 'say(“It’s”, one) // ‘so’\n'
    expect(applied(file, edit('say("It\'s", one)', 'say("It\'s", two)'))).toBe('say(“It’s”, two) // ‘so’\n')
    expect(strategyOf(file, edit('"It\'s", one', '"It\'s", two'))).toBe('quotes')
  })
})

describe('arguments are taken as they are', () => {
  it.each([
    ['entities', "<p>doesn't</p>", edit("doesn't", 'doesn&apos;t'), '<p>doesn&apos;t</p>'],
    ['entities to find', 'a &amp;&amp; b', edit('a &amp;&amp; b', 'a &amp; b'), 'a &amp; b'],
    ['replacement patterns', 'x = 1', edit('1', "$& $1 $$ $` $'"), "x = $& $1 $$ $` $'"],
    [
      'a part of a long line',
      '{"a":1,"enabled-@q":true,"z":2}',
      edit('"enabled-@q"', '"on"'),
      '{"a":1,"on":true,"z":2}',
    ],
    [
      'conflict markers',
      '<<<<<<< a\n=======\n>>>>>>> b\n',
      edit('=======', '======= x'),
      '<<<<<<< a\n======= x\n>>>>>>> b\n',
    ],
  ])('%s', (_, file, change, expected) => {
    expect(applied(file, change)).toBe(expected)
  })
})

describe('refusals', () => {
  it('names all places of an ambiguous text', () => {
    expect(applyEdits(bytes('}\na\n}\nb\n}\n'), [edit('}', '];')])).toEqual(
      refusal({
        problem: 'ambiguous',
        tried: ['exact'],
        lines: [1, 3, 5],
        regions: [
          { startLine: 1, endLine: 2, text: '}\na' },
          { startLine: 2, endLine: 3, text: 'a\n}' },
          { startLine: 4, endLine: 5, text: 'b\n}' },
        ],
      }),
    )
  })

  it('shows the nearest region for a text that is not there, and names that edit only', () => {
    const file = 'const a = 1\nfunction total(items) {\n  return items.length\n}\nconst b = 2\n'
    const wanted = 'function total(item) {\n  return items.size\n}'
    expect(applyEdits(bytes(file), [edit('const a = 1', 'const a = 3'), edit(wanted, 'x')])).toEqual(
      refusal({
        problem: 'no-match',
        edit: 1,
        tried: ALL as never,
        regions: [{ startLine: 2, endLine: 4, text: 'function total(items) {\n  return items.length\n}' }],
      }),
    )
  })

  it('refuses what is not UTF-8', () => {
    const latin1 = Buffer.from('const x=1;\n// caf\xe9\n', 'latin1')
    expect(applyEdits(latin1, [edit('x=1', 'x=2')])).toEqual(refusal({ problem: 'not-utf8' }))
    expect(applyEdits(bytes('a'), [edit('a', '\ud800')])).toEqual(refusal({ problem: 'not-utf8' }))
  })

  it('refuses edits that overlap, that find nothing to look for or change nothing', () => {
    expect(applyEdits(bytes('abc\ndef\n'), [edit('abc\ndef', 'x'), edit('def', 'y')])).toEqual(
      refusal({ problem: 'overlap', edit: 1, lines: [1, 2] }),
    )
    expect(applyEdits(bytes('a'), [edit('', 'b')])).toEqual(refusal({ problem: 'empty-old-text' }))
    expect(applyEdits(bytes('a'), [edit('a', 'a')])).toEqual(refusal({ problem: 'no-change' }))
  })

  it('fills an empty file', () => {
    expect(applied('', edit('', 'a\n'))).toBe('a\n')
  })
})

describe('an edit that was applied before', () => {
  const done = (content: string) => ({
    ok: true,
    bytes: bytes(content),
    diff: '',
    added: 0,
    removed: 0,
    changed: [],
    already: true,
  })

  it('is a success without a change', () => {
    expect(applyEdits(bytes('let b\n'), [edit('let a', 'let b')])).toEqual(done('let b\n'))
    const twice = 'import a\nimport b\nrest\n'
    expect(applyEdits(bytes(twice), [edit('import a\n', 'import a\nimport b\n')])).toEqual(done(twice))
  })

  it('is known by whole lines however short, and by nothing less than a telling length', () => {
    const [once, resent] = ['function f() {\n  x++\n}\n', edit('  gone\n', '  x++\n')]
    expect(applyEdits(bytes(once), [resent])).toEqual(done(once))
    expect(applyEdits(bytes('a long line with an x in it\n'), [edit('gone', 'x')])).toEqual(
      refusal({ problem: 'no-match', tried: expect.anything(), regions: expect.anything() }),
    )
    const long = 'call(one, two, three)'
    expect(applyEdits(bytes(`await ${long};\n`), [edit('gone', long)])).toEqual(done(`await ${long};\n`))
  })

  it('is not taken for one where the lines only resemble it', () => {
    expect(applied('    item\n', edit('item', '  item'))).toBe('      item\n')
    expect(applied('import a\nimport bc\n', edit('import a', 'import a\nimport b'))).toBe(
      'import a\nimport b\nimport bc\n',
    )
  })
})

describe('properties', () => {
  const ending = fc.constantFrom('\n', '\r\n')
  const line = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\t', 'é', '“', '😀', '$', '&', '{'), maxLength: 8 })
  const file = fc
    .record({
      bom: fc.constantFrom('', '\ufeff'),
      lines: fc.array(line, { minLength: 1, maxLength: 12 }),
      end: ending,
      last: fc.boolean(),
    })
    .map(({ bom, lines, end, last }) => bom + lines.map((text, row) => `${row}:${text}`).join(end) + (last ? end : ''))

  it('leaves everything outside of the span as it is, and is undone by the reverse edit', () => {
    fc.assert(
      fc.property(file, fc.nat(), fc.nat(), fc.array(line, { maxLength: 4 }), (content, first, length, fresh) => {
        const bom = content.startsWith('\ufeff') ? '\ufeff' : ''
        const rows = content.slice(bom.length).split(/\r?\n/)
        const start = first % rows.length
        const old = rows.slice(start, start + 1 + (length % 4))
        const oldText = old.join('\n')
        const newText = ['#', ...fresh, '#'].join('\n')
        fc.pre(oldText.trim() !== '')
        const forward = applyEdits(bytes(content), [{ oldText, newText }])
        if (!forward.ok) return fc.pre(false)
        const end = content.includes('\r\n') ? '\r\n' : '\n'
        const after = [...rows.slice(0, start), ...newText.split('\n'), ...rows.slice(start + old.length)].join(end)
        const back = applyEdits(forward.bytes, [{ oldText: newText, newText: oldText }])
        expect(Buffer.from(forward.bytes).toString()).toBe(bom + after)
        expect(back.ok && Buffer.from(back.bytes).toString()).toBe(content)
      }),
      { numRuns: cases(100) },
    )
  })
})
