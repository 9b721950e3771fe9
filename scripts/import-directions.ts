import type { Import } from './import-scan.ts'

/** What a folder of `src` (or a file at its top) may import besides itself. */
interface Rule {
  /** Folders, or files at the top by name without ending: those named, or all but those in `not`. */
  readonly folders: readonly string[] | { readonly not: readonly string[] }
  /** Whether Node's own modules, packages and files outside of `src` are allowed. */
  readonly outside: boolean
}

const ADAPTER: Rule = { folders: ['core', 'lib'], outside: true }
const PURE: Rule = { folders: ['core'], outside: false }

/** The table of the design: commands go down, events come up. */
const RULES: Readonly<Record<string, Rule>> = {
  core: { folders: [], outside: false },
  failure: PURE,
  guard: PURE,
  loop: { folders: ['core', 'failure', 'guard'], outside: false },
  lib: { folders: ['core'], outside: true },
  tools: ADAPTER,
  editor: ADAPTER,
  validator: ADAPTER,
  model: ADAPTER,
  workspace: ADAPTER,
  runlog: ADAPTER,
  config: ADAPTER,
  simulator: ADAPTER,
  ui: { folders: ['core'], outside: true },
  print: { folders: ['core'], outside: true },
  compose: { folders: { not: ['ui', 'print', 'cli'] }, outside: true },
  cli: { folders: ['compose', 'config', 'ui', 'print', 'core'], outside: true },
}

/** Packages that only one folder may import. */
const PACKAGE_HOMES: Readonly<Record<string, string>> = { ink: 'ui', react: 'ui' }

/** An import that breaks the table and is allowed all the same. Paths are relative to `src`; a folder stands for all of its files. */
export interface Exception {
  readonly from: string
  readonly to: string
  readonly reason: string
}

/** The import as text, with what it breaks; undefined when it is allowed. */
function breach({ from, to, kind }: Import): string | undefined {
  const folder = topOf(from)
  const rule = RULES[folder]
  if (rule === undefined) return `${from}: the folder "${folder}" has no rule in scripts/import-directions.ts`
  const told = `${from} -> ${to}`
  if (kind === 'file') {
    if (to.startsWith('../')) return rule.outside ? undefined : `${told}: ${folder} may not import from outside of src`
    if (/\btesting\.tsx?$/.test(to)) return `${told}: only tests may import it`
    const target = topOf(to)
    if (target === folder) return undefined
    const allowed = 'not' in rule.folders ? !rule.folders.not.includes(target) : rule.folders.includes(target)
    return allowed ? undefined : `${told}: ${folder} may not import ${target}`
  }
  const home = PACKAGE_HOMES[to.split('/')[0] ?? '']
  if (home !== undefined && home !== folder) return `${told}: only ${home} may import it`
  return rule.outside ? undefined : `${told}: ${folder} is pure and imports neither packages nor Node's modules`
}

/** What breaks the table in spite of the exceptions, and the exceptions that nothing needs. */
export function judge(imports: readonly Import[], exceptions: readonly Exception[]): string[] {
  const needed = new Set<Exception>()
  const breaches = imports.flatMap((one) => {
    const broken = breach(one)
    if (broken === undefined) return []
    const exception = exceptions.find(({ from, to }) => isAt(one.from, from) && isAt(one.to, to))
    if (exception === undefined) return [broken]
    needed.add(exception)
    return []
  })
  const idle = exceptions.filter((exception) => !needed.has(exception))
  return [...breaches, ...idle.map(({ from, to }) => `${from} -> ${to}: this exception is not needed any more`)]
}

function isAt(file: string, place: string): boolean {
  return file === place || file.startsWith(`${place}/`)
}

function topOf(file: string): string {
  return (file.split('/')[0] ?? '').replace(/\.tsx?$/, '')
}
