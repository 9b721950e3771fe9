import type { StampedEvent } from '../core/event.ts'
import { narrate } from '../core/narrate.ts'
import { NO_PROGRESS, progress } from '../core/progress.ts'
import { line, type StoryLine } from '../core/story/line.ts'
import { cleanLines, visibleControls } from '../core/story/text.ts'
import type { LiveInput } from './live.ts'

/** Everything that is drawn. `closing` leaves the story alone on the screen. */
export interface Screen extends LiveInput {
  readonly story: readonly StoryLine[]
  readonly closing: boolean
}

/** Holds the screen's state and tells its subscriber of changes, at most 20 times a second. */
export interface ScreenStore {
  /** As published: the same value until the next change is told. */
  readonly screen: () => Screen
  /** As of now, told or not. */
  readonly latest: () => Screen
  readonly subscribe: (changed: () => void) => () => void
  event(event: StampedEvent): void
  ask(action: string): void
  answered(): void
  resized(): void
  /** Takes the live part away and stops the clock. */
  close(): void
}

const REDRAW_MS = 50
const SPINNER_MS = 125

/** `size` is read at the start and whenever `resized` is called; 0 or nothing counts as 80 by 24. */
export function createScreenStore(size: { readonly columns?: number; readonly rows?: number }): ScreenStore {
  let screen: Screen = {
    progress: NO_PROGRESS,
    asking: false,
    story: [],
    closing: false,
    now: Date.now(),
    frame: 0,
    ...measure(),
  }
  // The run's clock less ours: a run that is replayed has its own time.
  let ahead = 0
  const subscribers = new Set<() => void>()
  let pending: NodeJS.Timeout | undefined
  const spinner = setInterval(() => set({ frame: screen.frame + 1 }), SPINNER_MS)
  spinner.unref()

  function measure() {
    return { columns: size.columns || 80, rows: size.rows || 24 }
  }

  function set(change: Partial<Screen>): void {
    screen = { ...screen, ...change }
    pending ??= setTimeout(publish, REDRAW_MS)
  }

  function publish(): void {
    clearTimeout(pending)
    pending = undefined
    screen = { ...screen, now: Date.now() + ahead }
    for (const changed of subscribers) changed()
  }

  // React compares snapshots by identity, so that it must not see a change before it is published.
  let published = screen
  subscribers.add(() => {
    published = screen
  })

  return {
    screen: () => published,
    latest: () => screen,
    subscribe(changed) {
      subscribers.add(changed)
      return () => subscribers.delete(changed)
    },
    event(event) {
      ahead = event.at - Date.now()
      const story = narrate(event, screen.progress)
      set({
        progress: progress(screen.progress, event),
        ...(story.length > 0 ? { story: [...screen.story, ...story] } : {}),
      })
    },
    ask(action) {
      // Whole and with control characters shown: what is agreed to must not be hidden by a cut or by the terminal.
      const lines = cleanLines(visibleControls(action)).map((text) => line('plain', 2, text))
      set({ asking: true, story: [...screen.story, line('warn', 1, 'may this be done? [y/n]'), ...lines] })
    },
    answered: () => set({ asking: false }),
    resized() {
      screen = { ...screen, ...measure() }
      publish()
    },
    close() {
      clearInterval(spinner)
      screen = { ...screen, closing: true }
      publish()
    },
  }
}
