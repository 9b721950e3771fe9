interface Named<Name extends string> {
  readonly name: Name
}

/** What models put before a name: the place where they learnt that tools are kept (`functions.`, `default_api:`, `mcp__x__`). */
const PREFIX = /^.*(?:[.:/]|__)/

/**
 * The tool that a name can only mean though it is written otherwise: in other letters, with underscores or dashes, behind
 * a prefix. Undefined where no tool or more than one is meant, or where the name is a tool's as it is.
 */
export function meantTool<Name extends string>(
  written: string,
  tools: readonly Named<Name>[],
): Named<Name> | undefined {
  if (tools.some(({ name }) => name === written)) return undefined
  const whole = fold(written)
  const bare = fold(written.replace(PREFIX, ''))
  const meant = tools.filter(({ name }) => fold(name) === whole || fold(name) === bare)
  return meant.length === 1 ? meant[0] : undefined
}

const fold = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]/g, '')
