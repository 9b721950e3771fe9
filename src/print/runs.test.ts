import { expect, test } from 'vitest'
import { renderRuns } from './runs.ts'

const run = {
  id: '20261130-090000-k3f9',
  startedAt: new Date(2026, 10, 30, 9, 0).getTime(),
  status: 'validated',
  task: 'The last page\nis missing when the number of items is not a multiple of the page size',
  model: 'anthropic/claude-sonnet-5',
  attempts: 3,
  requests: 6,
  tokens: 11_305,
  ms: 21_000,
}

test('a table that fits its terminal, the task cut by display columns', () => {
  const other = { ...run, id: 'b', status: 'gave-up', task: '日本\u001b[2J語', attempts: 12, tokens: 90, ms: 700 }
  expect(
    renderRuns([run, other], { columns: 100 }),
  ).toBe(`run                   when              status     attempts  tokens  time   task
20261130-090000-k3f9  2026-11-30 09:00  validated  3         11.3k   21 s   The last page is missin…
b                     2026-11-30 09:00  gave-up    12        90      0.7 s  日本語
`)
})

test('a narrow terminal still shows how the task begins', () => {
  expect(renderRuns([run], { columns: 40 }).split('\n')[1]).toBe(
    '20261130-090000-k3f9  2026-11-30 09:00  validated  3         11.3k   21 s  The last pa…',
  )
})

test('no runs', () => {
  expect(renderRuns([], { columns: 80 })).toBe('no runs yet\n')
})
