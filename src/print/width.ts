/** How many columns of a terminal a text takes. */
export type WidthOf = (text: string) => number

/** Loaded only for a terminal: the tables behind it take longer to build than everything else that a start does. */
export async function loadWidthOf(): Promise<WidthOf> {
  const { default: stringWidth } = await import('string-width')
  return stringWidth
}
