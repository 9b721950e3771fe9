import { isExtension } from './file-kinds.ts'

/** A mistyped path in parts that can be compared. `foreign` is set when it is absolute: folders of another machine may come first. */
export interface PathParts {
  readonly directories: readonly string[]
  readonly stem: string
  readonly extension: string
  readonly foreign: boolean
}

/**
 * The path in what a model wrote: without quotes, Markdown markers, the address of a repository's host, or what points into
 * the file (`:12`, `:12:3`, `:12-20`, `#L12`, `(12,3)`, ` line 12`, `?raw`); with `/`.
 */
export function unwrapPath(written: string): string {
  return written
    .trim()
    .replace(/^(?:#+|[-*>])\s+/, '')
    .replace(/^[`"'<]+/, '')
    .replace(/[`"'>,;]+$/, '')
    .replace(
      /(?::\d+(?:[:-]\d+)?|:|\?[\w=&-]*|\(\d+(?:,\s*\d+)?\)|#L\d+(?:C\d+)?(?:-L?\d+(?:C\d+)?)?|,? lines? \d+(?:-\d+)?)$/,
      '',
    )
    .replace(/^https?:\/\/[^/]+\/[^/]+\/[^/]+\/(?:-\/)?(?:blob|tree|raw|edit)\/[^/]+\//, '')
    .replace(/^file:\/\//, '')
    .replace(/\\/g, '/')
    .replace(/\/{2,}/g, '/')
}

/** First folders that stand for the source folder, as import aliases do. */
const ALIAS = new Set(['@', '~', '#'])

/** Splits a path; the extension is what follows the last dot of the name, unless that is its first letter. */
export function pathParts(path: string): PathParts {
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.' && segment !== '..')
  if (segments.length > 1 && ALIAS.has(segments[0] as string)) segments.shift()
  const name = segments.pop() ?? ''
  const dot = name.lastIndexOf('.')
  const whole = dot <= 0
  return {
    directories: segments,
    stem: whole ? name : name.slice(0, dot),
    extension: whole ? '' : name.slice(dot + 1),
    foreign: /^(?:\/|~\/|[A-Za-z]:\/)/.test(path),
  }
}

/** Names, in small letters, of the file that stands for its folder. */
export const INDEX_STEMS = new Set(['index', '_index', 'mod', '__init__', 'readme'])

/** `cart/index.ts` as `cart.ts`, which is what imports call it; undefined for any other file. */
export function asModule(parts: PathParts): PathParts | undefined {
  const { directories } = parts
  if (directories.length === 0 || !INDEX_STEMS.has(parts.stem.toLowerCase())) return undefined
  return { ...parts, directories: directories.slice(0, -1), stem: directories[directories.length - 1] as string }
}

const DOTTED_LANGUAGES = /\.(?:java|kt|scala|groovy|py|rs|cs|php)$/

/** The path of a module written with dots or colons (`org.example.cart.Totals`, `crate::cart::totals`); undefined for anything else. */
export function dottedPath(written: string): string | undefined {
  if (written.includes('/')) return undefined
  const [extension = ''] = DOTTED_LANGUAGES.exec(written) ?? []
  const segments = written.slice(0, written.length - extension.length).split(/\.|::/)
  if (extension === '' && isExtension(segments[segments.length - 1] as string)) return undefined
  const least = extension === '' ? 2 : 3
  if (segments.length < least || !segments.every((segment) => /^[A-Za-z_][\w-]*$/.test(segment))) return undefined
  if (segments[0] === 'crate') segments.shift()
  return segments.join('/') + extension
}
