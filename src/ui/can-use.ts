/** What the UI asks of an environment before Ink is loaded. */
interface Terminal {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly rows?: number
}

/** Below this there is no room for a live part. */
const LEAST = { columns: 20, rows: 6 }

/**
 * Whether the interactive screen can be used: both ends a terminal that can move its cursor, large enough, and no CI. A
 * terminal that reports no size (0 rows) is refused as well.
 */
export function canUseUi(
  stdin: { readonly isTTY?: boolean; readonly setRawMode?: unknown },
  stdout: Terminal,
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  const { columns = 0, rows = 0 } = stdout
  const terminals = stdin.isTTY === true && typeof stdin.setRawMode === 'function' && stdout.isTTY === true
  const large = columns >= LEAST.columns && rows >= LEAST.rows
  return terminals && large && env.TERM !== 'dumb' && !isSet(env.CI) && !isSet(env.CONTINUOUS_INTEGRATION)
}

// Set counts also when empty: Ink decides so too, and draws nothing then.
const isSet = (value: string | undefined) => value !== undefined && value !== '0' && value !== 'false'
