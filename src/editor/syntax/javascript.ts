import { type ParserOptions, type ParserPlugin, parse } from '@babel/parser'
import type { Fault } from './scan.ts'

type Dialect = 'javascript' | 'typescript' | 'tsx' | 'declarations'

/** Proposals that real code uses through its own build. */
const COMMON: readonly ParserPlugin[] = [
  'decoratorAutoAccessors',
  'deferredImportEvaluation',
  'destructuringPrivate',
  'explicitResourceManagement',
  'exportDefaultFrom',
  'functionBind',
  'importReflection',
  'sourcePhaseImports',
  'throwExpressions',
  ['optionalChainingAssign', { version: '2023-07' }],
  'doExpressions',
  'moduleBlocks',
]
const DECORATORS: readonly ParserPlugin[] = [['decorators', { allowCallParenthesized: true }], 'decorators-legacy']
const FLOW: readonly ParserPlugin[] = ['jsx', ['flow', { all: true }], 'flowComments']

const DIALECTS: Readonly<Record<Dialect, readonly (readonly ParserPlugin[])[]>> = {
  javascript: [['jsx'], FLOW],
  typescript: [['typescript']],
  tsx: [['typescript', 'jsx']],
  declarations: [[['typescript', { dts: true }]]],
}

/**
 * Of what the parser notices and parses on from, what no other tool would accept. The rest are rules about meaning (a name
 * declared twice, a return type of a setter), which the checks of the repository report.
 */
const STRUCTURAL: ReadonlySet<string> = new Set([
  'DeclarationMissingInitializer',
  'MissingSemicolon',
  'UnexpectedKeyword',
  'UnexpectedToken',
])

/**
 * What keeps `text` from being parsed, in the dialect that its name says and, for JavaScript, in Flow's; undefined when any of them
 * takes it, or when it uses syntax that the parser knows and has switched off. Throws when the parser itself fails.
 */
export function javascriptFault(
  text: string,
  path: string,
  language: 'javascript' | 'typescript' | 'tsx',
): Fault | undefined {
  const dialect = language === 'typescript' && /\.d(\.[^./]+)?\.[cm]?ts$/i.test(path) ? 'declarations' : language
  // Flow's language grows faster than this parser's.
  if (language === 'javascript' && /@flow\b/.test(text)) return undefined
  let first: Fault | undefined
  for (const plugins of DIALECTS[dialect]) {
    for (const decorators of DECORATORS) {
      const fault = faultWith(text, [...plugins, ...COMMON, decorators])
      if (fault === undefined) return undefined
      first ??= fault
    }
  }
  return first
}

function faultWith(text: string, plugins: ParserPlugin[]): Fault | undefined {
  const options: ParserOptions = {
    sourceType: 'unambiguous',
    plugins,
    errorRecovery: true,
    attachComment: false,
    allowReturnOutsideFunction: true,
    allowAwaitOutsideFunction: true,
    allowNewTargetOutsideFunction: true,
    allowSuperOutsideMethod: true,
    allowImportExportEverywhere: true,
    allowUndeclaredExports: true,
    allowYieldOutsideFunction: true,
  }
  try {
    const { errors } = parse(text, options)
    const error = errors?.find(({ reasonCode }) => STRUCTURAL.has(reasonCode))
    return error === undefined ? undefined : asFault(error)
  } catch (error) {
    return asFault(error)
  }
}

/** Throws what is not about the text. */
function asFault(error: unknown): Fault | undefined {
  if (!(error instanceof SyntaxError) || !('pos' in error) || typeof error.pos !== 'number') throw error
  if ('missingPlugin' in error && error.missingPlugin !== undefined) return undefined
  return { offset: error.pos, message: error.message.replace(/ \(\d+:\d+\)$/, '').replace(/\.$/, '') }
}
