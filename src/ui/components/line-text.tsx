import { Text, type TextProps } from 'ink'
import type { Tone } from '../../core/story/line.ts'

const STYLES: Readonly<Record<Tone, Pick<TextProps, 'color' | 'bold' | 'dimColor'>>> = {
  title: { bold: true },
  plain: {},
  dim: { dimColor: true },
  good: { color: 'green' },
  bad: { color: 'red' },
  warn: { color: 'yellow' },
  add: { color: 'green' },
  remove: { color: 'red' },
  accent: { color: 'cyan' },
}

/** One line in the style of its tone; without colour it has no style at all. */
export function LineText(props: {
  readonly tone: Tone
  readonly text: string
  readonly color: boolean
  readonly wrap: 'wrap' | 'truncate'
}) {
  // Ink gives a text without characters no row.
  return (
    <Text wrap={props.wrap} {...(props.color ? STYLES[props.tone] : {})}>
      {props.text === '' ? ' ' : props.text}
    </Text>
  )
}
