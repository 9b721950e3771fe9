import path from 'node:path'
import { NONE_OF_THESE } from '../core/constraint.ts'
import { type ModuleExports, moduleExports } from './exported-symbols.ts'
import { numberLines, readText } from './file-text.ts'
import { nearestNames } from './nearest-names.ts'
import type { Stretch } from './source-layout.ts'
import type { CallName, Inspection, ToolContext } from './tool.ts'

const MOST_BYTES = 32 * 1024
const SOURCE = /\.[cm]?[jt]sx?$/
/** Modules that export each other's exports. */
const DEEPEST = 8

type Found =
  | { readonly kind: 'here'; readonly stretches: readonly Stretch[]; readonly from?: string }
  | { readonly kind: 'elsewhere'; readonly from: string }
  /** Not among what is known, but a package's exports are exported again. */
  | { readonly kind: 'unknown'; readonly packages: readonly string[] }
  | { readonly kind: 'missing'; readonly names: readonly string[] }

/** Refuses a name that the module does not export, with those that it exports; files that are no modules take no name. */
export async function inspectSymbol(
  file: string,
  symbol: string,
  context: ToolContext,
  call: CallName,
): Promise<Inspection> {
  if (symbol !== NONE_OF_THESE && !SOURCE.test(file)) {
    const errors = [
      { pointer: '/symbol', keyword: 'module', message: 'is for JavaScript and TypeScript files', params: {} },
    ]
    return { ok: false, failure: { ...call, kind: 'call.invalid-arguments', errors } }
  }
  const module = await readModule(file, context)
  if (module === undefined) return { ok: true }
  const found = await lookUp(file, module, symbol, context)
  if (found.kind !== 'missing') return { ok: true }
  const ranked = symbol === NONE_OF_THESE ? [] : nearestNames(symbol, found.names)
  return {
    ok: false,
    failure: {
      ...call,
      kind: 'target.not-found',
      target: 'symbol',
      pointer: '/symbol',
      value: symbol,
      candidates: ranked.map(({ name }) => name),
      exhaustive: symbol !== NONE_OF_THESE,
      lead: (ranked[0]?.score ?? 0) - (ranked[1]?.score ?? 0),
    },
  }
}

/** The numbered lines of a symbol's declaration, or where it is declared. */
export async function describeSymbol(
  file: string,
  symbol: string,
  lines: readonly string[],
  context: ToolContext,
): Promise<string> {
  const found = await lookUp(file, moduleExports(lines.join('\n')), symbol, context)
  switch (found.kind) {
    case 'here': {
      const origin = found.from === undefined ? [] : [`(re-exported from ${found.from})`]
      return [show(lines, found.stretches), ...origin].join('\n')
    }
    case 'elsewhere':
      return `${file} exports ${symbol} again from ${found.from}: read it there.`
    case 'unknown':
      return `${file} declares no ${symbol}; all of ${found.packages.join(', ')} is exported again and may hold it.`
    case 'missing':
      return `${file} does not export ${symbol} any more.`
  }
}

function show(lines: readonly string[], stretches: readonly Stretch[]): string {
  let left = MOST_BYTES
  const parts: string[] = []
  for (const { from, to } of stretches) {
    const last = Math.min(to + 1, lines.length)
    const shown = numberLines(lines, from + 1, last, left)
    parts.push(
      shown.lastLine < last
        ? `${shown.text}\n(to line ${last}; go on with startLine ${shown.lastLine + 1})`
        : shown.text,
    )
    left -= Buffer.byteLength(shown.text)
    if (left <= 0) break
  }
  return parts.join('\n...\n')
}

async function readModule(file: string, { tree }: ToolContext): Promise<ModuleExports | undefined> {
  const content = await tree.read(file)
  const text = content === undefined ? undefined : readText(content.bytes)
  return text?.ok === true ? moduleExports(text.lines.join('\n')) : undefined
}

async function lookUp(
  file: string,
  module: ModuleExports,
  symbol: string,
  context: ToolContext,
  passed: readonly string[] = [],
): Promise<Found> {
  const own = module.symbols.get(symbol)
  if (own !== undefined) {
    const from = own.origin && `${await nameOf(file, own.origin.specifier, context)}, as ${own.origin.name}`
    return { kind: 'here', stretches: own.stretches, ...(from === undefined ? {} : { from }) }
  }
  const names = new Set(module.symbols.keys())
  const packages: string[] = []
  for (const specifier of module.stars) {
    const target = await resolve(file, specifier, context)
    if (target !== undefined && (passed.includes(target) || passed.length >= DEEPEST)) continue
    const there = target === undefined ? undefined : await readModule(target, context)
    if (target === undefined || there === undefined) {
      packages.push(specifier)
      continue
    }
    // A default export stays with its module.
    const wanted = symbol === 'default' ? '' : symbol
    const found = await lookUp(target, there, wanted, context, [...passed, file])
    if (found.kind === 'here') return { kind: 'elsewhere', from: target }
    if (found.kind === 'elsewhere') return found
    if (found.kind === 'unknown') packages.push(...found.packages)
    if (found.kind === 'missing') for (const name of found.names) if (name !== 'default') names.add(name)
  }
  return packages.length > 0 && symbol !== NONE_OF_THESE
    ? { kind: 'unknown', packages }
    : { kind: 'missing', names: [...names] }
}

async function nameOf(file: string, specifier: string, context: ToolContext): Promise<string> {
  return (await resolve(file, specifier, context)) ?? specifier
}

/** The file of the repository that a relative specifier names; undefined for a package, an alias, or what is not there. */
async function resolve(file: string, specifier: string, { index }: ToolContext): Promise<string | undefined> {
  if (!/^\.{1,2}(?:\/|$)/.test(specifier)) return undefined
  const plain = path.posix.join(path.posix.dirname(file), specifier)
  const bare = plain.replace(/\.([cm]?)jsx?$/, '.$1')
  const extensions = ['ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs', 'd.ts']
  const written = bare === plain ? [] : ['ts', 'tsx'].map((extension) => `${bare}${extension}`)
  const candidates = [
    plain,
    ...written,
    ...extensions.map((extension) => `${plain}.${extension}`),
    ...extensions.map((extension) => `${plain}/index.${extension}`),
  ]
  const files = new Set(await index.files())
  return candidates.find((candidate) => files.has(candidate))
}
