import { access } from 'node:fs/promises'
import path from 'node:path'
import type { TargetFailure } from '../core/failure.ts'
import { isOnPath } from '../lib/on-path.ts'
import type { ProcessResult } from '../lib/process.ts'
import { headAndTail, stripTerminalSequences } from '../lib/text.ts'
import { areHarmless, mayBeGiven } from './harmless-arguments.ts'
import { interruption } from './interruption.ts'
import { invisibleCharacter, shownToPerson } from './invisible.ts'
import { type KnownCommand, knownCommand } from './known-commands.ts'
import { missingTest } from './missing-test.ts'
import { nearestNames } from './nearest-names.ts'
import { withoutPrograms } from './reading-git.ts'
import { readScripts } from './scripts.ts'
import { runShell } from './shell.ts'
import { commandOf, simpleWords } from './shell-words.ts'
import { answer, type CallName, defineTool, type Inspection, type ToolContext } from './tool.ts'

const MOST_BYTES = 12 * 1024
const MOST_CANDIDATES = 64
/** What a person can still read before consenting to it. */
const MOST_SHOWN = 1000

export const runCommandTool = defineTool<{ command: string }>({
  spec: {
    name: 'runCommand',
    effect: 'run',
    inputSchema: {
      type: 'object',
      properties: { command: { type: 'string', pattern: '^[^\\r\\n]+$', maxLength: MOST_SHOWN } },
      required: ['command'],
      additionalProperties: false,
    },
    argumentKinds: { '/command': 'command' },
  },

  async inspect({ command }, context, call): Promise<Inspection> {
    const hidden = invisibleCharacter(command)
    if (hidden !== undefined) return refused(call, `holds the invisible character ${hidden}; write it escaped`)
    const scripts = await readScripts(context.root)
    const { run, known, words } = await understand(command, context.root, scripts)
    const asks = { ok: true, needsApproval: `run \`${shownToPerson(run)}\`` } as const
    if (known.kind === 'git') return { ok: true }
    if (known.kind === 'other') return asks
    const missing = words && (await missingTest(command, words, known, scripts, context))
    if (missing !== undefined) return { ok: false, failure: { ...call, ...missing } }
    if (known.kind === 'check') {
      // npx would fetch a program that isn't there from the registry, under whatever name.
      const installed = known.program === 'node' || (await isInstalled(context.root, known.program))
      return installed && (await areHarmless(known.program, known.args, context)) ? { ok: true } : asks
    }
    if (!Object.hasOwn(scripts, known.script)) {
      return {
        ok: false,
        failure: {
          ...call,
          ...missingScript(command, await usable(known.manager, context.root), known.script, Object.keys(scripts)),
        },
      }
    }
    const changed = await changedScripts(known.script, scripts, context)
    if (changed.length > 0) {
      const shown = changed.map(([name, text]) => `${name}: ${shownToPerson(text)}`).join('; ')
      if (shown.length > MOST_SHOWN)
        return refused(call, 'runs a script that was changed in this run and is too long to be shown')
      return { ok: true, needsApproval: `${asks.needsApproval}, whose script was changed in this run: ${shown}` }
    }
    return (await mayBeGiven(known.script, known.args, scripts, context)) ? { ok: true } : asks
  },

  async execute({ command }, context, _call, signal) {
    const { run, note } = await understand(command, context.root, await readScripts(context.root))
    const { value, changed } = await context.tree.observe('ours', () => runShell(run, context, signal))
    context.index.changed(changed)
    if (value.status === 'aborted') return interruption(signal)
    const output = context.redact(value.output)
    return answer(note + describe({ ...value, output }, context.commandDeadlineMs) + whatIsMissing(value), {
      changed,
      ...(value.exitCode === undefined ? {} : { exitCode: value.exitCode }),
    })
  },
})

function refused(call: CallName, message: string): Inspection {
  const errors = [{ pointer: '/command', keyword: 'shown', message, params: {} }]
  return { ok: false, failure: { ...call, kind: 'call.invalid-arguments', errors } }
}

