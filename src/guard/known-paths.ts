import type { ToolDefinition, ToolName } from '../core/tool.ts'
import { boundedValues } from './enum-values.ts'
import { narrow } from './narrow.ts'
import { changeAt } from './pointer.ts'

/** They read or change one file; the others take folders and globs too, or lists. */
const OF_ONE_FILE: ReadonlySet<string> = new Set<ToolName>(['readFile', 'editFile', 'deleteFile', 'moveFile'])
const MOST = { files: 20, bytes: 400 } as const
const encoder = new TextEncoder()

/**
 * The tools with every argument that names one existing file held to `files`, where these are few: at most 20, at most
 * 400 bytes as JSON, all fit for an enum. The very same tools otherwise. Meant for the list that is sent first: files
 * that are made later are not in it, so calls are not checked against it.
 */
export function withKnownPaths(tools: readonly ToolDefinition[], files: readonly string[]): readonly ToolDefinition[] {
  if (files.length === 0 || files.length > MOST.files) return tools
  if (encoder.encode(JSON.stringify(files)).length > MOST.bytes || boundedValues(files).length < files.length)
    return tools
  return tools.map((tool) => {
    if (!OF_ONE_FILE.has(tool.name)) return tool
    const places = Object.entries(tool.argumentKinds).filter(([, kind]) => kind === 'existing-path')
    const inputSchema = places.reduce(
      (at, [pointer]) => changeAt(at, pointer, (part) => narrow(part, { enum: files })),
      tool.inputSchema,
    )
    return inputSchema === tool.inputSchema ? tool : { ...tool, inputSchema }
  })
}
