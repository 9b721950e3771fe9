import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MOST_BONUS } from './path-evidence.ts'
import { createPathRanking } from './path-ranking.ts'

const REPOSITORY = [
  'README.md',
  'docs/guide/start.md',
  'docs/security.md',
  'package.json',
  'src/cart/discount.ts',
  'src/cart/index.ts',
  'src/cart/totals.ts',
  'src/core/money.ts',
  'src/core/rounding.ts',
  'src/index.ts',
  'src/pricing/discounts.ts',
  'src/pricing/index.ts',
  'src/pricing/tax.tsx',
  'src/x/b.ts',
  'test/cart/totals.test.ts',
  'test/core/money.test.ts',
].sort()

test.each([
  ['swapped letters', 'src/core/mnoey.ts', 'src/core/money.ts'],
  ['a missing letter', 'src/crt/totals.ts', 'src/cart/totals.ts'],
  ['a letter too many', 'src/core/roundinng.ts', 'src/core/rounding.ts'],
  ['another letter', 'src/core/roumding.ts', 'src/core/rounding.ts'],
  ['another folder', 'src/money/rounding.ts', 'src/core/rounding.ts'],
  ['a missing folder', 'src/money.ts', 'src/core/money.ts'],
  ['a folder too many', 'src/lib/core/money.ts', 'src/core/money.ts'],
  ['another extension', 'src/pricing/tax.ts', 'src/pricing/tax.tsx'],
  ['letter case', 'SRC/Core/money.ts', 'src/core/money.ts'],
  ['a foreign root', '/home/usre/repo/src/core/money.ts', 'src/core/money.ts'],
  ['only the name', 'security.md', 'docs/security.md'],
  ['only the name, in a folder', 'b.ts', 'src/x/b.ts'],
  ['plural', 'src/pricing/discount.ts', 'src/pricing/discounts.ts'],
  ['quotes', '"src/index.ts"', 'src/index.ts'],
  ['a line number', 'src/cart/index.ts:12', 'src/cart/index.ts'],
  ['backslashes', 'src\\core\\money.ts', 'src/core/money.ts'],
  ['two errors', 'src/croe/money.tsx', 'src/core/money.ts'],
  ['the address on a host', 'https://github.com/o/r/blob/main/src/core/money.ts#L3', 'src/core/money.ts'],
  ['an import with its built extension', '../core/money.js', 'src/core/money.ts'],
  ['an import without extension', '../pricing/tax', 'src/pricing/tax.tsx'],
  ['an alias of the source folder', '@/core/rounding', 'src/core/rounding.ts'],
  ['a folder for its index', 'src/cart.ts', 'src/cart/index.ts'],
  ['an index for the file', 'src/cart/discount/index.ts', 'src/cart/discount.ts'],
  ['another mark of a test', 'test/core/money.spec.ts', 'test/core/money.test.ts'],
  ['words in another order', 'test/core/test_money.ts', 'test/core/money.test.ts'],
  ['a word too many', 'src/core/rounding-helpers.ts', 'src/core/rounding.ts'],
  ['a word shortened', 'docs/sec.md', 'docs/security.md'],
  ['a name that only one file has, in a wrong folder', 'src/cart/rounding.ts', 'src/core/rounding.ts'],
  ['dots for slashes', 'src.core.rounding', 'src/core/rounding.ts'],
])('%s', (_, mistyped, meant) => {
  expect(createPathRanking(REPOSITORY).rank(mistyped, 1)[0]?.path).toBe(meant)
})

test('a folder too few stands far ahead when no other file has the name', () => {
  const [first, second] = createPathRanking(REPOSITORY).rank('b.ts', 2)
  expect(first).toEqual({ path: 'src/x/b.ts', score: 0.9 })
  expect((first?.score ?? 0) - (second?.score ?? 0)).toBeGreaterThan(0.25)
})

