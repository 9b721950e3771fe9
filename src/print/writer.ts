import type { Writable } from 'node:stream'

/** A stream that text can be written to whatever becomes of its reader. */
export interface SafeWriter {
  /** Does nothing once the stream has failed. Never throws. */
  write(text: string): void
  /** Resolves when everything written has left the process, or can't any more. */
  flush(): Promise<void>
}

/**
 * Writes to `stream` until it fails. A reader that went away (`goatfied ... | head`: EPIPE), a terminal that was closed
 * (EIO) or an ended stream stops the printing, never the run.
 */
export function safeWriter(stream: Writable): SafeWriter {
  let open = true
  // Stays attached: an error can come long after the last write, and without a listener it would end the process.
  stream.on('error', () => {
    open = false
  })
  const usable = () => open && !stream.destroyed && !stream.writableEnded
  return {
    write(text) {
      if (usable()) stream.write(text)
    },
    flush() {
      if (!usable()) return Promise.resolve()
      return new Promise((resolve) => {
        stream.once('close', resolve)
        stream.write('', () => {
          stream.off('close', resolve)
          resolve()
        })
      })
    },
  }
}
