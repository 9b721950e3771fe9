import fc from 'fast-check'
import { expect, it } from 'vitest'
import { playCase } from './case-run-testing.ts'
import { anyCase } from './case-testing.ts'
import { cases } from './testing.ts'

it('gives every tree back to the byte, with what a person did meanwhile, and touches nothing of git’s', async () => {
  expect.hasAssertions()
  await fc.assert(
    fc.asyncProperty(anyCase, async (one) => {
      await expect(playCase(one)).resolves.toBeUndefined()
    }),
    // The same cases each time: `npm run soak:snapshots` looks for others.
    { numRuns: cases(200), seed: 4 },
  )
}, 300_000)
