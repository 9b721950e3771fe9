import { describe, expect, it } from 'vitest'
import { type ApplyResult, applyEdits, type Edit } from './apply.ts'
import { STRATEGIES } from './locate.ts'

const bytes = (text: string) => Buffer.from(text, 'utf8')
const edit = (oldText: string, newText: string): Edit => ({ oldText, newText })

/** The file after the edit with the strategy that matched, or what the edit was refused for. */
function outcome(content: string, change: Edit): readonly [string | undefined, string] | string {
  const result = applyEdits(bytes(content), [change])
  return result.ok ? [result.strategy, Buffer.from(result.bytes).toString()] : result.problem
}

const refusal = (problem: Extract<ApplyResult, { ok: false }>['problem']) => ({
  ok: false,
  problem,
  edit: 0,
  tried: [],
  regions: [],
  lines: [],
})

describe('Unicode forms', () => {
  const nfd = (text: string) => text.normalize('NFD')

  it.each([
    [
      'composed for decomposed, which the rest stays',
      `${nfd('const café = ')}1 // ${nfd('thé')}\n`,
      edit('const café = 1', 'const café = 2'),
      `${nfd('const café = ')}2 // ${nfd('thé')}\n`,
    ],
    [
      'what is new is decomposed where the text around is',
      `${nfd('// café')}\n`,
      edit('// café', '// café\n// thé'),
      `${nfd('// café\n// thé')}\n`,
    ],
    ['decomposed for composed', '// café au lait\n', edit(nfd('café au'), nfd('café ou')), '// café ou lait\n'],
    [
      'syllables of Hangul letters',
      `${nfd('// 한국어 설명')}\n`,
      edit('한국어 설명', '한국어 문서'),
      `${nfd('// 한국어 문서')}\n`,
    ],
    ['a no-break space', 'label:\u00a0one two\n', edit('label: one', 'label: 1'), 'label:\u00a01 two\n'],
    [
      'dashes',
      '// first – second — third\n',
      edit('first - second - third', 'first - second - 3rd'),
      '// first – second — 3rd\n',
    ],
    ['an ellipsis', "say('wait… now') // …\n", edit("'wait... now'", "'wait... later'"), "say('wait… later') // …\n"],
    [
      'what is invisible',
      'to\u200bken = soft\u00adhyphen\n',
      edit('token = softhyphen', 'token = none'),
      'to\u200bken = none\n',
    ],
    [
      'with CRLF',
      '// un thé…\r\n// fin\r\n',
      edit('// un thé...\n// fin', '// un thé...\n// end'),
      '// un thé…\r\n// end\r\n',
    ],
  ])('%s', (_, content, change, expected) => {
    expect(outcome(content, change)).toEqual(['unicode', expected])
  })

  it('never takes a letter from its combining mark, nor half of an ellipsis or of a surrogate pair', () => {
    expect(outcome(nfd('// le café noir\n'), edit('le cafe', 'le bar'))).toBe('no-match')
    expect(outcome('// wait a moment…\n', edit('a moment.', 'a moment!'))).toBe('no-match')
    expect(outcome('const smile = "😀"\n', edit('smile = "\ud83d', 'x'))).toBe('no-match')
  })

  it('writes a change within an ellipsis whole', () => {
    const change = edit('say(wait...now)', 'say(wait..now)')
    expect(outcome('say(wait…now)\n', change)).toEqual(['unicode', 'say(wait..now)\n'])
  })

  it('keeps letters apart that only look alike', () => {
    expect(outcome('const раss = secret\n', edit('const pass = secret', 'x'))).toBe('no-match')
  })
})

describe('blanks within lines', () => {
  it('are matched whichever they are, and stay in lines that the edit leaves', () => {
    const content = 'a:\t1\nlonger:   2\nlast:\t\t3\n'
    const change = edit('a: 1\nlonger: 2\nlast: 3', 'a: 1\nlonger: 22\nlast: 3')
    expect(outcome(content, change)).toEqual(['blanks', 'a:\t1\nlonger: 22\nlast:\t\t3\n'])
  })

  it('are no part of a word: where one has none, the other is another text', () => {
    expect(outcome('const a = callThis(one)\n', edit('const a = call This(one)', 'x'))).toBe('no-match')
  })
})

describe('limits of loose matches', () => {
  it.each([
    ['a short text by its indentation', '\tx++\n', edit('  x++\n', 'y')],
    ['a short text by its quotes', 'it’s\n', edit("'", '"')],
    ['what stands everywhere', '\t} else {\n', edit('  } else {\n', 'y')],
    ['a text of keywords', '\treturn null;\n', edit('  return null;\n', 'y')],
    ['blanks at a line end beyond measure', `call(one)${' '.repeat(80)}\nnext()\n`, edit('call(one)\nnext()', 'y')],
    ['blanks within a line beyond measure', `call(one,${' '.repeat(80)}two)\n`, edit('call(one, two)', 'y')],
    ['what is invisible beyond measure', `token${'\u200b'.repeat(80)}Name\n`, edit('tokenName', 'y')],
  ])('%s', (_, content, change) => {
    expect(outcome(content, change)).toBe('no-match')
  })
})

