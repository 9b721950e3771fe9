import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { createSyntaxCheck } from './check-syntax.ts'

const check = createSyntaxCheck(path.join(import.meta.dirname, '../../../dist/grammars'))
const bytes = (text: string) => Buffer.from(text)
/** What is said of a new file, or of one that was `before`: `line:column message | the line`. */
const said = async (file: string, after: string, before?: string): Promise<string | undefined> => {
  const fault = await check(file, before === undefined ? undefined : bytes(before), bytes(after))
  return fault === undefined ? undefined : `${fault.line}:${fault.column} ${fault.message} | ${fault.lineText}`
}

/** A good text of each language, what breaks in it, and what is then said. */
const BROKEN: readonly (readonly [file: string, good: string, from: string, to: string, said: string])[] = [
  ['a.js', 'if (a) {\n  b()\n}\n', '\n}', '\n', '4:1 Unexpected token | '],
  ['a.mjs', 'export const a = [1, 2]\n', ']', '', '2:1 Unexpected token, expected "," | '],
  ['a.cjs', "module.exports = 'a'\n", "a'", 'a', "1:18 Unterminated string constant | module.exports = 'a"],
  ['a.jsx', 'const a = <p>b</p>\n', '</p>', '', '1:14 Unterminated JSX contents | const a = <p>b'],
  [
    'a.ts',
    'const a: number = 1\nconst b = 2\n',
    '1\n',
    '1 ',
    '1:20 Missing semicolon | const a: number = 1 const b = 2',
  ],
  ['a.mts', 'type A = { b: string }\n', ' }', '', '2:1 Unexpected token | '],
  ['a.cts', 'import a = require("a")\n', '")', '"', '2:1 Unexpected token, expected ")" | '],
  [
    'a.d.ts',
    'declare const a: string\n',
    'a:',
    'a::',
    '1:19 Binding should be performed on object property | declare const a:: string',
  ],
  ['a.tsx', 'const a = (b: T) => <p>{b}</p>\n', '{b}', '{b', '1:28 Unterminated regular expression | '],
  [
    'a.json',
    '{\n  "a": 1,\n  "b": [2]\n}\n',
    '1,',
    '1',
    '3:3 unexpected string where "," or the end of the list or object is expected |   "b": [2]',
  ],
  ['tsconfig.json', '{ // a\n  "b": 1,\n}\n', '1', '', '2:8 unexpected "," where a value is expected |   "b": ,'],
  ['a.css', 'a {\n  b: c;\n}\nd { e: f }\n', '\n}', '', '1:3 "{" is never closed | a {'],
  [
    'a.scss',
    '@mixin a { b: "#{c("d")}"; }\n',
    '")}',
    ')}',
    '1:15 the string that begins here is never closed | @mixin a { b: "#{c("d)}"; }',
  ],
  ['a.less', '// it\'s\n.a { width: ~"1px"; }\n', '}', '}}', '2:22 "}" closes nothing | .a { width: ~"1px"; }}'],
  [
    'a.html',
    '<p title="a">b<!-- c --></p>\n',
    ' -->',
    '',
    '1:15 the comment that begins here is never closed | <p title="a">b<!-- c</p>',
  ],
  [
    'a.yaml',
    'a: [1, 2]\nb: 3\n',
    ']',
    '',
    '2:1 Flow sequence in block collection must be sufficiently indented and end with a ] | b: 3',
  ],
  ['a.py', 'def f(a):\n    return (a,\n            1)\n', '1)', '1', '2:12 "(" is never closed |     return (a,'],
  ['b.py', 'if a:\n    b()\n    c()\n', '\n    c', '\n   c', '3:4 the indentation fits no block |    c()'],
  ['c.py', 'def f():\n    return 1\n', '\n    ', '\n', '1:1 an indented block is expected after this line | def f():'],
  [
    'd.py',
    'try:\n    a()\nfinally:\n    b()\n',
    'finally:\n    ',
    '',
    '1:1 this try has neither except nor finally | try:',
  ],
  ['a.go', 'package a\n\nfunc f() {\n\tif x {\n\t\ty()\n\t}\n}\n', '\t}\n', '', '4:7 "{" is never closed | \tif x {'],
  ['b.go', 'package a\n\nfunc f() {\n\tx := 1\n}\n', '1', '', '4:6 "identifier" is missing here | \tx := '],
  [
    'a.rs',
    'fn f<\'a>(b: &\'a str) -> char { g(r#"""#); \'"\' }\n',
    ');',
    ';',
    '1:46 "}" does not close the "(" of line 1 | ',
  ],
]

