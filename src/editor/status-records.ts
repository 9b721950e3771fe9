import { rawRecords } from './git.ts'
import type { Entry } from './import-stream.ts'

/** What `git status --porcelain=v2 --branch -z` says. Paths are bytes, relative to the top of the working tree. */
export interface Standing {
  /** The commit; undefined before the first one. */
  readonly head: string | undefined
  /** There are entries of more than one stage in the index. */
  readonly unmerged: boolean
  /** What the index has otherwise than HEAD. */
  readonly staged: readonly Entry[]
  /** Files that differ from the index, with the mode that git sees. Submodules are not among them. */
  readonly changed: readonly { readonly path: Buffer; readonly mode: string }[]
  /** Files; embedded repositories are nobody's but their own. */
  readonly untracked: readonly { readonly path: Buffer }[]
}

const HEAD = '# branch.oid '

export function parseStatus(output: Buffer): Standing {
  let head: string | undefined
  let unmerged = false
  const staged: Entry[] = []
  const changed: { path: Buffer; mode: string }[] = []
  const untracked: { path: Buffer }[] = []
  for (const record of rawRecords(output)) {
    // As many characters as bytes.
    const text = record.toString('latin1')
    if (text.startsWith(HEAD)) head = /^[\da-f]+$/.exec(text.slice(HEAD.length))?.[0]
    else if (text.startsWith('u ')) unmerged = true
    else if (text.startsWith('? ')) {
      if (!text.endsWith('/')) untracked.push({ path: record.subarray(2) })
    } else if (text.startsWith('1 ')) {
      const [, letters = '', sub = '', , indexMode = '', treeMode = '', , object = ''] = text.split(' ', 8)
      const path = record.subarray(startOf(text, 8))
      if (letters[0] === 'D') staged.push({ path })
      else if (letters[0] !== '.') staged.push({ path, object: { mode: indexMode, name: object } })
      if (letters[1] !== '.' && !sub.startsWith('S')) changed.push({ path, mode: treeMode })
    }
  }
  return { head, unmerged, staged, changed, untracked }
}

/** Where the field after so many blanks begins. */
function startOf(text: string, blanks: number): number {
  let at = 0
  for (let count = 0; count < blanks; count++) at = text.indexOf(' ', at) + 1
  return at
}
