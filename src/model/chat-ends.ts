/** What a reason means for which an answer ended. */
export type ChatEnd = 'good' | 'cut' | 'refused' | 'broken' | 'other'

/** Servers that pass answers on keep the words of the API behind them. */
const MEANINGS: Readonly<Record<Exclude<ChatEnd, 'other'>, readonly string[]>> = {
  good: ['stop', 'tool_calls', 'function_call', 'eos', 'end_turn', 'stop_sequence', 'tool_use', 'tool_call'],
  cut: ['length', 'max_tokens', 'model_length', 'max_output_tokens'],
  refused: ['content_filter', 'refusal', 'safety', 'prohibited_content', 'blocklist', 'spii', 'recitation'],
  broken: ['error', 'insufficient_system_resource', 'abort', 'cancelled', 'malformed_function_call'],
}

const ENDS = Object.entries(MEANINGS) as readonly [Exclude<ChatEnd, 'other'>, readonly string[]][]

/** Undefined, where only `[DONE]` came, is a good end. */
export function chatEnd(reason: string | undefined): ChatEnd {
  if (reason === undefined) return 'good'
  return ENDS.find(([, reasons]) => reasons.includes(reason.toLowerCase()))?.[0] ?? 'other'
}
