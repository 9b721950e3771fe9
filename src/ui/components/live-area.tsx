import { Box } from 'ink'
import { type LiveInput, liveLines } from '../live.ts'
import { LineText } from './line-text.tsx'

/** What goes on now, redrawn in place below the story. */
export function LiveArea(props: { readonly input: LiveInput; readonly color: boolean }) {
  return (
    <Box flexDirection="column">
      {liveLines(props.input).map((line, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row has no identity but its place
        <LineText key={row} tone={line.tone} text={line.text} color={props.color} wrap="truncate" />
      ))}
    </Box>
  )
}
