import { useSyncExternalStore } from 'react'
import type { ScreenStore } from '../store.ts'
import { LiveArea } from './live-area.tsx'
import { Story } from './story.tsx'

/** The whole screen: the story so far, and below it what goes on now. */
export function App(props: {
  readonly store: ScreenStore
  readonly color: boolean
  readonly onWritten: (lines: number) => void
}) {
  const { store, color, onWritten } = props
  const screen = useSyncExternalStore(store.subscribe, store.screen)
  return (
    <>
      <Story lines={screen.story} columns={screen.columns} color={color} onWritten={onWritten} />
      {screen.closing ? null : <LiveArea input={screen} color={color} />}
    </>
  )
}
