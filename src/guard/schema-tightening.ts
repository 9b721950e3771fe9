import type { Constraint } from '../core/constraint.ts'
import type { ArgumentError } from '../core/failure.ts'
import type { Json, JsonSchema, JsonType } from '../core/json.ts'
import type { Guard } from './guard.ts'
import { generalise } from './pointer.ts'

/** Loose types become exact where the arguments were wrong, and the provider is asked to enforce the schema. */
export const schemaTightening: Guard = {
  id: 'schema-tightening',
  order: 20,
  reason: 'the arguments do not fit the schema',
  when: (failure) => failure.kind === 'call.invalid-arguments',
  constrain: ({ failure }) => {
    if (failure.kind !== 'call.invalid-arguments') return []
    const narrowed = failure.errors.flatMap((error): Constraint[] => {
      const schema = keywordOf(error)
      if (schema === undefined) return []
      return [{ kind: 'narrow', tool: failure.tool, pointer: generalise(error.pointer), schema, lasts: 'step' }]
    })
    return [...narrowed, { kind: 'strict', tool: failure.tool, lasts: 'call' }]
  },
}

/** The keyword that an ajv error says was not met, as a schema of its own. */
function keywordOf({ keyword, params }: ArgumentError): JsonSchema | undefined {
  switch (keyword) {
    case 'type':
      return { type: params.type as JsonType | readonly JsonType[] }
    case 'required':
      return typeof params.missingProperty === 'string' ? { required: [params.missingProperty] } : undefined
    case 'additionalProperties':
      return { additionalProperties: false }
    case 'enum':
      return { enum: params.allowedValues as readonly Json[] }
    case 'const':
      return { const: params.allowedValue as Json }
    case 'pattern':
      return { pattern: String(params.pattern) }
    case 'format':
      return { format: String(params.format) }
    case 'minLength':
    case 'maxLength':
    case 'minItems':
    case 'maxItems':
      return { [keyword]: Number(params.limit) }
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return { [keyword]: Number(params.limit) }
    default:
      return undefined
  }
}
