import { Box, Static } from 'ink'
import { useLayoutEffect } from 'react'
import stringWidth from 'string-width'
import type { StoryLine } from '../../core/story/line.ts'
import { fit } from '../../core/story/text.ts'
import { LineText } from './line-text.tsx'

/** The finished lines: written once, above the live part, and the terminal's own from then on. */
export function Story(props: {
  readonly lines: readonly StoryLine[]
  readonly columns: number
  readonly color: boolean
  /** Told how many lines have been written. */
  readonly onWritten: (lines: number) => void
}) {
  const { lines, columns, color, onWritten } = props
  useLayoutEffect(() => onWritten(lines.length), [lines.length, onWritten])
  return (
    <Static items={[...lines]}>
      {(line, index) => {
        const indent = line.indent * 2
        const text = line.cut ? fit(line.text, columns - indent, stringWidth) : line.text
        return (
          <Box key={index} paddingLeft={indent} width={columns}>
            <LineText tone={line.tone} text={text} color={color} wrap="wrap" />
          </Box>
        )
      }}
    </Static>
  )
}