test('nothing in common, nothing offered', () => {
  expect(createPathRanking(REPOSITORY).rank('zzz', 20)).toEqual([])
  expect(createPathRanking([]).rank('src/a.ts', 20)).toEqual([])
})

test('hundreds of equally good paths are offered as far as there is room', () => {
  const paths = Array.from({ length: 2000 }, (_, n) => `fixtures/case-${n}/input.js`).sort()
  const ranked = createPathRanking(paths).rank('fixtures/input.js', 20)
  expect([ranked.length, new Set(ranked.map(({ score }) => score)).size]).toEqual([20, 1])
})

test.each([
  ['letters over words', 'src/user-sevice.ts', ['src/user-service.ts', 'src/user-device-list.ts']],
  ['the kind of file', 'src/a/panel.js', ['src/a/panel.tsx', 'src/a/panel.css']],
  ['a whole name before one that goes on', 'src/format-time', ['src/format-time.ts', 'src/format-time.test.ts']],
  ['a name that goes on with an extension', 'src/format-time.test', ['src/format-time.test.ts', 'src/format-time.ts']],
  ['a name that few have over like names near by', 'src/a/rate-limiter.ts', ['src/b/rate-limiter.ts', 'src/a/rate.ts']],
])('%s', (_, mistyped, order) => {
  expect(
    createPathRanking([...order].sort())
      .rank(mistyped, 5)
      .map(({ path }) => path),
  ).toEqual(order)
})

test('a name that few files have is no reason by itself to take the file without asking', () => {
  const [first] = createPathRanking(['src/billing/rounding.ts', 'src/a.ts']).rank('other/things/rounding.ts', 1)
  expect(first?.path).toBe('src/billing/rounding.ts')
  expect(first?.score).toBeLessThan(0.9)
})

const segment = fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9-]{0,8}$/)
const path = fc
  .tuple(fc.array(segment, { maxLength: 4 }), segment, fc.constantFrom('.ts', '.tsx', '.md', ''))
  .map(([folders, name, extension]) => [...folders, name + extension].join('/'))

test('scores fall from 1, only the path itself has 1, and the order depends on nothing but paths and query', () => {
  fc.assert(
    fc.property(fc.uniqueArray(path, { minLength: 1, maxLength: 40 }), path, fc.nat(20), (paths, query, limit) => {
      const ranked = createPathRanking(paths).rank(query, limit)
      expect(createPathRanking([...paths].reverse()).rank(query, limit)).toEqual(ranked)
      expect(ranked.length).toBeLessThanOrEqual(limit)
      expect(ranked.filter(({ path, score }) => (path === query ? score !== 1 : score >= 1 || score < 0))).toEqual([])
      expect(ranked.map(({ score }) => score)).toEqual(ranked.map(({ score }) => score).sort((a, b) => b - a))
      if (paths.includes(query) && limit > 0) expect(ranked[0]).toEqual({ path: query, score: 1 })
    }),
    { numRuns: 100 },
  )
})

test('of thousands of like names, one mistyped letter in any place still finds the right one', () => {
  const areas = [
    'billing',
    'checkout',
    'inventory',
    'shipping',
    'accounts',
    'reports',
    'search',
    'catalogue',
    'returns',
    'support',
  ]
  const kinds = ['controllers', 'services', 'models', 'views', 'helpers', 'policies']
  const nouns = [
    'address',
    'basket',
    'coupon',
    'delivery',
    'exchange',
    'facture',
    'gateway',
    'history',
    'invoice',
    'journal',
  ]
  const verbs = ['create', 'update', 'remove', 'validate', 'export', 'import', 'render', 'notify']
  const paths = areas.flatMap((area) =>
    kinds.flatMap((kind) =>
      nouns.flatMap((noun) => verbs.map((verb) => `packages/${area}/src/${kind}/${verb}-${noun}.ts`)),
    ),
  )
  const ranking = createPathRanking(paths)
  fc.assert(
    fc.property(fc.nat(paths.length - 1), fc.nat(1000), fc.constantFrom('q', 'zz', ''), (which, at, letters) => {
      const meant = paths[which] as string
      const place = 'packages/'.length + (at % (meant.length - 'packages/.ts'.length))
      // A slash is no letter.
      fc.pre(meant[place] !== '/')
      const mistyped = meant.slice(0, place) + letters + meant.slice(place + 1)
      expect(ranking.rank(mistyped, 1)[0]?.path).toBe(meant)
    }),
    { numRuns: 60, seed: 7 },
  )
})

