import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { ArgumentError } from '../core/failure.ts'
import { canonicalJson, type Json, type JsonObject, type JsonSchema } from '../core/json.ts'
import { sha256 } from '../lib/hash.ts'

/** Compiled schemas are kept for the tools in force and some revisions of them; each costs some kilobytes. */
const MOST_COMPILED = 64

const OPTIONS = { strict: false, allErrors: true, validateFormats: false, logger: false } as const

export type Validate = (schema: JsonSchema, value: JsonObject) => readonly ArgumentError[]

/** Checks arguments against a schema: no errors means that they satisfy it. Fails closed: a schema that doesn't compile is an error. */
export function createValidate(): Validate {
  // It compiles the schema of schemas, which takes longer than all of the tools' own: once, and not for each of them.
  const ofSchemas = new Ajv2020(OPTIONS)
  ofSchemas.validateSchema({})
  const compiled = new Map<string, ValidateFunction | string>()

  const compile = (schema: JsonSchema): ValidateFunction | string => {
    const key = sha256(canonicalJson(schema as Json))
    const known = compiled.get(key)
    if (known !== undefined) return known
    const [oldest] = compiled.keys()
    if (compiled.size >= MOST_COMPILED && oldest !== undefined) compiled.delete(oldest)
    let validator: ValidateFunction | string
    try {
      ofSchemas.validateSchema(schema, true)
      // An instance of its own: an instance keeps every schema it ever compiled, and refuses the same $id twice.
      validator = new Ajv2020({ ...OPTIONS, meta: false, validateSchema: false }).compile(schema)
    } catch (error) {
      validator = error instanceof Error ? error.message : String(error)
    }
    compiled.set(key, validator)
    return validator
  }

  return (schema, value) => {
    const validator = compile(schema)
    if (typeof validator === 'string') {
      return [
        {
          pointer: '',
          keyword: 'schema',
          message: `can't be checked, the tool's schema is faulty: ${validator}`,
          params: {},
        },
      ]
    }
    return validator(value) ? [] : (validator.errors ?? []).map(argumentError)
  }
}

function argumentError(error: ErrorObject): ArgumentError {
  return {
    pointer: error.instancePath,
    keyword: error.keyword,
    message: error.message ?? 'is not valid',
    params: error.params as Readonly<Record<string, unknown>>,
  }
}
