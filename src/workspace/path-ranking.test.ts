import fc from 'fast-check'
import { expect, test } from 'vitest'
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
