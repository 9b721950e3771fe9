import { NONE_OF_THESE } from '../core/constraint.ts'
import type { EditFailure, Region } from '../core/failure.ts'
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts'
import { regionLabel } from '../core/region.ts'
import type { ToolCall, ToolDefinition } from '../core/tool.ts'
import { boundedValues } from './enum-values.ts'

const NAME = 'replaceRegion'

/** An edit whose old text was not found, or found more than once, asked for by the label of a region instead. */
export interface RegionChoice {
  /** The tool of a scoped replay: one region by its label, and what is to stand there instead. */
  readonly tool: ToolDefinition
  /** The call of the editing tool that an answer stands for; undefined where it chose none of them or is not valid. */
  toCall(answer: ToolCall): ToolCall | undefined
}

/**
 * The choice of a region for the edit of `call` that failed. The call that comes of it keeps the failed call's id, its
 * path and its other edits. `description` is the tool's text for the model. Undefined where there is nothing to choose
 * from: another failure, no regions, or no such edit in the call.
 */
export function regionChoice(failure: EditFailure, call: ToolCall, description: string): RegionChoice | undefined {
  if (failure.kind !== 'edit.no-match' && failure.kind !== 'edit.ambiguous') return undefined
  const refused = oldTextOf(call, failure.edit)
  if (refused === undefined) return undefined
  const found = failure.kind === 'edit.no-match' ? failure.nearest : failure.regions
  const regions = byLabel(found.filter(({ text }) => text !== '' && text !== refused && `${text}\n` !== refused))
  const labels = boundedValues([...regions.keys()])
  if (labels.length === 0) return undefined
  return {
    tool: definitionOf(labels, description),
    toCall(answer) {
      const chosen = chosenOf(answer)
      // Labels are in small letters, and no provider promises the case of an enum's member.
      const label = labels.find((one) => one === chosen?.region.toLowerCase())
      const region = label === undefined ? undefined : regions.get(label)
      return chosen && region && withEdit(call, failure.edit, replace(region, chosen.newText))
    },
  }
}

function definitionOf(labels: readonly string[], description: string): ToolDefinition {
  return {
    name: NAME,
    description,
    effect: 'write',
    inputSchema: {
      type: 'object',
      properties: { region: { type: 'string', enum: [...labels, NONE_OF_THESE] }, newText: { type: 'string' } },
      required: ['region', 'newText'],
      additionalProperties: false,
    },
    argumentKinds: {},
    strict: true,
  }
}

/** The first region of a label: they come best first. */
function byLabel(regions: readonly Region[]): ReadonlyMap<string, Region> {
  const named = new Map<string, Region>()
  for (const region of regions) if (!named.has(regionLabel(region))) named.set(regionLabel(region), region)
  return named
}

function chosenOf({ name, complete, input }: ToolCall): { region: string; newText: string } | undefined {
  if (name !== NAME || !complete || !input.parsed || Object.keys(input.value).length !== 2) return undefined
  const { region, newText } = input.value
  return typeof region === 'string' && typeof newText === 'string' ? { region, newText } : undefined
}

/** Lines replaced by nothing go with their line end: else an empty line would be left in their place. */
function replace({ text }: Region, newText: string): JsonObject {
  if (newText === '') return { oldText: `${text}\n`, newText }
  return { oldText: text, newText: closesLine(newText, text) ? newText.replace(/\r?\n$/, '') : newText }
}

/** True when the new text ends its last line, which the region's text does not: that line end stays in the file. */
function closesLine(newText: string, text: string): boolean {
  return lineEndsAtEnd(newText) > lineEndsAtEnd(text)
}

const lineEndsAtEnd = (text: string): number => /(?:\r?\n)*$/.exec(text)?.[0].replaceAll('\r', '').length ?? 0

function withEdit(call: ToolCall, index: number, edit: JsonObject): ToolCall | undefined {
  const edits = editsOf(call)
  if (edits === undefined || !call.input.parsed) return undefined
  const value = { ...call.input.value, edits: edits.map((other, at) => (at === index ? edit : other)) }
  return { ...call, input: { parsed: true, value } }
}

/**
 * The old text of the edit that failed. Undefined also where another edit of the call looks for the same text: that one
 * would fail as well, and one region can't be the place of both.
 */
function oldTextOf(call: ToolCall, index: number): string | undefined {
  const oldTexts = editsOf(call)?.map((edit) => (isJsonObject(edit) ? edit.oldText : undefined))
  const oldText = oldTexts?.[index]
  if (typeof oldText !== 'string') return undefined
  return oldTexts?.filter((other) => other === oldText).length === 1 ? oldText : undefined
}

function editsOf({ input }: ToolCall): readonly Json[] | undefined {
  const edits = input.parsed ? input.value.edits : undefined
  return Array.isArray(edits) ? edits : undefined
}
