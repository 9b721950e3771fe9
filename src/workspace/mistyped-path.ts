/** A mistyped path in parts that can be compared. `foreign` is set when it is absolute or climbs with `..`. */
export interface PathParts {
  readonly directories: readonly string[]
  readonly stem: string
  readonly extension: string
  readonly foreign: boolean
}

/** The path in what a model wrote: without quotes, Markdown markers or a trailing `:12`, `:12:3`, `:12-20`; with `/`. */
export function unwrapPath(written: string): string {
  return written
    .trim()
    .replace(/^(?:#+|[-*>])\s+/, '')
    .replace(/^[`"'<]+/, '')
    .replace(/[`"'>,;]+$/, '')
    .replace(/:\d+(?:[:-]\d+)?$/, '')
    .replace(/^file:\/\//, '')
    .replace(/\\/g, '/')
    .replace(/\/{2,}/g, '/')
}

/** Splits a path; the extension is what follows the last dot of the name, unless that is its first letter. */
export function pathParts(path: string): PathParts {
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.' && segment !== '..')
  const name = segments.pop() ?? ''
  const dot = name.lastIndexOf('.')
  const whole = dot <= 0
  return {
    directories: segments,
    stem: whole ? name : name.slice(0, dot),
    extension: whole ? '' : name.slice(dot + 1),
    foreign: path.startsWith('/') || path.startsWith('~') || path.startsWith('../') || /^[A-Za-z]:\//.test(path),
  }
}
