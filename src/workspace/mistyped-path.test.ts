import { expect, test } from 'vitest'
import { asModule, dottedPath, pathParts, unwrapPath } from './mistyped-path.ts'

test.each([
  ['src/a.ts', 'src/a.ts'],
  ['"src/a.ts"', 'src/a.ts'],
  ["'src/a.ts',", 'src/a.ts'],
  ['`src/a.ts`', 'src/a.ts'],
  ['src/a.ts:12', 'src/a.ts'],
  ['src/a.ts:12:3', 'src/a.ts'],
  ['src/a.ts:12-20', 'src/a.ts'],
  ['### src/a.ts', 'src/a.ts'],
  ['- src/a.ts', 'src/a.ts'],
  ['src\\a.ts', 'src/a.ts'],
  ['src//a.ts', 'src/a.ts'],
  ['file:///home/me/a.ts', '/home/me/a.ts'],
  ['src/a.ts:', 'src/a.ts'],
  ['src/a.ts#L12', 'src/a.ts'],
  ['src/a.ts#L12-L20', 'src/a.ts'],
  ['src/a.ts#L12C3-L20C1', 'src/a.ts'],
  ['src/a.ts(12,5)', 'src/a.ts'],
  ['src/a.ts line 12', 'src/a.ts'],
  ['src/a.ts, lines 12-20', 'src/a.ts'],
  ['src/a.svg?raw', 'src/a.svg'],
  ['https://github.com/owner/repo/blob/main/src/a.ts#L10', 'src/a.ts'],
  ['https://gitlab.com/owner/repo/-/blob/main/src/a.ts', 'src/a.ts'],
  ['https://example.org/src/a.ts', 'https:/example.org/src/a.ts'],
  ['app/(shop)', 'app/(shop)'],
  ['app/(shop)/[id]/page.tsx', 'app/(shop)/[id]/page.tsx'],
  ['@types/node.d.ts', '@types/node.d.ts'],
])('%s is %s', (written, path) => {
  expect(unwrapPath(written)).toBe(path)
})

test('parts', () => {
  expect(pathParts('src/core/ports.test.ts')).toEqual({
    directories: ['src', 'core'],
    stem: 'ports.test',
    extension: 'ts',
    foreign: false,
  })
  expect(pathParts('/home/me/.gitignore')).toEqual({
    directories: ['home', 'me'],
    stem: '.gitignore',
    extension: '',
    foreign: true,
  })
  expect(pathParts('../x/Makefile')).toEqual({ directories: ['x'], stem: 'Makefile', extension: '', foreign: false })
  expect(pathParts('C:/x/a.ts')).toEqual({ directories: ['C:', 'x'], stem: 'a', extension: 'ts', foreign: true })
  expect(pathParts('~/x/a.ts')).toEqual({ directories: ['x'], stem: 'a', extension: 'ts', foreign: true })
  expect(pathParts('@/x/a.ts')).toEqual({ directories: ['x'], stem: 'a', extension: 'ts', foreign: false })
  expect(pathParts('')).toEqual({ directories: [], stem: '', extension: '', foreign: false })
})

test.each([
  ['src/cart/index.ts', { directories: ['src'], stem: 'cart', extension: 'ts', foreign: false }],
  ['src/cart/__init__.py', { directories: ['src'], stem: 'cart', extension: 'py', foreign: false }],
  ['cart/README.md', { directories: [], stem: 'cart', extension: 'md', foreign: false }],
  ['src/cart/totals.ts', undefined],
  ['index.ts', undefined],
])('%s as a module', (path, module) => {
  expect(asModule(pathParts(path))).toEqual(module)
})

test.each([
  ['org.example.cart.Totals', 'org/example/cart/Totals'],
  ['org.example.cart.Totals.java', 'org/example/cart/Totals.java'],
  ['cart.totals', 'cart/totals'],
  ['my-app.cart.totals', 'my-app/cart/totals'],
  ['crate::cart::totals', 'cart/totals'],
  ['cart.py', undefined],
  ['b.ts', undefined],
  ['vite.config.ts', undefined],
  ['src/cart.totals', undefined],
  ['.eslintrc.json', undefined],
  ['v1.2', undefined],
  ['Makefile', undefined],
])('%s is the path %s', (written, path) => {
  expect(dottedPath(written)).toBe(path)
})
