import { Text } from 'ink'
import { render } from 'ink-testing-library'
import { afterEach, expect, test } from 'vitest'
import { NO_PROGRESS } from '../../core/progress.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { LiveArea } from './live-area.tsx'
import { Story } from './story.tsx'

const mounted: { unmount(): void }[] = []

function frame(node: Parameters<typeof render>[0]): string | undefined {
  const instance = render(node)
  mounted.push(instance)
  return instance.lastFrame()
}

afterEach(() => {
  for (const instance of mounted.splice(0)) instance.unmount()
})

test('the live part is as its lines say, a row for a row', () => {
  const steps = [
    { goal: '日本⚠️.ts', state: 'passed' as const },
    { goal: 'a goal that is longer than the terminal is wide', state: 'working' as const },
  ]
  const progress = { ...NO_PROGRESS, steps, startedAt: 0 }
  expect(
    frame(<LiveArea input={{ progress, asking: true, columns: 30, rows: 24, now: 1500, frame: 0 }} color={false} />),
  ).toBe(
    [
      '',
      '⠋ working',
      '  ✓ 1. 日本⚠️.ts',
      '  ▸ 2. a goal that is longer…',
      '1.5 s · 0 requests · 0 tokens',
      'allow it? [y] yes  [n] no',
    ].join('\n'),
  )
})

test('a story line wraps under its indent, or is cut where it says so', () => {
  const lines = [
    { tone: 'bad', indent: 1, text: 'one two three four five' },
    { tone: 'dim', indent: 1, text: 'one two three four five', cut: true },
    { tone: 'plain', indent: 0, text: '' },
    { tone: 'good', indent: 0, text: 'end' },
  ] as const
  expect(
    frame(<Story lines={lines} columns={16} color={false} onWritten={() => {}} />)
      ?.trimEnd()
      .split('\n'),
  ).toEqual(['  one two three', '  four five', '  one two three…', '', 'end'])
})

function Broken(): never {
  throw new Error('broken')
}

test('a component that throws leaves nothing on the screen and is told of once', () => {
  let told = 0
  const shown = frame(
    <ErrorBoundary
      onError={() => {
        told += 1
      }}
    >
      <Text>before</Text>
      <Broken />
    </ErrorBoundary>,
  )
  expect({ shown, told }).toEqual({ shown: '', told: 1 })
})
