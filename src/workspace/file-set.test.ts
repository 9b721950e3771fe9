import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFileSet } from './file-set.ts'

const file = fc
  .array(fc.constantFrom('a', 'b', 'c.ts', 'é'), { minLength: 1, maxLength: 4 })
  .map((segments) => segments.join('/'))
const step = fc.record({ file, does: fc.constantFrom('add', 'remove', 'ask') })

test('whatever was asked between changes, it holds what a set built anew holds, and what it gave out stays as it was', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(file, { maxLength: 12 }),
      fc.array(step, { maxLength: 30 }),
      file,
      (initial, steps, query) => {
        const set = createFileSet([...initial].sort())
        const names = new Set(initial)
        const given: { readonly list: readonly string[]; readonly copy: readonly string[] }[] = []
        for (const { file, does } of steps) {
          if (does === 'ask') {
            for (const list of [set.files(), set.directories()]) given.push({ list, copy: [...list] })
            set.ranking('directory').rank(query, 3)
            set.ranking('file').rank(query, 3)
          } else {
            set[does](file)
            if (does === 'add') names.add(file)
            else names.delete(file)
          }
        }
        const anew = createFileSet([...names].sort())
        const answers = (of: typeof set) => ({
          files: of.files(),
          directories: of.directories(),
          has: of.has(query),
          rankedFiles: of.ranking('file').rank(query, 20),
          rankedFolders: of.ranking('directory').rank(query, 20),
        })
        expect(answers(set)).toEqual(answers(anew))
        expect(set.files()).toEqual([...names].sort())
        expect(given.map(({ list }) => list)).toEqual(given.map(({ copy }) => copy))
      },
    ),
  )
})

test('the folders are those that hold a file at any depth', () => {
  const set = createFileSet(['a.ts', 'src/cart/totals.ts'])
  expect(set.directories()).toEqual(['src', 'src/cart'])
  set.add('docs/guide/start.md')
  set.remove('src/cart/totals.ts')
  expect(set.directories()).toEqual(['docs', 'docs/guide'])
})
