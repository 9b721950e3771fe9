import type { JsonObject } from '../core/json.ts'

/** Members that come in pieces. */
const GROWING = ['text', 'summary', 'data'] as const

/**
 * Adds a piece of `reasoning_details` to those before it. Pieces of one entry have its index and type; the entry is to go
 * back to the server as it was, so whatever else a piece has is kept.
 */
export function mergeReasoningDetail(details: JsonObject[], piece: JsonObject): void {
  const at = details.length - 1
  const last = details[at]
  if (!last || piece.index === undefined || last.index !== piece.index || last.type !== piece.type) {
    details.push(piece)
    return
  }
  const grown = GROWING.flatMap((key): [string, string][] => {
    const [before, after] = [last[key], piece[key]]
    return typeof before === 'string' && typeof after === 'string' ? [[key, before + after]] : []
  })
  const said = Object.entries(piece).filter(([, value]) => value !== null)
  details[at] = { ...last, ...Object.fromEntries(said), ...Object.fromEntries(grown) }
}
