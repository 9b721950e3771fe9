import type { JsonSchema } from '../core/json.ts'
import { lowerSchema } from './lower-schema.ts'
import { mapSchemas } from './schema-members.ts'

/**
 * The schema of a tool that nothing holds to it while decoding: there it is text that is read, and paid for, with every
 * request. What goes without saying, that objects are closed and texts and lists not empty, is held at dispatch alone, and so are
 * patterns that only a machine reads.
 */
export function leanSchema(schema: JsonSchema): JsonSchema {
  return lean(lowerSchema(schema))
}

/** Characters of a pattern that a reader can make something of. */
const READABLE = 40

function lean(schema: JsonSchema): JsonSchema {
  const { additionalProperties, minLength, minItems, pattern, ...rest } = mapSchemas(schema, lean)
  return {
    ...rest,
    ...(additionalProperties !== undefined && additionalProperties !== false && { additionalProperties }),
    ...(minLength !== undefined && minLength > 1 && { minLength }),
    ...(minItems !== undefined && minItems > 1 && { minItems }),
    ...(pattern !== undefined && pattern.length <= READABLE && { pattern }),
  }
}
