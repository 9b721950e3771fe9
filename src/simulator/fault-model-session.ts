import type { JsonObject } from '../core/json.ts'
import { chance } from './fault-model-chance.ts'

export type WantedTool = 'readFile' | 'editFile' | 'searchCode' | 'createFile' | 'runCommand'

/** A call that has to succeed for the task to be done. */
export interface WantedCall {
  readonly tool: WantedTool
  readonly input: JsonObject
}

/** A repository and what a model has to call in it, in order, to solve its task. */
export interface WantedSession {
  readonly task: string
  /** Contents by path. */
  readonly files: Readonly<Record<string, string>>
  readonly calls: readonly WantedCall[]
}

const AREAS = ['orders', 'billing', 'stock', 'users', 'search', 'reports']
const NAMES = ['format', 'parse', 'total', 'store', 'query', 'render', 'check', 'export']
const SCRIPTS = ['lint', 'typecheck', 'build', 'test:unit', 'test:slow', 'docs', 'bundle', 'clean']
/** Of ten calls. */
const TURNS: readonly WantedTool[] = [
  'readFile',
  'editFile',
  'readFile',
  'editFile',
  'searchCode',
  'readFile',
  'editFile',
  'createFile',
  'readFile',
  'runCommand',
]
const EDITS_BEFORE = TURNS.map((_, turn) => TURNS.slice(0, turn).filter((tool) => tool === 'editFile').length)
const EDITS_A_ROUND = TURNS.filter((tool) => tool === 'editFile').length
/** Lines of a function as written below, the blank one behind it included. */
const LINES_EACH = 6

/** The same for the same seed. Every edit has lines of its own, so that none depends on another. */
export function wantedSession(seed: number, count: number): WantedSession {
  const edits = Math.ceil(count / TURNS.length) * EDITS_A_ROUND
  const paths = AREAS.flatMap((area) => NAMES.map((name) => `src/${area}/${name}.ts`))
  const functions = Math.max(4, Math.ceil(edits / paths.length))
  const sources = paths.map((path) => sourceOf(seed, path, functions))
  const start = Math.floor(chance(seed, 'start') * sources.length)
  const at = (turn: number): Source => sources[(start + turn * 7) % sources.length] as Source
  const manifest = {
    name: 'shop',
    version: '1.0.0',
    scripts: Object.fromEntries(SCRIPTS.map((name) => [name, 'true'])),
  }
  return {
    task: 'Bring the rates in src/ up to date.',
    files: {
      'package.json': `${JSON.stringify(manifest, undefined, 2)}\n`,
      ...Object.fromEntries(sources.map(({ path, functions: texts }) => [path, texts.map(textOf).join('\n')])),
    },
    calls: Array.from({ length: count }, (_, index) => callAt(seed, index, functions, at)),
  }
}

interface Source {
  readonly path: string
  readonly functions: readonly WantedFunction[]
}

interface WantedFunction {
  readonly name: string
  readonly body: string
}

function sourceOf(seed: number, path: string, functions: number): Source {
  const [, area = '', file = ''] = path.replace('.ts', '').split('/')
  const number = (index: number, what: string) => 100 + Math.floor(chance(seed, path, index, what) * 900)
  return {
    path,
    functions: Array.from({ length: functions }, (_, index) => ({
      name: `${area}${file[0]?.toUpperCase()}${file.slice(1)}${index}`,
      body: `  const rate${index} = amount * ${number(index, 'rate')}\n  return rate${index} + ${number(index, 'fee')}`,
    })),
  }
}

const textOf = ({ name, body }: WantedFunction): string =>
  `/** The ${name} of an amount. */\nexport function ${name}(amount: number): number {\n${body}\n}\n`

function callAt(seed: number, index: number, functions: number, at: (turn: number) => Source): WantedCall {
  const [turn, round] = [index % TURNS.length, Math.floor(index / TURNS.length)]
  const tool = TURNS[turn] ?? 'readFile'
  const source = at(index)
  const part = round % functions
  switch (tool) {
    case 'readFile': {
      const startLine = part * LINES_EACH + 1
      return { tool, input: { path: source.path, startLine, endLine: startLine + LINES_EACH + (index % 5) } }
    }
    case 'editFile': {
      const edits = EDITS_BEFORE[turn] ?? 0
      const place = round * EDITS_A_ROUND + edits
      return editOf(seed, at(place), Math.floor(place / (AREAS.length * NAMES.length)))
    }
    case 'searchCode':
      return { tool, input: { pattern: `${source.functions[part]?.name}\\(`, path: folderOf(source.path) } }
    case 'createFile': {
      const path = `${folderOf(source.path)}/rates${index}.ts`
      return { tool, input: { path, content: `export const rates${index} = [1, 2, 3]\n` } }
    }
    case 'runCommand':
      return { tool, input: { command: `npm run ${SCRIPTS[round % SCRIPTS.length]}` } }
  }
}

function editOf(seed: number, { path, functions }: Source, part: number): WantedCall {
  const oldText = functions[part]?.body ?? ''
  const newText = oldText.replace(/\d+$/, String(1_000 + Math.floor(chance(seed, path, part, 'new') * 9_000)))
  return { tool: 'editFile', input: { path, edits: [{ oldText, newText }] } }
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'))
