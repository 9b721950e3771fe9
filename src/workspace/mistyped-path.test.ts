import { expect, test } from 'vitest'
import { pathParts, unwrapPath } from './mistyped-path.ts'

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
  expect(pathParts('../x/Makefile')).toEqual({ directories: ['x'], stem: 'Makefile', extension: '', foreign: true })
  expect(pathParts('')).toEqual({ directories: [], stem: '', extension: '', foreign: false })
})
