import type { JsonObject } from '../json.ts'
import type { CallInput, ToolCall } from '../tool.ts'
import { oneLine } from './text.ts'

/** What a call is aimed at, in a few words: its path, pattern, command. Empty where it names nothing. */
export function callTarget(call: ToolCall): string {
  return inputTarget(call.input)
}

function inputTarget(input: CallInput): string {
  if (!input.parsed) return '(malformed arguments)'
  const { path, pattern, command, from, to, attempt, startLine, endLine } = input.value
  if (typeof command === 'string') return oneLine(command)
  if (typeof pattern === 'string') return oneLine(typeof path === 'string' ? `${pattern} in ${path}` : pattern)
  if (typeof from === 'string' && typeof to === 'string') return oneLine(`${from} -> ${to}`)
  if (typeof path === 'string') return oneLine(path + range(startLine, endLine))
  if (typeof attempt === 'number') return String(attempt)
  return firstString(input.value)
}

function range(start: unknown, end: unknown): string {
  if (typeof start !== 'number') return ''
  return typeof end === 'number' ? `:${start}-${end}` : `:${start}`
}

function firstString(value: JsonObject): string {
  const found = Object.values(value).find((member) => typeof member === 'string')
  return typeof found === 'string' ? oneLine(found) : ''
}
