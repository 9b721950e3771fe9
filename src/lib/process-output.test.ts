import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { LogFile } from './process-output.ts'

const SECRET = 'SECRETKEY1'
const redact = (text: string): string => text.replaceAll(SECRET, '[redacted]')

function logged(chunks: readonly Buffer[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'goatfied-log-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'x.log')
  const log = new LogFile(file, redact)
  for (const chunk of chunks) log.append(chunk)
  log.close()
  return readFileSync(file, 'utf8')
}

test('a log holds no secret, wherever its chunks end', () => {
  const text = `first ${SECRET} äöü\n${SECRET}\n\nlast ${SECRET}`
  const bytes = Buffer.from(text)
  const bytewise = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1))
  for (const chunks of [[bytes], bytewise]) expect(logged(chunks)).toBe(redact(text))
})

test('a line without an end is written as it comes', () => {
  const text = `${'x'.repeat(65_530)}${SECRET}`.repeat(4)
  const bytes = Buffer.from(text)
  const chunks = Array.from({ length: Math.ceil(bytes.length / 1000) }, (_, at) =>
    bytes.subarray(at * 1000, at * 1000 + 1000),
  )
  expect(logged(chunks)).toBe(redact(text))
})
