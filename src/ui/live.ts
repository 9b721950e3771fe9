import stringWidth from 'string-width'
import type { RunProgress, StepProgress } from '../core/progress.ts'
import { activity, attemptText, counters } from '../core/story/activity.ts'
import type { Tone } from '../core/story/line.ts'
import { cleanLines, fit, oneLine } from '../core/story/text.ts'

/** One row of the live part, cut to its width. */
export interface LiveLine {
  readonly tone: Tone
  readonly text: string
}

/** What the live part is drawn from. `frame` counts up with every redraw of the spinner. */
export interface LiveInput {
  readonly progress: RunProgress
  readonly asking: boolean
  readonly columns: number
  readonly rows: number
  readonly now: number
  readonly frame: number
}

const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const MOST_STEPS = 5
/** Rows from which on there is a blank line between the story and the live part. */
const ROOMY = 10
/**
 * The live part is no wider than this. A terminal that gets narrower wraps rows that no longer fit, and then more rows are
 * on the screen than Ink erases; short rows still fit after most changes of size.
 */
const WIDEST = 60

/** The live part: never more than `rows - 2` lines, none wider than the terminal; empty when the run has ended. */
export function liveLines({ progress, asking, columns, rows, now, frame }: LiveInput): readonly LiveLine[] {
  if (progress.result) return []
  const width = Math.max(1, Math.min(columns - 1, WIDEST))
  const cut = (tone: Tone, text: string): LiveLine => ({ tone, text: fit(text, width, stringWidth) })
  const doing = [attemptText(progress), activity(progress, now)].filter((part) => part !== '').join(' · ')
  const head = cut('accent', `${SPINNER[frame % SPINNER.length]} ${doing}`)
  const feet = [cut('dim', counters(progress, now))]
  if (asking) feet.push(cut('warn', 'allow it? [y] yes  [n] no'))

  let room = rows - 2 - 1 - feet.length
  if (room < 0) return [...feet.reverse(), head].slice(0, Math.max(0, rows - 2))
  const tail = tailText(progress, width)
  const steps = stepLines(progress.steps, Math.min(MOST_STEPS, room)).map(({ tone, text }) => cut(tone, text))
  room -= steps.length
  const streamed = tail !== '' && room > 0 ? [{ tone: 'dim' as const, text: tail }] : []
  const blank = rows >= ROOMY && room > streamed.length ? [{ tone: 'plain' as const, text: '' }] : []
  return [...blank, ...streamed, head, ...steps, ...feet]
}

/** The end of the streamed text's last line. */
function tailText({ answering }: RunProgress, width: number): string {
  const last = cleanLines(answering?.text ?? '').at(-1) ?? ''
  const text = oneLine(last)
  if (stringWidth(text) <= width) return text
  const clusters = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment)
  let kept = ''
  for (let at = clusters.length - 1; at >= 0; at -= 1) {
    const longer = `${clusters[at]}${kept}`
    if (stringWidth(longer) > width - 1) break
    kept = longer
  }
  return `…${kept}`
}

/** The steps around the one that is worked on; none where the task is the only step. */
function stepLines(steps: readonly StepProgress[], room: number): readonly LiveLine[] {
  if (steps.length < 2 || room < 1) return []
  const open = steps.findIndex((step) => step.state !== 'passed')
  const current = open === -1 ? steps.length - 1 : open
  const first = Math.max(0, Math.min(current - Math.floor(room / 2), steps.length - room))
  return steps.slice(first, first + room).map((step, index) => stepLine(step, first + index + 1))
}

function stepLine({ goal, state }: StepProgress, number: number): LiveLine {
  const text = `${number}. ${oneLine(goal)}`
  switch (state) {
    case 'passed':
      return { tone: 'good', text: `  ✓ ${text}` }
    case 'working':
      return { tone: 'plain', text: `  ▸ ${text}` }
    case 'waiting':
      return { tone: 'dim', text: `  · ${text}` }
    default:
      state satisfies never
      return { tone: 'dim', text }
  }
}
