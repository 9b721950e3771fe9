import { render } from 'ink'
import type { StampedEvent } from '../core/event.ts'
import { App } from './components/app.tsx'
import { ErrorBoundary } from './components/error-boundary.tsx'
import { openKeyboard } from './keyboard.ts'
import { createQuestions } from './questions.ts'
import { createScreenStore } from './store.ts'
import { tallTerminal } from './tall-terminal.ts'

/** The screen of a run. */
export interface Ui {
  /** Adds an event. */
  event(event: StampedEvent): void
  /** Asks the person whether `action` may be done: true only for a yes. False on abort and after `close`. */
  ask(action: string, signal: AbortSignal): Promise<boolean>
  /** Leaves the story on the screen and gives the terminal back; nothing keeps the process alive afterwards. */
  close(): Promise<void>
}

export interface UiOptions {
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly color: boolean
  /** Ctrl-C, every time it is pressed: raw mode gives no SIGINT. Ends nothing by itself. */
  readonly onInterrupt: () => void
}

/** How long the last frame may take to leave the process, in milliseconds. */
const LAST_WRITE_MS = 300

/** Takes over the terminal. To be called only where `canUseUi` agrees. */
export function startUi({ stdin, stdout, color, onInterrupt }: UiOptions): Ui {
  const store = createScreenStore(stdout)
  let written = 0
  let plain = false
  let closed = false

  const questions = createQuestions((action) => {
    if (action === undefined) store.answered()
    else store.ask(action)
    if (plain) writePlain()
  })
  const closeKeyboard = openKeyboard(stdin, (key) => {
    if (key === 'interrupt') onInterrupt()
    else questions.answer(key === 'yes')
  })
  // Before Ink's own listener, so that the first frame at a new size is already laid out for it.
  stdout.on('resize', store.resized)
  // Stays attached: a terminal that is closed fails the writes, which must end the drawing and not the process.
  stdout.on('error', giveUpDrawing)

  const screen = (
    <ErrorBoundary onError={giveUpDrawing}>
      <App store={store} color={color} onWritten={onWritten} />
    </ErrorBoundary>
  )
  const instance = render(screen, { stdin, stdout: tallTerminal(stdout), exitOnCtrlC: false, maxFps: 20 })

  function onWritten(lines: number): void {
    written = lines
  }

  /** From here on lines are written as they are, without a live part. */
  function giveUpDrawing(): void {
    if (plain) return
    plain = true
    // Not from inside of React's own work, where this is called.
    queueMicrotask(() => {
      instance.unmount()
      if (!closed) writePlain()
    })
  }

  function writePlain(): void {
    const { story } = store.latest()
    const lines = story.slice(written).map((line) => `${'  '.repeat(line.indent)}${line.text}\n`)
    written = story.length
    if (lines.length > 0 && stdout.writable) stdout.write(lines.join(''))
  }

  return {
    event(event) {
      if (closed) return
      store.event(event)
      if (plain) writePlain()
    },
    ask: (action, signal) => questions.ask(action, signal),
    async close() {
      if (closed) return
      closed = true
      questions.close()
      store.close()
      if (plain) {
        writePlain()
      } else {
        const gone = instance.waitUntilExit()
        // Drawn here and now, since nothing is drawn any more once Ink is unmounted.
        instance.rerender(screen)
        instance.unmount()
        await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, LAST_WRITE_MS).unref())])
      }
      stdout.off('resize', store.resized)
      closeKeyboard()
    },
  }
}
