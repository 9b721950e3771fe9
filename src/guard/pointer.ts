import { isJsonObject, type Json, type JsonSchema } from '../core/json.ts'
import { pointerTo, tokensOf } from '../core/json-pointer.ts'

// Array indices become `*`: the index of an item says nothing about its kind.
export function generalise(pointer: string): string {
  return pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*')
}

/** All values at a pointer; more than one where it holds `*`. */
export function valuesAt(value: Json, pointer: string): Json[] {
  let found: Json[] = [value]
  for (const token of tokensOf(pointer)) {
    found = found.flatMap((at) => {
      if (Array.isArray(at))
        return token === '*' ? at : at[Number(token)] === undefined ? [] : [at[Number(token)] as Json]
      if (!isJsonObject(at) || !Object.hasOwn(at, token)) return []
      return [at[token] as Json]
    })
  }
  return found
}

/** The schema of the arguments at a pointer, or undefined where the schema does not describe that place. */
export function schemaAt(schema: JsonSchema, pointer: string): JsonSchema | undefined {
  let at: JsonSchema | undefined = schema
  for (const token of tokensOf(pointer)) {
    if (at === undefined) return undefined
    at = at.items !== undefined && isIndex(token) ? at.items : ownProperty(at, token)
  }
  return at
}

/** The schema with the part at `pointer` replaced by what `change` makes of it; itself when there is no such part. */
export function changeAt(schema: JsonSchema, pointer: string, change: (part: JsonSchema) => JsonSchema): JsonSchema {
  const [token, ...rest] = tokensOf(pointer)
  if (token === undefined) return change(schema)
  const below = pointerTo(rest)
  if (schema.items !== undefined && isIndex(token)) {
    const items = changeAt(schema.items, below, change)
    return items === schema.items ? schema : { ...schema, items }
  }
  const part = ownProperty(schema, token)
  if (part === undefined) return schema
  const changed = changeAt(part, below, change)
  return changed === part ? schema : { ...schema, properties: { ...schema.properties, [token]: changed } }
}

const isIndex = (token: string): boolean => token === '*' || /^\d+$/.test(token)

function ownProperty(schema: JsonSchema, name: string): JsonSchema | undefined {
  return schema.properties !== undefined && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined
}
