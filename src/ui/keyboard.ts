/** The part of a terminal's input that is used here. */
export type KeyboardInput = Pick<
  NodeJS.ReadStream,
  'setRawMode' | 'setEncoding' | 'on' | 'off' | 'resume' | 'pause' | 'ref' | 'unref'
>

export type Key = 'interrupt' | 'yes' | 'no'

/**
 * Reads single keys in raw mode and gives the terminal back with the returned function. Stands apart from Ink, so that
 * Ctrl-C is heard whatever becomes of the components.
 */
export function openKeyboard(stdin: KeyboardInput, onKey: (key: Key) => void): () => void {
  const onData = (chunk: string | Buffer) => {
    for (const key of keysOf(chunk.toString())) onKey(key)
  }
  const setRaw = (on: boolean) => {
    try {
      stdin.setRawMode(on)
    } catch {
      // The terminal is gone (EIO): there is no mode to set or to give back.
    }
  }
  stdin.setEncoding('utf8')
  // Stays attached: a terminal that is closed is reported as a read error, which is no reason to crash.
  stdin.on('error', () => {})
  setRaw(true)
  stdin.on('data', onData)
  stdin.ref()
  stdin.resume()
  return () => {
    stdin.off('data', onData)
    setRaw(false)
    stdin.pause()
    stdin.unref()
  }
}

/** The keys in what one read gave; unknown ones and the sequences of arrows and the like are left out. */
export function keysOf(chunk: string): readonly Key[] {
  if (chunk === '\u001b') return ['no']
  return Array.from(chunk.replaceAll(/\u001b[[O][0-?]*[ -/]*[@-~]/g, '')).flatMap((character): Key[] => {
    switch (character) {
      case '\u0003':
        return ['interrupt']
      case 'y':
      case 'Y':
        return ['yes']
      case 'n':
      case 'N':
      case '\r':
      case '\n':
        return ['no']
      default:
        return []
    }
  })
}
