import { expect, test } from 'vitest'
import { createEvidenceStore } from './path-evidence.ts'

const FILES = ['README.md', 'a/index.ts', 'b/index.ts', 'src/cart/totals.ts', 'src/core/money.ts', 'test/core/money.ts']

function weights(store: ReturnType<typeof createEvidenceStore>, files: readonly string[] = FILES) {
  const about = store.about(files)
  return Object.fromEntries(
    files.filter((file) => about(file) > 0).map((file) => [file, Number(about(file).toFixed(3))]),
  )
}

test('nothing noted, nothing said', () => {
  expect(weights(createEvidenceStore())).toEqual({})
})

test('a name in the task speaks for the files it can mean: the one with that path, else those whose path ends so', () => {
  const store = createEvidenceStore()
  store.note(['core/money.ts', 'totals.ts', 'README.md', 'oney.ts', 'gone.ts'], 'task')
  expect(weights(store)).toEqual({
    'README.md': 0.8,
    'src/cart/totals.ts': 0.8,
    'src/core/money.ts': 0.8,
    'test/core/money.ts': 0.8,
  })
})

test('a name that many files have speaks for none, but for the one that is exactly there', () => {
  const files = Array.from({ length: 6 }, (_, n) => `packages/p${n}/index.ts`)
  const store = createEvidenceStore()
  store.note(['index.ts'], 'task')
  expect(weights(store, files)).toEqual({})
  store.note(['index.ts'], 'task')
  expect(weights(store, [...files, 'index.ts'])).toEqual({ 'index.ts': 0.8 })
})

test('sources strengthen one another, whichever comes first, and saying it again adds nothing', () => {
  const store = createEvidenceStore()
  store.note(['src/core/money.ts'], 'history')
  store.note(['src/core/money.ts', 'a/index.ts'], 'conversation')
  store.note(['src/core/money.ts'], 'conversation')
  store.note(['b/index.ts'], 'search')
  expect(weights(store)).toEqual({ 'a/index.ts': 0.7, 'b/index.ts': 0.4, 'src/core/money.ts': 0.79 })
  store.note(['src/core/money.ts'], 'task')
  expect(weights(store)['src/core/money.ts']).toBe(0.958)
})

test('of very many the last ones count', () => {
  const files = Array.from({ length: 600 }, (_, n) => `f${n}.ts`)
  const store = createEvidenceStore()
  store.note(files.slice(0, 500), 'conversation')
  store.note(['f0.ts'], 'conversation')
  store.note(files.slice(500), 'conversation')
  expect(Object.keys(weights(store, files))).toEqual(['f0.ts', ...files.slice(101)])
})
