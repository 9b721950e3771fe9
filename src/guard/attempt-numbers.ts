import type { ToolDefinition } from '../core/tool.ts'
import { narrow } from './narrow.ts'
import { changeAt } from './pointer.ts'

/** The tools with every argument that names an attempt held to the attempts there are; a tool that needs one is left out when there are none. */
export function withAttemptNumbers(
  tools: readonly ToolDefinition[],
  numbers: readonly number[],
): readonly ToolDefinition[] {
  return tools.flatMap((tool) => {
    const places = Object.entries(tool.argumentKinds).flatMap(([pointer, kind]) =>
      kind === 'attempt' ? [pointer] : [],
    )
    if (places.length === 0) return [tool]
    if (numbers.length === 0) return []
    const inputSchema = places.reduce(
      (at, pointer) => changeAt(at, pointer, (part) => narrow(part, { enum: numbers })),
      tool.inputSchema,
    )
    return [{ ...tool, inputSchema }]
  })
}
