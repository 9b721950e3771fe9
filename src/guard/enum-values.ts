import { ENUM_LIMITS, NONE_OF_THESE } from '../core/constraint.ts'

const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]|\u034f|\u17b4|\u17b5/u
const encoder = new TextEncoder()

/**
 * Values fit for an enum: an enum speaks with the authority of the tool list, so values with control or invisible
 * characters are left out; of values that differ only in letter case the first stays, since providers don't promise the
 * case; at most 20, and at most 8 kB as JSON. `without` are never among them.
 */
export function boundedValues(values: readonly string[], without: readonly string[] = []): string[] {
  const kept: string[] = []
  const seen = new Set<string>()
  let bytes = 0
  for (const value of values) {
    if (kept.length === ENUM_LIMITS.usual) break
    const folded = value.toLowerCase()
    if (value === '' || value === NONE_OF_THESE || UNSAFE.test(value) || seen.has(folded) || without.includes(value))
      continue
    const size = encoder.encode(JSON.stringify(value)).length + 1
    if (bytes + size > ENUM_LIMITS.mostBytes) continue
    bytes += size
    seen.add(folded)
    kept.push(value)
  }
  return kept
}
