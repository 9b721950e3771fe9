import type { Json } from '../core/json.ts'

/** A place in JSON arguments: object keys and array indices. */
export type Place = readonly (string | number)[]

export function pointerTo(place: Place): string {
  return place.map((token) => `/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** All strings at a pointer with `*` for any array index, each with its place. */
export function stringsAt(value: Json, pointer: string): readonly { readonly place: Place; readonly value: string }[] {
  let found: { place: Place; value: Json }[] = [{ place: [], value }]
  for (const token of pointer.split('/').slice(1)) {
    found = found.flatMap(({ place, value: at }) => {
      if (token === '*')
        return Array.isArray(at) ? at.map((item, index) => ({ place: [...place, index], value: item as Json })) : []
      if (typeof at !== 'object' || at === null || Array.isArray(at) || !Object.hasOwn(at, token)) return []
      return [{ place: [...place, token], value: (at as Record<string, Json>)[token] as Json }]
    })
  }
  return found.flatMap(({ place, value: at }) => (typeof at === 'string' ? [{ place, value: at }] : []))
}

/** `value` with what is at `place` replaced; what isn't on the way there is shared with the original. */
export function replaceAt(value: Json, place: Place, replacement: Json): Json {
  const [token, ...rest] = place
  if (token === undefined) return replacement
  if (Array.isArray(value)) {
    return value.map((item: Json, index) => (index === token ? replaceAt(item, rest, replacement) : item))
  }
  const object = value as Record<string, Json>
  return { ...object, [token]: replaceAt(object[token] as Json, rest, replacement) }
}
