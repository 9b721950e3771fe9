import type { Usage } from './message.ts'

/** US dollars for a million tokens. */
export interface Price {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
}

/** By `provider/model`. */
export type Prices = Readonly<Record<string, Price>>

/** What the tokens cost, in US dollars. */
export function costOf(usage: Usage, price: Price): number {
  const millionths =
    usage.input * price.input +
    usage.output * price.output +
    usage.cacheRead * price.cacheRead +
    usage.cacheWrite * price.cacheWrite
  return millionths / 1_000_000
}
