import { canonicalJson, type Json, type JsonSchema } from '../core/json.ts'

/** The enum less the values that `not` names. One that would be empty is left out rather than sent. */
export function enumWithout(
  values: readonly Json[] | undefined,
  not: JsonSchema | undefined,
): Pick<JsonSchema, 'enum'> {
  if (values === undefined) return {}
  const named = not && Object.keys(not).every((key) => key === 'enum' || key === 'const' || key === 'description')
  const refused = new Set(
    named ? [...(not.enum ?? []), ...(not.const === undefined ? [] : [not.const])].map(canonicalJson) : [],
  )
  const left = values.filter((value) => !refused.has(canonicalJson(value)))
  return { enum: left.length > 0 ? left : values }
}