describe('what breaks a file is found where it is', () => {
  it.each(BROKEN)('%s', async (file, good, from, to, told) => {
    const broken = good.replace(from, to)
    expect(await said(file, good)).toBe(undefined)
    const expected = told.endsWith('| ') ? expect.stringContaining(told.slice(0, -2)) : told
    expect([await said(file, broken), await said(file, broken, good)]).toEqual([expected, expected])
    // It was so before: the change is not at fault.
    expect(await said(file, `${broken}\n`, broken)).toBe(undefined)
    expect(await said(file, good, broken)).toBe(undefined)
  })
})

const ACCEPTED: Readonly<Record<string, string>> = {
  'hashbang.js': '#!/usr/bin/env node\nawait a\nreturn\n',
  'sloppy.js': 'with (a) b = 010\nvar await = 1\n',
  'decorators.ts': '@a export class B { @c() d = 1; constructor(@e readonly f: G) {} }\n',
  'old-decorators.js': 'export @a class B { @c d() {} }\n',
  'satisfies.ts': 'const a = { b: 1 } satisfies C\nusing d = e()\nawait using f = g()\nenum H { I }\n',
  'attributes.js': 'import a from "./a.json" with { type: "json" }\nexport * as default from "b"\n',
  'generics.tsx': 'const a = <T,>(b: T) => <div style={{ c: 1 }}>{b as T}</div>\n',
  'casts.ts':
    'const a = <T>b\nlet c: typeof import("d")\nabstract class E<in out F> { declare g: H; accessor i = 1 }\n',
  'flow.js': 'type A = {| +b: ?string |}\nexport opaque type C = D\n',
  'component.js': '// @flow\ncomponent A() { return <B /> }\n',
  // The checks of the repository say what these mean.
  'twice.ts': 'let a\nlet a\nexport { b }\nclass C { constructor() {} constructor() {} }\n',
  '.vscode/any.json': '{ /* a */ "b": [1,], }',
  'a.json5': "{ b: 'c', d: +.5, /* e */ f: Infinity }",
  'deep.json': `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
  'deep.js': '('.repeat(100_000),
  'deep.ts': `${'a<'.repeat(50_000)}`,
  'deep.yaml': `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  'deep.py': `a = ${'['.repeat(50_000)}${']'.repeat(50_000)}\n`,
  'urls.css': 'a { b: url(data:image/svg+xml;utf8,<svg xmlns=\'c\'>); d\\[e\\]: "\\""; }\n',
  'page.html': '<!doctype html><p>a <b>c<script>if (a < b) "</p>"</script><input disabled value=a>\n',
  'values.yaml': 'a: &b { c: d }\ne: *b\nf: |\n  g: [\n---\nh: !Ref i\n',
  'workflow.yml': 'on: push\njobs:\n  a:\n    if: $' + '{{ github.event }}\n',
  'templates/chart.yaml': '{{- if .Values.a }}\nb: {{ .c }}\n{{- end }}\n',
  'new.py': 'match a:\n    case {"b": [c, *_]} if c: pass\nasync def f[T](*, g=1): print(f"{g!r:>{h}}")\n',
  'continued.py': 'if a and \\\n   b:\n    c(1,\n  2)\n# d\nelse: e(); f()\n',
  'new.go': 'package a\n\nfunc f[T any]() { x := new(1 + 1); for range 10 { g(x) } }\n',
  'new.rs':
    "#!/usr/bin/env run\nunsafe extern \"C\" { fn a(); }\nfn b() { /* /* */ */ let c = b'\\''; 'd: loop { break 'd } }\n",
  'unknown.xyz': '{{{',
  Makefile: 'a: b\n',
}

