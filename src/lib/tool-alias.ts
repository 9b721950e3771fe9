/** The name under which the `n`th definition of a tool (from 1) is declared where no name may be declared twice. */
export function aliasOf(tool: string, n: number): string {
  return `${tool}__g${n}`
}

/** The tool that an alias stands for; a name that is no alias stands for itself. */
export function withoutAlias(name: string): string {
  return name.replace(/__g\d+$/, '')
}