/** Few names, so that paths come near one another. */
const nearPath = fc
  .tuple(
    fc.array(fc.constantFrom('src', 'lib', 'cart', 'core', 'test'), { maxLength: 3 }),
    fc.constantFrom('index', 'total', 'totals', 'total-sum', 'money'),
    fc.constantFrom('.ts', '.tsx', '.md'),
  )
  .map(([folders, name, extension]) => [...folders, name + extension].join('/'))

test('after paths came and went, in any order, answers are those of a ranking built anew', () => {
  const change = fc.record({ path: nearPath, add: fc.boolean() })
  fc.assert(
    fc.property(
      fc.uniqueArray(nearPath, { maxLength: 30 }),
      fc.array(change, { maxLength: 40 }),
      nearPath,
      (initial, changes, query) => {
        const ranking = createPathRanking(initial)
        const paths = new Set(initial)
        for (const { path, add } of changes) {
          if (add) {
            ranking.add(path)
            paths.add(path)
          } else {
            ranking.remove(path)
            paths.delete(path)
          }
        }
        expect(ranking.rank(query, 20)).toEqual(createPathRanking([...paths]).rank(query, 20))
      },
    ),
  )
})

const evidence = fc.dictionary(nearPath, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }))

test('evidence changes no score and no candidate, and puts nothing before what resembles the query clearly more', () => {
  fc.assert(
    fc.property(fc.uniqueArray(nearPath, { maxLength: 40 }), nearPath, evidence, (paths, query, weights) => {
      const ranking = createPathRanking(paths)
      const plain = ranking.rank(query, paths.length)
      const ordered = ranking.rank(query, paths.length, (path) => weights[path] ?? 0)
      const byPath = (list: typeof plain) => [...list].sort((a, b) => (a.path < b.path ? -1 : 1))
      expect(byPath(ordered)).toEqual(byPath(plain))
      const outvoted = ordered.flatMap((first, place) =>
        ordered.slice(place + 1).filter((later) => later.score - first.score > MOST_BONUS || later.score === 1),
      )
      expect(outvoted).toEqual([])
    }),
  )
})

test('of paths that resemble the query as much, evidence decides; without it their names do', () => {
  fc.assert(
    fc.property(fc.uniqueArray(nearPath, { maxLength: 40 }), nearPath, evidence, (paths, query, weights) => {
      const weightOf = (path: string) => weights[path] ?? 0
      const ordered = createPathRanking(paths).rank(query, paths.length, weightOf)
      const againstIt = ordered.flatMap((first, place) =>
        ordered
          .slice(place + 1)
          .filter(({ path, score }) => score === first.score && weightOf(path) - weightOf(first.path) > 1e-9),
      )
      expect(againstIt).toEqual([])
      expect(createPathRanking(paths).rank(query, 9, () => 0)).toEqual(createPathRanking(paths).rank(query, 9))
    }),
  )
})

test('evidence finds the one meant among more like it than are offered', () => {
  const paths = Array.from({ length: 100 }, (_, n) => `packages/package-${100 + n}/src/index.ts`)
  const meant = 'packages/package-163/src/index.ts'
  const ranked = createPathRanking(paths).rank('src/index.ts', 3, (path) => (path === meant ? 0.3 : 0))
  expect(ranked.map(({ path }) => path)).toEqual([meant, paths[0], paths[1]])
})
