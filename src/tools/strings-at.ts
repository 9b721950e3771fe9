import type { Json } from '../core/json.ts'
import { type Place, tokensOf } from '../core/json-pointer.ts'

/** All strings at a pointer with `*` for any array index, each with its place. */
export function stringsAt(value: Json, pointer: string): readonly { readonly place: Place; readonly value: string }[] {
  let found: { place: Place; value: Json }[] = [{ place: [], value }]
  for (const token of tokensOf(pointer)) {
    found = found.flatMap(({ place, value: at }) => {
      if (token === '*')
        return Array.isArray(at) ? at.map((item, index) => ({ place: [...place, index], value: item as Json })) : []
      if (typeof at !== 'object' || at === null || Array.isArray(at) || !Object.hasOwn(at, token)) return []
      return [{ place: [...place, token], value: (at as Record<string, Json>)[token] as Json }]
    })
  }
  return found.flatMap(({ place, value: at }) => (typeof at === 'string' ? [{ place, value: at }] : []))
}
