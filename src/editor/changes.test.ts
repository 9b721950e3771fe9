import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { editorOf, git, put, repository, temporaryFolder, treeOf } from './testing.ts'

const bytes = (text: string) => Buffer.from(text)

describe('changes', () => {
  it('are a patch that git applies', async () => {
    const root = await repository({ 'a.ts': 'a\nb', 'gone.ts': 'g\n', 'crlf.ts': 'x\r\ny\r\n', empty: '' })
    await put(root, 'bin', Buffer.from([0, 1]))
    const clone = join(await temporaryFolder(), 'clone')
    git(root, 'clone', '-q', root, clone)
    const { tree, snapshots } = await editorOf(root)
    const snapshot = await snapshots.take('1')
    await tree.write('a.ts', bytes('a\nB\n'))
    await tree.write('crlf.ts', bytes('x\r\nY\r\n'))
    await tree.write('new/file.ts', bytes('n\n'))
    await tree.write('empty', bytes('e\n'))
    await tree.remove('gone.ts')
    const changes = await snapshots.changes(snapshot)
    expect(changes.map(({ path, action, added, removed }) => ({ path, action, added, removed }))).toEqual([
      { path: 'a.ts', action: 'edited', added: 1, removed: 1 },
      { path: 'crlf.ts', action: 'edited', added: 1, removed: 1 },
      { path: 'empty', action: 'edited', added: 1, removed: 0 },
      { path: 'gone.ts', action: 'deleted', added: 0, removed: 1 },
      { path: 'new/file.ts', action: 'created', added: 1, removed: 0 },
    ])
    expect(changes[0]?.diff).toBe('--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+B\n')
    await writeFile(join(clone, '../patch'), changes.map(({ diff }) => diff).join(''))
    git(clone, 'apply', '../patch')
    const expected = await treeOf(root)
    delete expected.bin
    expect(await treeOf(clone)).toEqual(expected)
  })

  it('of what is no text are named', async () => {
    const root = await repository({ 'a.ts': 'a\n' })
    const { tree, snapshots } = await editorOf(root)
    const snapshot = await snapshots.take('1')
    await tree.write('a.ts', Buffer.from([0, 255]))
    expect(await snapshots.changes(snapshot)).toEqual([
      { path: 'a.ts', action: 'edited', diff: 'Binary files a/a.ts and b/a.ts differ\n', added: 0, removed: 0 },
    ])
  })
})
