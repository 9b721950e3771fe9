import fc from 'fast-check'

/** A tree, what a run does in it, and what a person does meanwhile. Paths are relative to the root of the tree. */
export interface Case {
  readonly setup: Setup
  readonly files: readonly CaseFile[]
  readonly steps: readonly Step[]
  /** How the run's changes are given back: by a rollback, as those of a run that was killed, or by an undo. */
  readonly end: 'restore' | 'recover' | 'undo'
}

export interface Setup {
  readonly kind: 'plain' | 'unborn' | 'no git' | 'worktree' | 'sparse' | 'unmerged' | 'folder'
  readonly autocrlf: 'unset' | 'false' | 'true' | 'input'
  readonly attributes: string
  /** Another repository in the tree, registered as a submodule or not. */
  readonly nested: 'none' | 'embedded' | 'submodule'
  readonly fileMode: boolean
  readonly hooks: boolean
  readonly filter: boolean
  /** Variables of git's, as a hook or an alias would pass them on. */
  readonly inherited: boolean
  readonly hidden: 'no' | 'assumed' | 'skipped'
}

export interface CaseFile {
  readonly path: string
  readonly content: string
  readonly mode: number
  readonly kind: 'file' | 'link' | 'dangling'
  readonly committed: boolean
  /** What became of a committed file, or of one that is not committed. */
  readonly later: 'nothing' | 'staged' | 'unstaged' | 'both' | 'deleted' | 'removed' | 'gone' | 'intent' | 'retargeted'
}

export type Step =
  | { readonly by: 'edit'; readonly what: Edit }
  /** Edits made by a command of the run's. */
  | { readonly by: 'command'; readonly what: readonly CommandEdit[] }
  | { readonly by: 'person'; readonly path: string; readonly deletes: boolean }
  | { readonly by: 'snapshot' }
  | { readonly by: 'rollback' }

export type Edit =
  | { readonly do: 'write'; readonly path: string; readonly content: string }
  | { readonly do: 'remove'; readonly path: string }
  | { readonly do: 'move'; readonly path: string; readonly to: string }

export type CommandEdit =
  | Edit
  | { readonly do: 'chmod'; readonly path: string; readonly mode: number }
  | { readonly do: 'link'; readonly path: string }
  /** A folder in the place of a file, and the other way round. */
  | { readonly do: 'to folder'; readonly path: string }
  | { readonly do: 'to file'; readonly path: string }

/** Ignored by the rules of every tree: what a command does there is out of the run's sight. */
const IGNORED = ['ignored.log', 'dir/ignored.log']
const SEEN = [
  'a.txt',
  '-dash',
  'qu\'ote".ts',
  'new\nline',
  'dir/näme ✓.ts',
  'dir/b.txt',
  'dir/deep/run.sh',
  'data.dat',
  'back\\slash',
  'swap/x.txt',
  'swap/y.txt',
  'hidden.ts',
  'sparse/s.txt',
]
const NEW = ['new.ts', 'made/new.ts', 'made/deep/new.ts', 'dir/added.ts']
const NESTED = ['nested/n.ts']
const SWAPPED = 'swap'

const content = fc.oneof(
  fc.constantFrom(
    '',
    'text\n',
    'a\r\nb\r\n',
    'mixed\r\nends\n',
    '\x00\xff\xfe binary',
    'no end',
    `${'long\n'.repeat(3000)}`,
  ),
  fc.string({ maxLength: 12 }),
)
const mode = fc.constantFrom(0o644, 0o755, 0o600, 0o444)

const file: fc.Arbitrary<CaseFile> = fc.record({
  path: fc.constantFrom(...SEEN, ...IGNORED),
  content,
  mode,
  kind: fc.constantFrom('file', 'file', 'file', 'link', 'dangling'),
  committed: fc.boolean(),
  later: fc.constantFrom('nothing', 'staged', 'unstaged', 'both', 'deleted', 'removed', 'gone', 'intent', 'retargeted'),
})

function edit(names: readonly string[]): fc.Arbitrary<Edit> {
  const path = fc.constantFrom(...names)
  return fc.oneof(
    fc.record({ do: fc.constant('write' as const), path, content }),
    fc.record({ do: fc.constant('remove' as const), path }),
    fc.record({ do: fc.constant('move' as const), path, to: fc.constantFrom('moved.ts', 'dir/moved', 'made/b/c') }),
  )
}

const commandEdit: fc.Arbitrary<CommandEdit> = fc.oneof(
  edit([...SEEN, ...NEW]),
  fc.record({ do: fc.constant('chmod' as const), path: fc.constantFrom(...SEEN), mode }),
  fc.record({ do: fc.constant('link' as const), path: fc.constantFrom(...SEEN, ...NEW) }),
  fc.record({ do: fc.constant('to folder' as const), path: fc.constantFrom('a.txt', 'new.ts') }),
  fc.record({ do: fc.constant('to file' as const), path: fc.constant(SWAPPED) }),
)

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ by: fc.constant('edit' as const), what: edit([...SEEN, ...IGNORED, ...NEW, ...NESTED]) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      by: fc.constant('command' as const),
      what: fc.array(commandEdit, { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      by: fc.constant('person' as const),
      path: fc.constantFrom(...SEEN, ...IGNORED, ...NEW, 'moved.ts', 'theirs.ts'),
      deletes: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.constantFrom<Step>({ by: 'snapshot' }, { by: 'rollback' }) },
)

const setup: fc.Arbitrary<Setup> = fc.record({
  kind: fc.constantFrom('plain', 'plain', 'plain', 'unborn', 'no git', 'worktree', 'sparse', 'unmerged', 'folder'),
  autocrlf: fc.constantFrom('unset', 'false', 'true', 'input'),
  attributes: fc.constantFrom('', '* text=auto\n', '*.txt eol=crlf\n', '*.txt eol=lf\n', '* -text\n', '*.ts ident\n'),
  nested: fc.constantFrom('none', 'none', 'embedded', 'submodule'),
  fileMode: fc.constantFrom(true, true, false),
  hooks: fc.boolean(),
  filter: fc.boolean(),
  inherited: fc.boolean(),
  hidden: fc.constantFrom('no', 'no', 'assumed', 'skipped'),
})

export const anyCase: fc.Arbitrary<Case> = fc.record({
  setup,
  files: fc.uniqueArray(file, { selector: ({ path }) => path, maxLength: 7 }),
  steps: fc.array(step, { maxLength: 8 }),
  end: fc.constantFrom('restore', 'recover', 'undo'),
})
