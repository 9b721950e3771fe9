import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { ArgumentError } from '../core/failure.ts'
import { canonicalJson, type Json, type JsonObject, type JsonSchema } from '../core/json.ts'
import { sha256 } from '../lib/hash.ts'

/** Compiled schemas are kept for the tools in force and some revisions of them; each costs some kilobytes. */
const MOST_COMPILED = 64

const OPTIONS = { strict: false, allErrors: true, logger: false } as const

/** Rejects never: no errors means that the arguments satisfy the schema, and one that doesn't compile is an error. */
export type Validate = (schema: JsonSchema, value: JsonObject) => Promise<readonly ArgumentError[]>

/** Checks arguments against a schema. Formats that nobody has defined are not checked; the others are loaded with the first schema that names one. */
export function createValidate(): Validate {
  // It compiles the schema of schemas, which takes longer than all of the tools' own: once, and not for each of them.
  const ofSchemas = new Ajv2020({ ...OPTIONS, validateFormats: false })
  ofSchemas.validateSchema({})
  const compiled = new Map<string, Promise<ValidateFunction | string>>()

  const compile = (schema: JsonSchema): Promise<ValidateFunction | string> => {
    const text = canonicalJson(schema as Json)
    const key = sha256(text)
    const known = compiled.get(key)
    if (known !== undefined) return known
    const [oldest] = compiled.keys()
    if (compiled.size >= MOST_COMPILED && oldest !== undefined) compiled.delete(oldest)
    const validator = compileFresh(schema, ofSchemas, text.includes('"format":'))
    compiled.set(key, validator)
    return validator
  }

  return async (schema, value) => {
    const validator = await compile(schema)
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

async function compileFresh(
  schema: JsonSchema,
  ofSchemas: Ajv2020,
  namesFormat: boolean,
): Promise<ValidateFunction | string> {
  try {
    ofSchemas.validateSchema(schema, true)
    // An instance of its own: an instance keeps every schema it ever compiled, and refuses the same $id twice.
    const ajv = new Ajv2020({ ...OPTIONS, meta: false, validateSchema: false })
    if (namesFormat) (await import('ajv-formats')).default.default(ajv, {})
    return ajv.compile(schema)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** What ajv says of an exclusion tells a reader nothing. */
const MESSAGES: Readonly<Record<string, string>> = { not: 'has a value that is ruled out' }

function argumentError(error: ErrorObject): ArgumentError {
  return {
    pointer: error.instancePath,
    keyword: error.keyword,
    message: MESSAGES[error.keyword] ?? error.message ?? 'is not valid',
    params: error.params as Readonly<Record<string, unknown>>,
  }
}
