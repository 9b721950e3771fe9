import type { JsonObject } from '../core/json.ts'
import type { CallInput } from '../core/tool.ts'
import { choose } from './fault-model-chance.ts'
import type { WantedCall, WantedTool } from './fault-model-session.ts'

/**
 * `wrong-target`: a path or a script that is not there. `edit-mismatch`: old text that is not in the file. `missing-argument`:
 * one that is needed is given under another name. No two mistakes give the same call, so that one which comes again is a repetition.
 */
export const MISTAKE_KINDS = [
  'wrong-target',
  'edit-mismatch',
  'wrong-type',
  'missing-argument',
  'malformed-json',
  'unknown-tool',
] as const
export type MistakeKind = (typeof MISTAKE_KINDS)[number]

/** A way to get a call wrong; `variant` counts the different ones of a kind. */
export interface Mistake {
  readonly kind: MistakeKind
  readonly variant: number
}

export interface MadeCall {
  readonly name: string
  readonly input: CallInput
}

/** How often each kind comes, as weights: of the kinds that a call can have. */
export const WEIGHTS: Readonly<Record<MistakeKind, number>> = {
  'wrong-target': 4,
  'edit-mismatch': 4,
  'wrong-type': 2,
  'missing-argument': 2,
  'malformed-json': 1,
  'unknown-tool': 1,
}

/** What other agents call such a tool. */
const FOREIGN_NAMES: Readonly<Record<WantedTool, string>> = {
  readFile: 'view',
  editFile: 'applyPatch',
  searchCode: 'grep',
  createFile: 'writeNew',
  runCommand: 'bash',
}

/** The argument that is got wrong, by tool; the second one where it must be of another type. */
const ARGUMENTS: Readonly<Record<WantedTool, { readonly needed: string; readonly typed: string }>> = {
  readFile: { needed: 'path', typed: 'startLine' },
  editFile: { needed: 'edits', typed: 'edits' },
  searchCode: { needed: 'pattern', typed: 'pattern' },
  createFile: { needed: 'content', typed: 'content' },
  runCommand: { needed: 'command', typed: 'command' },
}

export const named = (name: string, value: JsonObject): MadeCall => ({ name, input: { parsed: true, value } })

/** A mistake for the call. `at` is from 0 up to 1; `known` are unknown tools' names that are not dreamed up any more. */
export function mistakeFor(call: WantedCall, at: number, variant: number, known: ReadonlySet<string>): Mistake {
  const possible = MISTAKE_KINDS.filter((kind) => {
    if (kind === 'wrong-target') return call.tool !== 'createFile'
    if (kind === 'edit-mismatch') return call.tool === 'editFile'
    return kind !== 'unknown-tool' || !known.has(FOREIGN_NAMES[call.tool])
  })
  const kind = choose(
    possible.map((one) => [one, WEIGHTS[one]] as const),
    at,
  )
  return { kind, variant }
}

export const rightCall = ({ tool, input }: WantedCall): MadeCall => named(tool, input)

export function mistakenCall(call: WantedCall, { kind, variant }: Mistake): MadeCall {
  const { tool, input } = call
  const { needed, typed } = ARGUMENTS[tool]
  const made = (value: JsonObject): MadeCall => named(tool, value)
  switch (kind) {
    case 'wrong-target':
      return made({ ...input, ...wrongTarget(call, variant) })
    case 'edit-mismatch':
      return made({ ...input, edits: [{ ...editOf(input), oldText: damaged(editOf(input).oldText, variant) }] })
    case 'wrong-type':
      return made({ ...input, [typed]: { [`as${variant}`]: input[typed] ?? null } })
    case 'missing-argument': {
      const { [needed]: value = null, ...others } = input
      return made({ ...others, [`${needed}Value${variant}`]: value })
    }
    case 'malformed-json': {
      const raw = `<arguments n="${variant}">${Object.values(input).map(String).join('</a><a>')}`
      return { name: tool, input: { parsed: false, raw, error: 'Unexpected token <' } }
    }
    case 'unknown-tool':
      return named(FOREIGN_NAMES[tool], input)
  }
}

/** What has to stand in a text for the model to know what would have been right. */
export function fixOf(call: WantedCall, { kind }: Mistake): string {
  switch (kind) {
    case 'wrong-target':
      return targetOf(call)
    case 'edit-mismatch':
      return editOf(call.input).oldText.split('\n')[0]?.trim() ?? ''
    case 'wrong-type':
      return ARGUMENTS[call.tool].typed
    case 'missing-argument':
      return ARGUMENTS[call.tool].needed
    case 'malformed-json':
    case 'unknown-tool':
      return call.tool
  }
}

export function editOf(input: JsonObject): { readonly oldText: string; readonly newText: string } {
  const [edit] = input.edits as unknown as readonly { oldText: string; newText: string }[]
  if (edit === undefined) throw new Error('an edit has an old and a new text')
  return edit
}

function targetOf({ tool, input }: WantedCall): string {
  return String(tool === 'runCommand' ? input.command : input.path)
}

function wrongTarget(call: WantedCall, variant: number): JsonObject {
  const target = targetOf(call)
  const again = variant < 4 ? '' : String(variant)
  if (call.tool === 'runCommand') {
    const script = target.split(' ')[2] ?? ''
    const wrong = [`${script}s`, `run-${script}`, `${script}:all`, `my-${script}`]
    return { command: `npm run ${wrong[variant % 4]}${again}` }
  }
  const [, area = '', file] = target.split('/')
  const wrong =
    file === undefined
      ? [`src/modules${again}/${area}`, `src/${area}-core${again}`, `lib${again}/${area}`, `src/${area}Module${again}`]
      : [
          `src/modules${again}/${area}/${file}`,
          `src/${again}${file}`,
          `lib${again}/${area}/${file}`,
          `src/${area}/${file.replace('.ts', `Helpers${again}.ts`)}`,
        ]
  return { path: wrong[variant % 4] ?? '' }
}

/** The old text as of another version of the file: nothing that blanks or quotes would explain. */
function damaged(oldText: string, variant: number): string {
  switch (variant % 3) {
    case 0:
      return oldText.replaceAll(/\brate(\d+)/g, `price${variant}_$1`)
    case 1:
      return oldText.replace(/\d+$/, (number) => String(Number(number) + 1 + variant))
    default:
      return oldText.replace('amount *', `amount${variant} +`)
  }
}
