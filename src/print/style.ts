import { Chalk } from 'chalk'
import type { StoryLine } from '../core/story/line.ts'
import { fit } from '../core/story/text.ts'
import type { WidthOf } from './width.ts'

/** What a printer has to know of the place it prints to. */
export interface PrintStyle {
  readonly color: boolean
  /** Without it nothing is cut. */
  readonly terminal?: { readonly columns: number; readonly widthOf: WidthOf }
}

/** A story line as text without a newline, coloured and cut as `style` says. */
export function renderLine(line: StoryLine, style: PrintStyle): string {
  const text = `${'  '.repeat(line.indent)}${line.text}`
  const { terminal } = style
  const shown = line.cut && terminal ? fit(text, terminal.columns, terminal.widthOf) : text
  // An instance of its own: chalk's default one decides by this process's stdout, which may not be where this goes.
  const chalk = new Chalk({ level: style.color ? 1 : 0 })
  switch (line.tone) {
    case 'title':
      return chalk.bold(shown)
    case 'plain':
      return shown
    case 'dim':
      return chalk.dim(shown)
    case 'good':
    case 'add':
      return chalk.green(shown)
    case 'bad':
    case 'remove':
      return chalk.red(shown)
    case 'warn':
      return chalk.yellow(shown)
    case 'accent':
      return chalk.cyan(shown)
    default:
      line.tone satisfies never
      return shown
  }
}

/** Whether a stream wants colour: FORCE_COLOR decides, then NO_COLOR, then whether it is a terminal that can. */
export function wantsColor(
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false'
  if (env.NO_COLOR) return false
  return stream.isTTY === true && env.TERM !== 'dumb'
}