interface Understood {
  /** Undefined where a shell would do more than run one command. */
  readonly words: readonly string[] | undefined
  readonly known: KnownCommand
  /** The command as it runs here: by npm where the package manager that it calls is not installed; git without other programs. */
  readonly run: string
  /** What the answer says of that. */
  readonly note: string
}

async function understand(
  command: string,
  root: string,
  scripts: Readonly<Record<string, string>>,
): Promise<Understood> {
  const words = simpleWords(command)
  const known: KnownCommand = words === undefined ? { kind: 'other' } : knownCommand(words, scripts)
  if (known.kind === 'git') return { words, known, run: commandOf(withoutPrograms(words ?? [])), note: '' }
  const manager = words?.[0] ?? ''
  if (known.byNpm === undefined || (await usable(manager, root)) === manager)
    return { words, known, run: command, note: '' }
  const run = commandOf(known.byNpm)
  return { words, known, run, note: `(${manager} is not installed here; ran \`${run}\` instead)\n` }
}

/** In a command of several parts nothing is replaced; what to write instead is told. */
function whatIsMissing({ exitCode, output }: ProcessResult): string {
  const manager = /\b(?<name>pnpm|yarn|bun): (?:command )?not found/.exec(output)?.groups?.name
  if (manager === undefined || exitCode === 0) return ''
  return `\n(${manager} is not installed here: write \`npm run <script>\` or \`npx <program>\`)`
}

/** The package manager, or npm where it is not installed. */
async function usable(manager: string, root: string): Promise<string> {
  const bin = path.join(root, 'node_modules', '.bin')
  return (await isOnPath(manager, `${bin}${path.delimiter}${process.env.PATH ?? ''}`)) ? manager : 'npm'
}

/** A model could write a command into package.json and then run it: only scripts as they were before the run need no consent. */
async function changedScripts(
  name: string,
  scripts: Readonly<Record<string, string>>,
  { initialScripts }: ToolContext,
): Promise<readonly (readonly [string, string])[]> {
  const initial = await initialScripts
  const changed = [`pre${name}`, name, `post${name}`].filter((each) => scripts[each] !== initial[each])
  return changed.map((each) => [each, scripts[each] ?? '(removed)'])
}

async function isInstalled(root: string, program: string): Promise<boolean> {
  return access(path.join(root, 'node_modules', '.bin', program)).then(
    () => true,
    () => false,
  )
}

/** Candidates are whole commands, since that is what the argument is. */
function missingScript(command: string, manager: string, script: string, names: readonly string[]) {
  // Others would be taken for an option, or for more than one word.
  const ranked = nearestNames(
    script,
    names.filter((name) => /^[\w@.:/][\w@.:/+-]*$/.test(name)),
  )
  return {
    kind: 'target.not-found',
    target: 'script',
    pointer: '/command',
    value: command,
    candidates: ranked.slice(0, MOST_CANDIDATES).map(({ name }) => `${manager} run ${name}`),
    exhaustive: ranked.length <= MOST_CANDIDATES,
    lead: (ranked[0]?.score ?? 0) - (ranked[1]?.score ?? 0),
  } as const satisfies Partial<TargetFailure>
}

/** Any exit code is an answer like any other; what the command printed comes with it in every case. */
function describe(result: ProcessResult, deadlineMs: number): string {
  const seconds = `${(result.ms / 1000).toFixed(1)} s`
  const printed = headAndTail(stripTerminalSequences(result.output).trim(), MOST_BYTES).text
  return [headline(result, seconds, deadlineMs), printed === '' ? '(no output)' : printed].join('\n')
}

function headline(result: ProcessResult, seconds: string, deadlineMs: number): string {
  switch (result.status) {
    case 'exited':
      return `exit code ${result.exitCode}, ${seconds}`
    case 'killed':
      return `ended by ${result.signalName ?? 'a signal'} after ${seconds}`
    case 'deadline':
      return `ended by the deadline of ${deadlineMs / 1000} s; printed so far:`
    case 'aborted':
      return `interrupted after ${seconds}`
    case 'not-started':
      return `could not be started: ${result.reason ?? 'unknown reason'}`
  }
}
