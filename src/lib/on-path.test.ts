import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { isOnPath } from './on-path.ts'

test('a program is found in any folder of the PATH, a file that cannot be executed is none', async () => {
  const root = await mkdtemp(join(tmpdir(), 'goatfied-path-'))
  await mkdir(join(root, 'b'))
  await writeFile(join(root, 'b', process.platform === 'win32' ? 'there.cmd' : 'there'), '', { mode: 0o755 })
  await writeFile(join(root, 'b', 'text'), '', { mode: 0o644 })
  const path = [join(root, 'a'), '', join(root, 'b')].join(delimiter)
  const found = await Promise.all(['there', 'text', 'gone'].map((name) => isOnPath(name, path)))
  await rm(root, { recursive: true })
  expect(found).toEqual([true, false, false])
})