describe('what its own tools accept is not refused', () => {
  it.each(Object.entries(ACCEPTED))('%s', async (file, text) => {
    expect(await said(file, text)).toBe(undefined)
  })

  it.each(['js', 'ts', 'json', 'yaml', 'css', 'html', 'py', 'go', 'rs'])('an empty file: a.%s', async (extension) => {
    expect([await said(`a.${extension}`, ''), await said(`a.${extension}`, '\n', 'a')]).toEqual([undefined, undefined])
  })

  test('a .json file that had comments may keep them, and is held to the rest', async () => {
    expect(await said('a.json', '{ "a": 1 } // b')).toBe(
      '1:12 unexpected "/" where the end of the file is expected | { "a": 1 } // b',
    )
    expect(await said('a.json', '{ "a": 2 } // b', '{ "a": 1 } // b')).toBe(undefined)
    expect(await said('a.json', '{ "a": 2 // b', '{ "a": 1 } // b')).toBe('1:1 "{" is never closed | { "a": 2 // b')
  })
})

test('line ends and byte order marks do not move the place', async () => {
  expect(await said('a.ts', '\uFEFFconst a = 1\r\nconst b = (\r\n')).toBe('3:1 Unexpected token | ')
  expect(await said('a.json', '\uFEFF{\r\n  "a": x\r\n}\r\n')).toBe(
    '2:8 unexpected "x" where a value is expected |   "a": x',
  )
  expect(await said('a.py', '\uFEFFa = 1\r\n  b = 2\r\n')).toBe('2:3 the indentation fits no block |   b = 2')
})

test('what is not text, or too much of it, is not judged', async () => {
  expect(await check('a.js', undefined, Buffer.from([0x28, 0xff]))).toBe(undefined)
  expect(await check('a.js', Buffer.from([0xff]), bytes('('))).toBe(undefined)
  expect(await check('a.js', undefined, bytes(`(${' '.repeat(2 ** 20)}`))).toBe(undefined)
})

test('without its grammars nothing is refused', async () => {
  const blind = createSyntaxCheck(path.join(import.meta.dirname, 'no such folder'))
  expect(await blind('a.py', undefined, bytes('def f(:'))).toBe(undefined)
  expect(await blind('a.json', undefined, bytes('{'))).toEqual({
    line: 1,
    column: 1,
    message: '"{" is never closed',
    lineText: '{',
  })
})

test('whatever is cut off a file, the answer is a place in it or none', async () => {
  const cut = fc
    .constantFrom(...BROKEN)
    .chain(([file, good]) =>
      fc.record({ file: fc.constant(file), good: fc.constant(good), at: fc.nat(good.length), more: fc.string() }),
    )
  await fc.assert(
    fc.asyncProperty(cut, async ({ file, good, at, more }) => {
      const text = good.slice(0, at) + more
      const fault = await check(file, bytes(good), bytes(text))
      if (fault === undefined) return
      const line = text.replace(/^\uFEFF/, '').split('\n')[fault.line - 1]
      expect(fault.lineText).toBe(line?.replace(/\r$/, ''))
      expect(fault.column).toBeGreaterThan(0)
      expect(fault.column).toBeLessThanOrEqual((line ?? '').length + 1)
    }),
  )
})

test('JSON is taken exactly where JSON.parse takes it', async () => {
  const damaged = fc
    .tuple(
      fc.json(),
      fc.nat(),
      fc.constantFrom('', ',', '"', '{', ']', '0', '-', '.', '\\', ' ', 'e1', 'tru'),
      fc.nat(1),
    )
    .map(([text, at, put, removed]) => {
      const place = at % (text.length + 1)
      return text.slice(0, place) + put + text.slice(place + removed)
    })
    .filter((text) => text.trim() !== '' && !/\{\{|\{%|<%/.test(text) && Buffer.from(text).toString() === text)
  await fc.assert(
    fc.asyncProperty(damaged, async (text) => {
      let isJson = true
      try {
        JSON.parse(text.replace(/^\uFEFF/, ''))
      } catch {
        isJson = false
      }
      expect((await check('a.json', undefined, bytes(text))) === undefined).toBe(isJson)
    }),
  )
})