describe('text with what it was shown with', () => {
  const file = 'function f() {\n  const a = 1\n  return a\n}\n'

  it.each([
    ['line numbers', edit('2\t  const a = 1\n3\t  return a', '2\t  const a = 2\n3\t  return a')],
    ['line numbers in the old text only', edit('2\t  const a = 1', '  const a = 2')],
    ['line numbers with an arrow', edit('     2→  const a = 1', '     2→  const a = 2')],
    ['line numbers with a bar', edit(' 2 |   const a = 1', ' 2 |   const a = 2')],
    ['marks of a diff', edit('-  const a = 1', '+  const a = 2')],
    [
      'a diff with lines that stay',
      edit(
        '   const a = 1'.replace(/^/, '-').replace('-  ', '- ').concat('\n   return a'),
        '+  const a = 2\n   return a',
      ),
    ],
    ['a quotation', edit('>   const a = 1\n>   return a', '>   const a = 2\n>   return a')],
  ])('%s', (_, change) => {
    expect(outcome(file, change)).toEqual(['decorations', 'function f() {\n  const a = 2\n  return a\n}\n'])
  })

  it('takes lines out by a diff of which nothing is new', () => {
    expect(outcome(file, edit(' function f() {\n-  const a = 1\n   return a', ' function f() {\n   return a'))).toEqual(
      ['decorations', 'function f() {\n  return a\n}\n'],
    )
  })

  it('leads to the lines that are meant where it is a whole diff', () => {
    const diff = '@@ -1,3 +1,3 @@\n function f() {\n-  const a = 1\n+  const a = 2\n   return a'
    expect(applyEdits(bytes(file), [edit(diff, 'x')])).toEqual({
      ...refusal('no-match'),
      tried: STRATEGIES,
      regions: [{ startLine: 1, endLine: 3, text: 'function f() {\n  const a = 1\n  return a' }],
    })
  })

  it('is found already there when sent again', () => {
    const change = edit('2\t  const a = 1\n3\t  return a', '2\t  const a = 2\n3\t  return a')
    expect(outcome(file.replace('a = 1', 'a = 2'), change)).toEqual([undefined, file.replace('a = 1', 'a = 2')])
  })

  it('is refused where the new text carries it in part, or where only the new text does', () => {
    const partly = edit('2\t  const a = 1\n3\t  return a', '2\t  const a = 2\n  more()\n3\t  return a')
    expect(applyEdits(bytes(file), [partly])).toEqual(refusal('decorated'))
    expect(applyEdits(bytes(file), [edit('  const a = 1', '2\t  const a = 2')])).toEqual(refusal('decorated'))
    expect(applyEdits(bytes(file), [edit('-  const a = 1', '-  const a = 2')])).toEqual(refusal('decorated'))
    const blank = edit(' function f() {\n-  const a = 1', '  const b = 2')
    expect(applyEdits(bytes(file), [blank])).toEqual(refusal('decorated'))
  })

  it('is ambiguous where without it the text stands twice', () => {
    expect(applyEdits(bytes('same(1)\nmid\nsame(1)\n'), [edit('1\tsame(1)', '1\tother')])).toEqual({
      ...refusal('ambiguous'),
      tried: ['exact'],
      lines: [1, 3],
      regions: [
        { startLine: 1, endLine: 2, text: 'same(1)\nmid' },
        { startLine: 2, endLine: 3, text: 'mid\nsame(1)' },
      ],
    })
  })

  it('is the file’s own text where the file has it', () => {
    expect(outcome('1\tone\n2\ttwo\n', edit('2\ttwo', '2\ttwo\n3\tthree'))).toEqual([
      'exact',
      '1\tone\n2\ttwo\n3\tthree\n',
    ])
    expect(outcome('1\tone\n2\ttwo\n', edit('one\n', 'one\n7\tx\n'))).toEqual(['exact', '1\tone\n7\tx\n2\ttwo\n'])
    expect(outcome(file, edit('3\t  const a = 1\n2\t  return a', 'x'))).toBe('no-match')
    expect(outcome('* item one\n', edit('- item one', '- item two'))).toBe('no-match')
    expect(outcome('* item one\n+ item one\n', edit('- item one', '- item two'))).toBe('no-match')
    expect(outcome('not foo()\nfoo()\n', edit('2\tfoo()', '2\tbar()'))).toEqual(['decorations', 'not foo()\nbar()\n'])
  })
})

it('refuses binary content', () => {
  expect(applyEdits(bytes('MZ\0\0text here'), [edit('text here', 'x')])).toEqual(refusal('binary'))
})

it('addresses one of two adjacent lines that are the same by a line beside them', () => {
  const content = 'before\nsame()\nsame()\nafter\n'
  expect(applyEdits(bytes(content), [edit('same()\n', '')])).toEqual({
    ...refusal('ambiguous'),
    tried: ['exact'],
    lines: [2, 3],
    regions: [
      { startLine: 1, endLine: 2, text: 'before\nsame()' },
      { startLine: 3, endLine: 4, text: 'same()\nafter' },
    ],
  })
  expect(outcome(content, edit('same()\nafter', 'after'))).toEqual(['exact', 'before\nsame()\nafter\n'])
})
