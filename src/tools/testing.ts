import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import type { Failure } from '../core/failure.ts'
import type { JsonObject } from '../core/json.ts'
import type { CheckedCall } from '../core/ports.ts'
import type { ToolCall, ToolDefinition, ToolName, ToolResult } from '../core/tool.ts'
import { applyEdits } from '../editor/apply.ts'
import { openEditor } from '../editor/recovery.ts'
import { createSyntaxCheck } from '../editor/syntax/check-syntax.ts'
import { loadPrompts } from '../lib/prompts.ts'
import { createPathIndex } from '../workspace/path-index.ts'
import { createToolRunner, type ToolRunnerOptions } from './runner.ts'

/** A call as a model makes it. */
export function callOf(name: string, value: JsonObject, id = 'c1'): ToolCall {
  return { id, name, input: { parsed: true, value }, complete: true }
}

/** A runner with real editor and index over a temporary repository of `files`, which is removed when the test ends. */
export async function openTestRunner(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: Partial<
    Pick<ToolRunnerOptions, 'approval' | 'commandDeadlineMs' | 'resumeAttempt' | 'commandLog' | 'redact'>
  > = {},
) {
  const outer = await realpath(await mkdtemp(path.join(os.tmpdir(), 'tools-')))
  const root = path.join(outer, 'repo')
  await mkdir(root)
  const put = async (file: string, content: string | Uint8Array): Promise<void> => {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true })
    await writeFile(path.join(root, file), content)
  }
  for (const [file, content] of Object.entries(files)) await put(file, content)
  const editor = await openEditor({ root, stateDir: path.join(outer, 'state'), runId: 'test' })
  onTestFinished(async () => {
    await editor.close()
    await rm(outer, { recursive: true, force: true })
  })
  const index = createPathIndex(root)
  const runner = createToolRunner({
    root,
    prompts: loadPrompts(path.join(import.meta.dirname, '../../prompts')),
    tree: editor.tree,
    index,
    applyEdits,
    checkSyntax: createSyntaxCheck(path.join(import.meta.dirname, '../../dist/grammars')),
    resumeAttempt: async () => undefined,
    approval: 'default',
    commandDeadlineMs: 20_000,
    ...options,
  })

  /** The failure of the check, or the checked call. */
  const check = async (
    name: ToolName,
    value: JsonObject,
    tools: readonly ToolDefinition[] = runner.definitions,
  ): Promise<{ readonly checked: CheckedCall } | { readonly failure: Failure }> => {
    const outcome = await runner.check(callOf(name, value), tools)
    return outcome.ok ? { checked: outcome.value } : { failure: outcome.failure }
  }
  /** Checks and executes; a failure of either is returned. */
  const run = async (
    name: ToolName,
    value: JsonObject,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<ToolResult | Failure> => {
    const outcome = await check(name, value)
    if ('failure' in outcome) return outcome.failure
    const result = await runner.execute(outcome.checked, signal)
    return result.ok ? result.value : result.failure
  }
  const text = async (name: ToolName, value: JsonObject): Promise<string> => {
    const result = await run(name, value)
    return 'kind' in result ? JSON.stringify(result) : result.text
  }
  return { outer, root, put, runner, index, tree: editor.tree, check, run, text }
}
