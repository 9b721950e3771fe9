import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import type { StampedEvent } from '../core/event.ts'
import { renderStory } from './show.ts'

const RUNS = resolve(import.meta.dirname, '../../fixtures/runs')
const whole = readFileSync(`${RUNS}/sample.txt`, 'utf8')
const sample = readFileSync(`${RUNS}/sample.jsonl`, 'utf8')
  .trim()
  .split('\n')
  .map((line): StampedEvent => JSON.parse(line))

test('a whole log', () => {
  expect([...renderStory(sample, { color: false })].join('')).toBe(whole)
})

test('a log that breaks off gives the story so far', () => {
  const start = [...renderStory(sample.slice(0, 30), { color: false })].join('')
  expect(start).not.toBe('')
  expect(whole.startsWith(start)).toBe(true)
})
