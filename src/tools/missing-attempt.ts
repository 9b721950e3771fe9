import type { ArgumentError, TargetFailure } from '../core/failure.ts'
import type { Json, JsonObject } from '../core/json.ts'
import type { AnyTool } from './tool.ts'

type MissingAttempt = Omit<TargetFailure, 'callId' | 'tool'>

/** The number of an attempt that is not among those there are, where nothing else is wrong with the arguments. */
export function missingAttempt(
  errors: readonly ArgumentError[],
  tool: AnyTool,
  value: JsonObject,
): MissingAttempt | undefined {
  const error = errors.find(({ keyword }) => keyword === 'enum')
  const other = errors.some(({ pointer, keyword }) => pointer !== error?.pointer || !/^(?:enum|minimum)$/.test(keyword))
  if (error === undefined || other || tool.spec.argumentKinds[error.pointer] !== 'attempt') return undefined
  const number = value[error.pointer.slice(1)]
  const { allowedValues } = error.params
  if (typeof number !== 'number' || !Array.isArray(allowedValues)) return undefined
  return notThere(number, allowedValues as readonly Json[])
}

/** Nearest numbers first; `known` are all attempts that can be taken up. */
function notThere(number: number, known: readonly Json[]): MissingAttempt {
  const numbers = known.filter((each): each is number => typeof each === 'number')
  return {
    kind: 'target.not-found',
    target: 'attempt',
    pointer: '/attempt',
    value: String(number),
    candidates: [...numbers].sort((a, b) => Math.abs(a - number) - Math.abs(b - number) || b - a).map(String),
    exhaustive: true,
    lead: 0,
  }
}
