import { isJsonObject, type Json } from './json.ts'

/** A place in a JSON value: names of members, and indices of items. */
export type Place = readonly (string | number)[]

/** The JSON pointer (RFC 6901) of a place. */
export function pointerTo(place: Place): string {
  return place.map((token) => `/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** The tokens of a JSON pointer, an index as the text that it is. */
export function tokensOf(pointer: string): readonly string[] {
  if (pointer === '') return []
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** `value` with what is at `place` replaced; what isn't on the way there is shared with it. Itself where there is no such place. */
export function replaceAt(value: Json, place: Place, replacement: Json): Json {
  const [token, ...rest] = place
  if (token === undefined) return replacement
  if (Array.isArray(value))
    return value.map((item: Json, at) => (String(at) === String(token) ? replaceAt(item, rest, replacement) : item))
  if (!isJsonObject(value) || !Object.hasOwn(value, token)) return value
  return { ...value, [token]: replaceAt(value[token] as Json, rest, replacement) }
}
