import type { Json, JsonSchema, JsonType } from '../core/json.ts'

/** The types that a schema names; none where it names none. */
export const typesOf = (type: JsonSchema['type']): readonly JsonType[] =>
  type === undefined ? [] : typeof type === 'string' ? [type] : type

/** The types that both accept, in the order of the first; whole numbers are numbers too. */
export function bothTypes(a: JsonSchema['type'], b: JsonSchema['type']): readonly JsonType[] {
  const others = typesOf(b)
  return typesOf(a).flatMap((type): JsonType[] => {
    if (others.includes(type)) return [type]
    if (type === 'number' && others.includes('integer')) return ['integer']
    return type === 'integer' && others.includes('number') ? ['integer'] : []
  })
}

export function isOfType(value: Json, type: JsonType): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    case 'integer':
      return Number.isInteger(value)
    case 'number':
      return typeof value === 'number'
    case 'boolean':
    case 'string':
      return typeof value === type
  }
}
