import { randomBytes } from 'node:crypto'

export const RUN_ID_PATTERN = /^\d{8}-\d{6}-[0-9a-f]{4}$/

/**
 * The name of a run that starts at `now` (milliseconds since the epoch), e.g. `20261130-180501-3f9a`: UTC date, time, and
 * four random digits. Names sort by time.
 */
export function newRunId(now: number): string {
  const [date = '', time = ''] = new Date(now).toISOString().split('T')
  return `${date.replaceAll('-', '')}-${time.slice(0, 8).replaceAll(':', '')}-${randomBytes(2).toString('hex')}`
}
