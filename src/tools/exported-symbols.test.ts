import fc from 'fast-check'
import { expect, test } from 'vitest'
import { moduleExports } from './exported-symbols.ts'
import { maskSource } from './source-mask.ts'

/** The names with the 1-based lines of their declarations, and where they come from. */
const exportsOf = (source: string) =>
  Object.fromEntries(
    [...moduleExports(source).symbols].map(([name, { stretches, origin }]) => [
      name,
      [
        stretches.map(({ from, to }) => `${from + 1}-${to + 1}`).join(' '),
        ...(origin === undefined ? [] : [`${origin.name} of ${origin.specifier}`]),
      ].join(', '),
    ]),
  )

test.each<[string, string, Record<string, string>]>([
  [
    'a function with its comment',
    '// no\n\n/**\n * Adds.\n */\nexport function add(a: { x: 1 }) {\n  return a\n}\nconst b = 1\n',
    { add: '3-8' },
  ],
  [
    'overloads',
    'export function f(a: string): void\nexport function f(a: number): void\nexport function f(a: unknown) {\n}\n',
    { f: '1-4' },
  ],
  [
    'a return type over several lines',
    'export async function* f(): AsyncGenerator<{\n  a: 1\n}> {\n  yield {}\n}\nf()\n',
    { f: '1-5' },
  ],
  [
    'a return type that closes like a body',
    'export function f(): Promise<\n  { a: 1 } | { b: 1 }\n> {\n}\ng()\n',
    { f: '1-4' },
  ],
  ['a name that begins with a keyword', 'const enumeration = 1\nexport { enumeration }\n', { enumeration: '1-2' }],
  [
    'classes',
    '@decorated\nexport abstract class A<T> extends B {\n  #x = {}\n}\nexport class C {}\n',
    { A: '1-4', C: '5-5' },
  ],
  [
    'constants without semicolons',
    'export const a = 1\nexport const b =\n  2\nexport let c = [\n  1,\n]\n  .map(x)\nfoo()\n',
    { a: '1-1', b: '2-3', c: '4-7' },
  ],
  ['several of one statement', 'export const a = 1, b = f(1, 2),\n  c = 3;\n', { a: '1-2', b: '1-2', c: '1-2' }],
  [
    'patterns',
    'export const { a, b: c, d: { e = {} }, ...f } = x, [g, , h = 1] = y\n',
    { a: '1-1', c: '1-1', e: '1-1', f: '1-1', g: '1-1', h: '1-1' },
  ],
  ['a comma within type arguments', 'export const m: Map<string, number> = new Map()\n', { m: '1-1' }],
  [
    'types',
    'export type A =\n  | { a: 1 }\n  | B<string>\nexport interface I {\n  a: 1\n}\nexport type { T } from "./t"\n',
    { A: '1-3', I: '4-6', T: '7-7, T of ./t' },
  ],
  [
    'enums and namespaces',
    'export enum E { A }\nexport const enum F {\n  B,\n}\nexport declare namespace N {\n  export const inner: 1\n}\n',
    { E: '1-1', F: '2-4', N: '5-7' },
  ],
  ['a value and a type of one name', 'export const A = 1\n\nexport type A = 1\n', { A: '1-1 3-3' }],
  ['a default function', 'export default async function go() {\n}\n', { default: '1-2' }],
  ['a default name', 'function go() {\n}\n\nexport default go\n', { default: '1-2 4-4' }],
  ['a default expression', 'export default {\n  a: 1,\n}\n', { default: '1-3' }],
  [
    'a list',
    'const a = 1\n\nfunction b() {\n}\n\nexport { a as x, b, type C }\n',
    { x: '1-1 6-6', b: '3-4 6-6', C: '6-6' },
  ],
  [
    'a list of what is imported',
    "import d, { e as f } from './e.js'\nimport * as g from 'g'\nexport { d, f, g }\n",
    { d: '3-3, default of ./e.js', f: '3-3, e of ./e.js', g: '3-3, * of g' },
  ],
  [
    'lists of another module',
    "export {\n  a as b,\n  default as c,\n} from './a'\nexport * as ns from './ns'\n",
    { b: '1-4, a of ./a', c: '1-4, default of ./a', ns: '5-5, * of ./ns' },
  ],
  [
    'CommonJS',
    'const a = 1\n\nexports.b = function () {\n}\nmodule.exports.c = 2;\nmodule.exports = { a, d: 1 }\n',
    { b: '3-4', c: '5-5', a: '1-1', d: '6-6' },
  ],
  [
    'words that only look like it',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the source under test holds a template
    '// export const a = 1\nconst s = "export const b = 1"\nconst t = `\nexport const c = 1\n${`export const d = 1`}`\nx.export = 1\nconst o = { export: 1 }\nconst r = /export const e = 1/\n',
    {},
  ],
  [
    'a template and a regular expression with brackets',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the source under test holds a template
    'export const a = `{${b({})}`\nexport const c = /[{(/"]/.test("{")\nexport const d = 1 / 2 / 3\n',
    { a: '1-1', c: '2-2', d: '3-3' },
  ],
  [
    'JSX',
    "export function A() {\n  return <p title='a'>don't {x} </p>\n}\nexport const B = () => <br />\n",
    { A: '1-3', B: '4-4' },
  ],
  ['other line endings', 'export const a = 1\r\nexport const b = {\r\n}\r\n', { a: '1-1', b: '2-3' }],
])('%s', (_, source, expected) => {
  expect(exportsOf(source)).toEqual(expected)
})

test('modules of which everything is exported again', () => {
  expect(moduleExports("export * from './a'\nexport type * from './b'\n").stars).toEqual(['./a', './b'])
})

const fragment = fc.constantFrom(
  ...[
    'export ',
    'default ',
    'function ',
    'const ',
    'class ',
    'type ',
    '{',
    '}',
    '(',
    ')',
    '[',
    ']',
    '`',
    '${',
    '"',
    "'",
    '/',
    '//',
    '/*',
    '*/',
    '\\',
    '\n',
    '\r\n',
    ',',
    ';',
    '=',
    ' as ',
    ' from ',
    'a',
    'b',
    'import ',
    '*',
    '<',
    '>',
    '.',
    'module.exports',
    'é',
    '\u{1f600}',
    '@',
  ],
)
const source = fc
  .array(fc.oneof({ weight: 9, arbitrary: fragment }, { weight: 1, arbitrary: fc.string() }), { maxLength: 60 })
  .map((parts) => parts.join(''))

test('whatever the text, nothing is thrown, stretches lie inside of it, and the mask keeps its lines', () => {
  fc.assert(
    fc.property(source, (text) => {
      const masked = maskSource(text)
      expect([masked.length, masked.replaceAll(/[^\n\r]/g, '')]).toEqual([text.length, text.replaceAll(/[^\n\r]/g, '')])
      const lines = text.split(/\r\n?|\n/).length
      for (const { stretches } of moduleExports(text).symbols.values()) {
        expect(stretches.length).toBeGreaterThan(0)
        expect(stretches.filter(({ from, to }) => from < 0 || from > to || to >= lines)).toEqual([])
      }
    }),
    { numRuns: 2000, examples: [['"\\\r\n'], ['"\\\n'], ['`\\']] },
  )
})
