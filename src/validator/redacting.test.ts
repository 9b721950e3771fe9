import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { CheckEvent } from '../core/event.ts'
import { makeRepository, manifest, never, observe } from './testing.ts'
import { createValidator } from './validator.ts'

const KEY = 'sk-ant-SECRETKEY123456'

test('keys are neither passed on to checks nor shown nor logged, be it from output or from a report', async () => {
  const repository = await makeRepository(
    {
      'package.json': manifest({ test: 'node --test', lint: 'env | grep -c API_KEY; node lint.js' }),
      'lint.js': `console.log('${KEY.slice(0, 9)}' + '${KEY.slice(9)}'); process.exit(1)\n`,
      'a.test.js': `const { test } = require('node:test')\ntest('key', () => { throw new Error('${KEY}') })\n`,
    },
    [],
  )
  onTestFinished(repository.remove)
  const logDir = join(repository.root, 'node_modules/logs')
  const redact = (text: string) => text.replaceAll(KEY, '[redacted]')
  const env = { ANTHROPIC_API_KEY: KEY, GOATFIED_MODEL: 'x' }
  const events: CheckEvent[] = []
  for await (const event of createValidator({ root: repository.root, observe, logDir, env, redact }).baseline(never))
    events.push(event)
  const results = events.flatMap((event) => (event.type === 'check.ended' ? [event.result] : []))
  expect(results.map(({ check, status }) => `${check.kind} ${status}`).sort()).toEqual(['lint failed', 'tests failed'])
  expect(results.find(({ check }) => check.kind === 'lint')?.output).toMatch(/^0\n\[redacted\]$/m)
  expect(JSON.stringify(results.find(({ check }) => check.kind === 'tests')?.tests)).toContain('[redacted]')
  expect(JSON.stringify(events)).not.toContain(KEY)
  const logs = await Promise.all((await readdir(logDir)).map((name) => readFile(join(logDir, name), 'utf8')))
  expect(logs.length).toBe(2)
  expect(logs.join('')).not.toContain(KEY)
  expect(logs.join('')).toContain('[redacted]')
}, 60_000)
