import type { Json } from '../core/json.ts'

/** Half a character (a surrogate without its other half, as cutting leaves it) makes a request invalid. */
export function wellFormed(text: string): string {
  // Most texts have no such characters at all, which is seen far sooner than that they all have both halves.
  return /[\uD800-\uDFFF]/.test(text) ? text.replace(/\p{Surrogate}/gu, '\uFFFD') : text
}

export function wellFormedDeep(value: Json): Json {
  if (typeof value === 'string') return wellFormed(value)
  if (Array.isArray(value)) return value.map(wellFormedDeep)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [wellFormed(key), wellFormedDeep(member)]))
}
