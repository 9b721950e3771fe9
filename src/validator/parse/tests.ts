import type { TestResult } from '../../core/verdict.ts'

const WEIGHT = { skipped: 0, passed: 1, failed: 2 } as const

/** One result an id: tests may share a name (a table of cases, several projects), and one that fails makes the name fail. */
export function mergeTests(tests: readonly TestResult[]): TestResult[] {
  const byId = new Map<string, TestResult>()
  for (const test of tests) {
    const before = byId.get(test.id)
    if (before === undefined || WEIGHT[test.status] > WEIGHT[before.status]) byId.set(test.id, test)
  }
  return [...byId.values()]
}
