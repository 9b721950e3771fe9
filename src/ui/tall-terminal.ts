/** More rows than any frame has. */
const ROWS = 100_000

/**
 * The terminal with its height kept from Ink. Ink clears the screen and the history above it when a frame is as high as the
 * terminal, also when the terminal gets lower after the frame was drawn; the live part has its own limit.
 */
export function tallTerminal(stdout: NodeJS.WriteStream): NodeJS.WriteStream {
  return new Proxy(stdout, {
    get(target, property) {
      if (property === 'rows') return ROWS
      const value: unknown = Reflect.get(target, property, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
    set: (target, property, value) => Reflect.set(target, property, value, target),
  })
}
