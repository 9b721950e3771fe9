import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { Json } from '../../src/core/json.ts'
import type { ToolRunner } from '../../src/core/ports.ts'
import type { ToolCall } from '../../src/core/tool.ts'
import { applyEdits } from '../../src/editor/apply.ts'
import { openEditor } from '../../src/editor/recovery.ts'
import { locateState } from '../../src/editor/state-dir.ts'
import { chance } from '../../src/simulator/fault-model-chance.ts'
import { mistakenCall } from '../../src/simulator/fault-model-mistakes.ts'
import { type WantedCall, wantedSession } from '../../src/simulator/fault-model-session.ts'
import { createToolRunner } from '../../src/tools/runner.ts'
import { createPathIndex } from '../../src/workspace/path-index.ts'
import { prompts, writeTemplate } from './guards-session.ts'

/** A call that fails, and what would have been right. */
export interface Recovery {
  readonly kind: 'path' | 'script' | 'type'
  /** The real tools over the repository. */
  readonly tools: ToolRunner
  readonly goal: string
  readonly call: ToolCall
  /** The argument that is wrong, and the value that was meant. */
  readonly argument: string
  readonly right: Json
  /** That value is the first of the failure's candidates. */
  readonly leading: boolean
}

const SESSION_CALLS = 50
/** Of four recoveries. */
const KINDS: readonly Recovery['kind'][] = ['path', 'script', 'path', 'type']

/** So many recoveries over generated repositories in `base`; the same for the same seed. Calls that are mended without failing are passed over. */
export async function recoveries(base: string, count: number, seed: number): Promise<Recovery[]> {
  const found: Recovery[] = []
  for (let number = 0; found.length < count; number += 1) {
    const own = seed * 1_000 + number
    const session = wantedSession(own, SESSION_CALLS)
    const root = path.join(base, `repository-${number}`)
    mkdirSync(root)
    writeTemplate(session, root)
    const tools = await toolsOver(root)
    for (const [index, wanted] of session.calls.entries()) {
      const kind = KINDS[found.length % KINDS.length]
      if (kind === undefined || found.length >= count) break
      const one = recoveryOf(
        wanted,
        kind,
        tools,
        Math.floor(chance(own, index, 'variant') * 4),
        `failed-${own}-${index}`,
      )
      const checked = one && (await tools.check(one.call, tools.definitions))
      if (one === undefined || checked === undefined || checked.ok) continue
      const { failure } = checked
      found.push({ ...one, leading: failure.kind === 'target.not-found' && failure.candidates[0] === one.right })
    }
  }
  return found
}

function recoveryOf(
  wanted: WantedCall,
  kind: Recovery['kind'],
  tools: ToolRunner,
  variant: number,
  id: string,
): Omit<Recovery, 'leading'> | undefined {
  const { tool, input } = wanted
  const made = (value: Readonly<Record<string, Json>>): ToolCall => ({
    id,
    name: tool,
    input: { parsed: true, value },
    complete: true,
  })
  const [, area = '', file = ''] = String(input.path ?? '').split('/')
  const goal = `Bring the rates of ${area} in ${file} up to date`
  switch (kind) {
    case 'path': {
      if (tool !== 'readFile') return undefined
      const call = { id, complete: true, ...mistakenCall(wanted, { kind: 'wrong-target', variant }) }
      return { kind, tools, goal, call, argument: 'path', right: input.path ?? null }
    }
    case 'script': {
      if (tool !== 'runCommand') return undefined
      const call = { id, complete: true, ...mistakenCall(wanted, { kind: 'wrong-target', variant }) }
      return {
        kind,
        tools,
        goal: 'See whether the change is right',
        call,
        argument: 'command',
        right: input.command ?? null,
      }
    }
    case 'type': {
      if (tool !== 'readFile') return undefined
      const call = made({ ...input, startLine: `line ${input.startLine}` })
      return { kind, tools, goal, call, argument: 'startLine', right: input.startLine ?? null }
    }
  }
}

async function toolsOver(root: string): Promise<ToolRunner> {
  const editor = await openEditor({ ...(await locateState(root)), runId: 'bench' })
  // Calls are only checked: nothing is written, so the journal is not needed.
  await editor.close()
  const { tree } = editor
  const resumeAttempt = async () => undefined
  const index = createPathIndex(root)
  const limits = { approval: 'default', commandDeadlineMs: 1_000 } as const
  return createToolRunner({
    root,
    prompts,
    tree,
    index,
    applyEdits,
    checkSyntax: async () => undefined,
    resumeAttempt,
    ...limits,
  })
}
