/** The prompt texts by name: the path below `prompts/` without `.md`, e.g. `edit`, `tools/readFile`, `failures/call.unknown-tool`. */
export type Prompts = Readonly<Record<string, string>>

/**
 * The prompt of that name with every `{{key}}` replaced by its value. Values are inserted as they are and are not
 * searched for keys. A line that holds nothing but keys with empty values is dropped.
 * Throws when the prompt or a value is missing: that is a defect of ours.
 */
export function prompt(prompts: Prompts, name: string, values: Readonly<Record<string, string | number>> = {}): string {
  const template = prompts[name]
  if (template === undefined) throw new Error(`prompts/${name}.md is missing`)
  const lines: string[] = []
  for (const line of template.trimEnd().split('\n')) {
    const keys = [...line.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1] as string)
    const filled = line.replaceAll(/\{\{(\w+)\}\}/g, (_, key: string) => {
      const value = values[key]
      if (value === undefined) throw new Error(`prompts/${name}.md: no value for {{${key}}}`)
      return String(value)
    })
    const onlyKeys = keys.length > 0 && line.replaceAll(/\{\{\w+\}\}/g, '').trim() === ''
    if (!(onlyKeys && filled.trim() === '')) lines.push(filled)
  }
  return lines.join('\n')
}
