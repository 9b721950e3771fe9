interface Blob {
  /** As git writes it: `100644`, `100755` or `120000`. */
  readonly mode: string
  readonly content: Uint8Array
}

/** A path in a tree: an object that git has, bytes, or nothing. Relative to the top of the working tree. */
export interface Entry {
  readonly path: Buffer
  readonly object?: { readonly mode: string; readonly name: string }
  readonly blob?: Blob
}

const WHO = 'goatfied <goatfied@localhost>'

/**
 * The input by which `git fast-import` makes a stash-shaped commit and names it `ref`: the parents are `head`, a commit of the
 * staged state, and one of the untracked files. Git prints the commit's name. No index is read or written and no attribute looked at.
 */
export function importStream(of: {
  readonly ref: string
  readonly label: string
  readonly head: string
  readonly staged: readonly Entry[]
  readonly changed: readonly Entry[]
  readonly untracked: readonly Entry[]
}): Buffer {
  const { ref, label, head, staged, changed, untracked } = of
  const when = `${Math.floor(Date.now() / 1000)} +0000`
  const commit = (mark: number, message: string, ...from: readonly string[]) => [
    // Else the commit before it in the stream would be its parent.
    Buffer.from(`reset ${ref}\n\ncommit ${ref}\nmark :${mark}\ncommitter ${WHO} ${when}\n`),
    ...data(Buffer.from(message)),
    ...from.map((parent) => Buffer.from(`${parent}\n`)),
  ]
  return Buffer.concat([
    ...commit(1, `index on ${label}\n`, `from ${head}`),
    ...changes(staged),
    ...commit(2, `untracked files on ${label}\n`),
    ...changes(untracked),
    ...commit(3, `goatfied: ${label}\n`, `from ${head}`, 'merge :1', 'merge :2'),
    ...changes(staged),
    ...changes(changed),
    Buffer.from('get-mark :3\ndone\n'),
  ])
}

/** Deletions first: a file may have to make room for a folder. */
function changes(entries: readonly Entry[]): Buffer[] {
  const isGone = ({ object, blob }: Entry) => object === undefined && blob === undefined
  return [...entries.filter(isGone), ...entries.filter((entry) => !isGone(entry))].flatMap(({ path, object, blob }) => {
    if (blob !== undefined) return [Buffer.from(`M ${blob.mode} inline `), quoted(path), NEWLINE, ...data(blob.content)]
    if (object !== undefined) return [Buffer.from(`M ${object.mode} ${object.name} `), quoted(path), NEWLINE]
    return [Buffer.from('D '), quoted(path), NEWLINE]
  })
}

const NEWLINE = Buffer.from('\n')

function data(content: Uint8Array): Buffer[] {
  return [Buffer.from(`data ${content.length}\n`), Buffer.from(content), NEWLINE]
}

/** As many characters as bytes, so that a name which is no UTF-8 stays what it is. */
function quoted(path: Buffer): Buffer {
  const text = path.toString('latin1').replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')
  return Buffer.from(`"${text}"`, 'latin1')
}
