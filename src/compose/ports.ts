import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Settings } from '../config/schema.ts'
import type { Person, Ports } from '../core/ports.ts'
import type { Prompts } from '../core/prompts.ts'
import { CHECK_KINDS } from '../core/verdict.ts'
import { applyEdits } from '../editor/apply.ts'
import type { Editor } from '../editor/recovery.ts'
import { createSyntaxCheck } from '../editor/syntax/check-syntax.ts'
import { attemptName } from '../loop/edit.ts'
import { createRedactor } from '../runlog/redact.ts'
import { createToolRunner } from '../tools/runner.ts'
import { createValidator } from '../validator/validator.ts'
import { createWorkspace } from '../workspace/facts.ts'
import { createPathIndex } from '../workspace/path-index.ts'
import { tellingTask } from '../workspace/task-evidence.ts'
import { PACKAGE_DIR } from './package-dir.ts'

interface PortsInput {
  readonly root: string
  readonly settings: Settings
  readonly editor: Editor
  readonly models: Ports['models']
  readonly person: Person
  readonly prompts: Prompts
  readonly logDir: string
  /** Keys that must not show in what commands and checks print. */
  readonly secrets: readonly string[]
}

/** The adapters, ready for the loop. */
export function openPorts({ root, settings, editor, models, person, prompts, logDir, secrets }: PortsInput): Ports {
  const { text: redact } = createRedactor(secrets)
  const { tree, snapshots } = editor
  const index = createPathIndex(root)
  const validator = createValidator({
    root,
    observe: tree.observe.bind(tree),
    logDir: path.join(logDir, 'checks'),
    deadlineMs: settings.timeouts.check,
    redact,
    kinds: CHECK_KINDS.filter((kind) => settings.checks[kind]),
  })
  const tools = createToolRunner({
    root,
    prompts,
    tree,
    index,
    applyEdits,
    checkSyntax: createSyntaxCheck(path.join(PACKAGE_DIR, 'dist', 'grammars')),
    resumeAttempt: (attempt) => snapshots.reapply(attemptName(attempt)),
    approval: settings.approvalMode,
    commandDeadlineMs: settings.timeouts.command,
    commandLog: path.join(logDir, 'commands.log'),
    redact,
  })
  const workspace = tellingTask(
    createWorkspace(root, index, () => validator.checks()),
    index,
  )
  return { models, tools, snapshots, validator, workspace, person, clock: { now: Date.now, sleep: (ms) => sleep(ms) } }
}
