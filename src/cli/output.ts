import type { StampedEvent } from '../core/event.ts'
import type { Person } from '../core/ports.ts'
import { createJsonPrinter } from '../print/json.ts'
import { wantsColor } from '../print/style.ts'
import { createTextPrinter, type Printer, renderResult } from '../print/text.ts'
import { loadWidthOf } from '../print/width.ts'
import { safeWriter } from '../print/writer.ts'
import { canUseUi } from '../ui/can-use.ts'

export type OutputFormat = 'text' | 'json' | 'stream-json'

/** Where the events of a run go, and who is asked. */
export interface Output {
  readonly person: Person
  event(event: StampedEvent): void
  close(): Promise<void>
}

export interface OutputOptions {
  readonly print?: boolean
  readonly outputFormat?: OutputFormat
  readonly json?: boolean
  readonly env: NodeJS.ProcessEnv
  readonly onInterrupt: () => void
}

/** What would be asked is denied at once where nobody watches. */
const NOBODY: Person = { approve: async () => ({ allowed: false, by: 'settings' }) }

/** The screen in a terminal, plain lines elsewhere; the result on stdout, everything else on stderr. Ink is loaded only for the screen. */
export async function openOutput(options: OutputOptions): Promise<Output> {
  const { env } = options
  const format = options.outputFormat ?? (options.json ? 'stream-json' : 'text')
  const { stdin, stdout, stderr } = process
  if (format === 'text' && !options.print && canUseUi(stdin, stdout, env)) {
    const { startUi } = await import('../ui/start.tsx')
    const ui = startUi({ stdin, stdout, color: wantsColor(stdout, env), onInterrupt: options.onInterrupt })
    const person: Person = {
      approve: async (action, signal) => ({ allowed: await ui.ask(action, signal), by: 'person' }),
    }
    return { person, event: ui.event, close: ui.close }
  }
  const widthOf = stderr.isTTY ? await loadWidthOf() : undefined
  const printers: Printer[] = [createTextPrinter({ stream: stderr, color: wantsColor(stderr, env), widthOf })]
  printers.push(format === 'text' ? resultPrinter(stdout) : createJsonPrinter({ stream: stdout, format }))
  return {
    person: NOBODY,
    event(event) {
      for (const printer of printers) printer.event(event)
    },
    close: async () => {
      await Promise.all(printers.map((printer) => printer.close()))
    },
  }
}

function resultPrinter(stream: NodeJS.WritableStream & NodeJS.WriteStream): Printer {
  const writer = safeWriter(stream)
  return {
    event(event) {
      if (event.type === 'run.ended') writer.write(renderResult(event.result))
    },
    close: () => writer.flush(),
  }
}
