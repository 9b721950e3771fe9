const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }

/** The longest delay that a timer keeps, in milliseconds (about 24 days); a longer one would fire at once. */
export const LONGEST_MS = 2 ** 31 - 1

export const DURATION_PATTERN = '^(\\d+(\\.\\d+)?(ms|s|m|h))+$'

/**
 * A duration such as `90s`, `10m` or `1h30m`, in milliseconds.
 * Undefined for text without a unit, and for what is under 1 ms or over `LONGEST_MS`.
 */
export function parseDuration(text: string): number | undefined {
  if (!new RegExp(DURATION_PATTERN).test(text)) return undefined
  let ms = 0
  for (const [, amount, unit = ''] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)) {
    ms += Number(amount) * (UNIT_MS[unit] ?? Number.NaN)
  }
  const rounded = Math.round(ms)
  return rounded >= 1 && rounded <= LONGEST_MS ? rounded : undefined
}
