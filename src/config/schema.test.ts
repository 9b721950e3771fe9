import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { LONGEST_MS } from './duration.ts'
import { loadSettings } from './load.ts'
import { environmentName, repositorySchema, SETTING_BY_KEY } from './schema.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const root = mkdtempSync(path.join(os.tmpdir(), 'goatfied-schema-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const accepted = (text: string): boolean => {
  writeFileSync(path.join(root, '.goatfiedrc.json'), text)
  return loadSettings({ root, home: root, env: {}, flags: {} }).ok
}

test('goatfiedrc.schema.json is what scripts/schema.js writes now', () => {
  expect(JSON.parse(readFileSync(path.join(ROOT, 'goatfiedrc.schema.json'), 'utf8'))).toEqual(repositorySchema())
})

test('the example is accepted', () => {
  expect(accepted(readFileSync(path.join(ROOT, '.goatfiedrc.example.json'), 'utf8'))).toBe(true)
})

test('the schema accepts a file exactly when it can be loaded', () => {
  const validate = new Ajv2020({ allowUnionTypes: true }).compile(repositorySchema())
  const value = fc.oneof(
    fc.constantFrom(
      'anthropic/x',
      'openai/x',
      'anthropic/',
      '90s',
      '1h30m',
      '0.5s',
      '10',
      'yolo',
      'default',
      'http://x',
    ),
    fc.constantFrom(true, false, null, 1.5, 0, 1, 100, 101, 1_024, LONGEST_MS, LONGEST_MS + 1),
    fc.constant([]),
    fc.constant({}),
  )
  const keys = [...SETTING_BY_KEY.keys(), 'limits', 'limits.other', 'other', '$schema', 'apiKeys']
  const file = fc.array(fc.tuple(fc.constantFrom(...keys), value), { maxLength: 3 }).map((entries) => {
    const content: Record<string, unknown> = {}
    for (const [key, of] of entries) {
      const [group = '', member] = key.split('.')
      if (member === undefined) content[group] = of
      else content[group] = { ...(content[group] as object | undefined), [member]: of }
    }
    // An editor's pointer to the schema is a text or absent; the loader does not look at it.
    if (typeof content.$schema !== 'string') delete content.$schema
    return content
  })
  fc.assert(
    fc.property(file, (content) => {
      expect(accepted(JSON.stringify(content))).toBe(validate(content))
    }),
    { numRuns: 500 },
  )
})

test('every setting has a variable of its own', () => {
  const names = [...SETTING_BY_KEY.keys()].map(environmentName)
  expect(names).toEqual([...new Set(names)])
  expect(environmentName('limits.transientTries')).toBe('GOATFIED_LIMITS_TRANSIENT_TRIES')
})
