import path from 'node:path'
import { expect, test } from 'vitest'
import { type Exception, judge } from './import-directions.ts'
import { findCycles, type Import, importsOf, scanImports } from './import-scan.ts'

/** Imports that break the table, each with its reason. */
const EXCEPTIONS: readonly Exception[] = []

const imports = scanImports(path.join(import.meta.dirname, '../src'))

test('imports go in the directions of the design', () => {
  expect(imports.length).toBeGreaterThan(0)
  expect(judge(imports, EXCEPTIONS)).toEqual([])
})

test('no files import one another in a circle', () => expect(findCycles(imports)).toEqual([]))

test('every way to import is seen, and nothing that only looks like one', () => {
  const source = `
    import type { A } from '../core/a.ts'
    import b, { type B } from './b.ts'
    export * from './deep/c.ts'
    export type { D } from '../lib/d.ts'
    import 'react'
    const e = await import('node:fs')
    type F = import('../core/f.ts').F
    // import '../no/comment.ts'
    const text = "import '../no/text.ts'"
    const template = \`\${1} import '../no/template.ts'\`
  `
  const found = importsOf(source, 'ui/x.tsx').sort((a, b) => (a.to < b.to ? -1 : 1))
  expect(found).toEqual([
    { from: 'ui/x.tsx', to: 'core/a.ts', kind: 'file' },
    { from: 'ui/x.tsx', to: 'core/f.ts', kind: 'file' },
    { from: 'ui/x.tsx', to: 'lib/d.ts', kind: 'file' },
    { from: 'ui/x.tsx', to: 'node:fs', kind: 'built-in' },
    { from: 'ui/x.tsx', to: 'react', kind: 'package' },
    { from: 'ui/x.tsx', to: 'ui/b.ts', kind: 'file' },
    { from: 'ui/x.tsx', to: 'ui/deep/c.ts', kind: 'file' },
  ])
})

const file = (from: string, to: string): Import => ({ from, to, kind: 'file' })

test('breaches are named, and exceptions that nothing needs', () => {
  const some: Import[] = [
    file('core/a.ts', 'core/b.ts'),
    file('core/a.ts', 'lib/b.ts'),
    file('tools/a.ts', 'editor/b.ts'),
    file('tools/a.ts', 'model/b.ts'),
    file('compose.ts', 'ui/b.tsx'),
    file('odd/a.ts', 'core/b.ts'),
    file('loop/a.ts', '../package.json'),
    file('loop/a.ts', 'loop/testing.ts'),
    file('simulator/a.ts', '../fixtures/a.json'),
    { from: 'guard/a.ts', to: 'node:path', kind: 'built-in' },
    { from: 'print/a.ts', to: 'ink', kind: 'package' },
    { from: 'ui/a.tsx', to: 'react/jsx-runtime', kind: 'package' },
  ]
  const exceptions = [
    { from: 'tools', to: 'model/b.ts', reason: 'for the test' },
    { from: 'tools/a.ts', to: 'config', reason: 'for the test' },
  ]
  expect(judge(some, exceptions)).toEqual([
    'core/a.ts -> lib/b.ts: core may not import lib',
    'tools/a.ts -> editor/b.ts: tools may not import editor',
    'compose.ts -> ui/b.tsx: compose may not import ui',
    'odd/a.ts: the folder "odd" has no rule in scripts/import-directions.ts',
    'loop/a.ts -> ../package.json: loop may not import from outside of src',
    'loop/a.ts -> loop/testing.ts: only tests may import it',
    "guard/a.ts -> node:path: guard is pure and imports neither packages nor Node's modules",
    'print/a.ts -> ink: only ui may import it',
    'tools/a.ts -> config: this exception is not needed any more',
  ])
})

test('circles are found, once each', () => {
  const some = [file('a', 'b'), file('b', 'c'), file('c', 'a'), file('c', 'd'), file('d', 'd'), file('e', 'a')]
  expect(findCycles(some)).toEqual([['a', 'b', 'c'], ['d']])
})
