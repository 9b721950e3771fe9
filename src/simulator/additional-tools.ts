import { isJsonObject, type JsonObject } from '../core/json.ts'
import { withoutAlias } from '../lib/tool-alias.ts'
import { refusedSchema } from './openai-schema-rules.ts'
import { firstOf, objects, text } from './wire.ts'

/** Tools that are declared within the input of Responses, and the choice that leaves others out. */

const NAME = /^[a-zA-Z0-9_-]{1,64}$/

const isDeclaration = ({ type }: JsonObject): boolean => type === 'additional_tools'

/** All tools of a request: those of its list, then those of its input. */
function declaredTools({ tools, input }: JsonObject): readonly JsonObject[] {
  const additional = objects(input).filter(isDeclaration)
  return [...objects(tools), ...additional.flatMap((item) => objects(item.tools))]
}

/** The names that a request allows to be called; undefined where it names none. */
function allowedNames({ tool_choice: choice }: JsonObject): readonly string[] | undefined {
  return isJsonObject(choice) && choice.type === 'allowed_tools'
    ? objects(choice.tools).map(({ name }) => text(name))
    : undefined
}

/** The tools that may be called, each by the name of the tool that it stands for: the first, where several do. */
export function allowedTools(body: JsonObject): readonly JsonObject[] {
  const allowed = allowedNames(body)
  const tools = new Map<string, JsonObject>()
  for (const tool of declaredTools(body)) {
    const name = withoutAlias(text(tool.name))
    const callable = allowed === undefined || allowed.includes(text(tool.name))
    if (callable && !tools.has(name)) tools.set(name, { ...tool, name })
  }
  return [...tools.values()]
}

/** The input without declarations of tools. */
export function withoutDeclarations(input: readonly JsonObject[]): readonly JsonObject[] {
  return input.filter((item) => !isDeclaration(item))
}

/** The name by which a model calls a tool: its own or an alias, one that is allowed. A name that it makes up stays. */
export function calledName(tool: string, body: JsonObject): string | undefined {
  const allowed = allowedNames(body)
  if (allowed === undefined || allowed.includes(tool)) return tool
  const known = declaredTools(body).some(({ name }) => name === tool)
  return allowed.find((name) => withoutAlias(name) === tool) ?? (known ? undefined : tool)
}

export function refusedTools(body: JsonObject): string | undefined {
  const seen = new Set<string>()
  const refused = (tool: JsonObject, place: string): string | undefined => {
    const name = text(tool.name)
    if (tool.type !== 'function')
      return `Invalid value: '${text(tool.type)}'. Supported here is 'function' (${place}.type).`
    if (!NAME.test(name)) return `Invalid '${place}.name': string does not match pattern '${NAME.source}'.`
    if (seen.has(name)) return `Invalid '${place}.name': a tool named '${name}' is declared already.`
    seen.add(name)
    return refusedSchema(tool.parameters, tool.strict !== false, `${place}.parameters`)
  }
  return (
    firstOf(objects(body.tools), (tool, index) => refused(tool, `tools[${index}]`)) ??
    firstOf(objects(body.input), (item, index) => {
      if (!isDeclaration(item)) return undefined
      if (item.role !== 'developer')
        return `Invalid value: '${text(item.role)}'. Supported values are: 'developer' (input[${index}].role).`
      const tools = objects(item.tools)
      if (tools.length === 0) return `Invalid 'input[${index}].tools': empty array.`
      return firstOf(tools, (tool, at) => refused(tool, `input[${index}].tools[${at}]`))
    })
  )
}

export function refusedChoice(body: JsonObject): string | undefined {
  const { tool_choice: choice } = body
  if (choice === undefined) return undefined
  const declared = declaredTools(body).map(({ name }) => text(name))
  if (declared.length === 0) return "Tool choice must be 'none' when no tools are given."
  if (!isJsonObject(choice)) return undefined
  const allowed = allowedNames(body)
  if (allowed === undefined) return unknownName([text(choice.name)], declared)
  if (choice.mode !== 'auto' && choice.mode !== 'required')
    return `Invalid value: '${text(choice.mode)}'. Supported values are: 'auto' and 'required' (tool_choice.mode).`
  if (allowed.length === 0) return "Invalid 'tool_choice.tools': empty array."
  return unknownName(allowed, declared)
}

function unknownName(names: readonly string[], declared: readonly string[]): string | undefined {
  const unknown = names.find((name) => !declared.includes(name))
  return unknown === undefined ? undefined : `Tool choice '${unknown}' not found in 'tools' parameter.`
}
