import { type Row, titleOf } from './guards-figures.ts'
import { ARMS, type Arm } from './guards-session.ts'

const PANEL = { width: 230, height: 170, gap: 60, left: 46, top: 70 } as const
const HEIGHT = 320
/** Told apart by marks as well as by colour; readable on light and on dark. */
const STYLES: Readonly<Record<Arm, { readonly color: string; readonly dash: string }>> = {
  'error-text': { color: '#d1495b', dash: '2 4' },
  candidates: { color: '#c98a1b', dash: '8 4' },
  guards: { color: '#2f8f6f', dash: '' },
}

interface Panel {
  readonly title: string
  readonly value: (row: Row) => number | undefined
  readonly from: number
  /** The axis goes at least so far. */
  readonly most: number
  readonly label: (value: number) => string
}

const PANELS: readonly Panel[] = [
  {
    title: 'sessions finished (%)',
    value: (row) => row.finishedShare * 100,
    from: 0,
    most: 100,
    label: (value) => value.toFixed(0),
  },
  {
    title: 'failing calls made again, a session',
    value: (row) => row.repeatedCalls / Math.max(1, row.sessions),
    from: 0,
    most: 1,
    label: (value) => value.toFixed(1),
  },
  {
    title: 'requests a call (finished sessions)',
    value: (row) => row.requestsPerCall,
    from: 1,
    most: 1.2,
    label: (value) => value.toFixed(2),
  },
]

/** The figures over the probability of repeating a mistake, as an SVG that follows the viewer's light or dark scheme. */
export function plotOf(rows: readonly Row[]): string {
  const width = PANELS.length * (PANEL.width + PANEL.gap) + PANEL.left
  const sessions = Math.max(0, ...rows.map((row) => row.sessions))
  const panels = PANELS.map((panel, index) => panelOf(panel, rows, PANEL.left + index * (PANEL.width + PANEL.gap)))
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" viewBox="0 0 ${width} ${HEIGHT}" role="img" aria-label="What guards are worth, by how stubborn the simulated model is">
<style>
  svg { background: #fff; color: #1f2328; font: 12px system-ui, sans-serif }
  @media (prefers-color-scheme: dark) { svg { background: #0d1117; color: #e6edf3 } }
  text { fill: currentColor } .title { font-weight: 600 } .grid { stroke: currentColor; opacity: .18 }
  .axis { stroke: currentColor; opacity: .6 } .line { fill: none; stroke-width: 2.5 }
</style>
${legend()}
<text x="${PANEL.left}" y="${HEIGHT - 8}">A simulated model, ${sessions} sessions for each point. Share of mistakes repeated unless the schema excludes them: r.</text>
${panels.join('\n')}
</svg>
`
}

function legend(): string {
  return ARMS.map((arm, index) => {
    const x = PANEL.left + index * 200
    const { color, dash } = STYLES[arm]
    return `<line x1="${x}" y1="20" x2="${x + 34}" y2="20" stroke="${color}" stroke-width="2.5" stroke-dasharray="${dash}"/><text x="${x + 42}" y="24">${titleOf(arm)}</text>`
  }).join('\n')
}

function panelOf({ title, value, from, most, label }: Panel, rows: readonly Row[], left: number): string {
  const values = rows.flatMap((row) => value(row) ?? [])
  const top = from + 4 * roundStep((Math.max(most, ...values) - from) / 4)
  const repeats = [...new Set(rows.map((row) => row.repeats))].sort((a, b) => a - b)
  const x = (at: number) => round(left + at * PANEL.width)
  const y = (at: number) => round(PANEL.top + PANEL.height * (1 - (at - from) / (top - from)))
  const bottom = PANEL.top + PANEL.height
  const steps = [0, 0.25, 0.5, 0.75, 1].map((share) => from + share * (top - from))
  const grid = steps.map(
    (at) =>
      `<line class="grid" x1="${left}" x2="${left + PANEL.width}" y1="${y(at)}" y2="${y(at)}"/><text x="${left - 6}" y="${y(at) + 4}" text-anchor="end">${label(at)}</text>`,
  )
  const ticks = repeats.map(
    (at) =>
      `<line class="axis" x1="${x(at)}" x2="${x(at)}" y1="${bottom}" y2="${bottom + 5}"/><text x="${x(at)}" y="${bottom + 19}" text-anchor="middle">${at}</text>`,
  )
  const lines = ARMS.map((arm) => {
    const points = rows
      .filter((row) => row.arm === arm)
      .flatMap((row) => {
        const at = value(row)
        return at === undefined ? [] : [`${x(row.repeats)},${y(at)}`]
      })
    const { color, dash } = STYLES[arm]
    const marks = points.map((point) => `<circle cx="${point.replace(',', '" cy="')}" r="3.5" fill="${color}"/>`)
    return `<polyline class="line" stroke="${color}" stroke-dasharray="${dash}" points="${points.join(' ')}"/>${marks.join('')}`
  })
  return `<text class="title" x="${left}" y="${PANEL.top - 16}">${title}</text>
${grid.join('\n')}
<line class="axis" x1="${left}" x2="${left + PANEL.width}" y1="${bottom}" y2="${bottom}"/>
${ticks.join('\n')}
<text x="${left + PANEL.width / 2}" y="${bottom + 40}" text-anchor="middle">r: the same mistake again</text>
${lines.join('\n')}`
}

/** The next larger number that reads well on an axis. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  return power * ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= least * 0.999) ?? 10)
}

const round = (value: number): number => Math.round(value * 10) / 10
