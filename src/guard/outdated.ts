import type { TargetFailure } from '../core/failure.ts'
import type { ToolDefinition } from '../core/tool.ts'
import { namedPaths } from './enum-exhaustion.ts'
import type { History, HistoryEntry } from './guard.ts'

/** Whether a later change of the run's may have made a failure say nothing any more. */
export function isOutdated(entry: HistoryEntry, history: History, tools: readonly ToolDefinition[]): boolean {
  const { failure, changesBefore } = entry
  const changes = history.changes.slice(changesBefore)
  if (changes.length === 0) return false
  if (failure.kind === 'target.not-found') return hasComeToBe(failure, entry, changes, tools)
  return 'path' in failure && changes.includes(failure.path)
}

function hasComeToBe(
  failure: TargetFailure,
  entry: HistoryEntry,
  changes: readonly string[],
  tools: readonly ToolDefinition[],
): boolean {
  const { value } = failure
  switch (failure.target) {
    case 'path':
    case 'region':
      return changes.includes(value)
    case 'directory':
      return changes.some((path) => path.startsWith(`${value.replace(/\/+$/, '')}/`) || path === value)
    case 'script':
      return changes.some((path) => /(?:^|\/)package\.json$/.test(path))
    // Any file may hold a test, or be one that a command names.
    case 'test':
      return true
    case 'symbol':
      return namedPaths(entry, failure.tool, tools).some((path) => changes.includes(path))
    case 'attempt':
      return false
  }
}
