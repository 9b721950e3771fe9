import { randomBytes } from 'node:crypto'

export const RUN_ID_PATTERN = /^\d{8}-\d{6}-[0-9a-f]{4}(?:[0-9a-f]{2})?$/

/**
 * The name of a run that starts at `now` (milliseconds since the epoch), e.g. `20261130-180501-2f43f9`: UTC date, time, the
 * milliseconds as three hexadecimal digits, and three random ones. Names sort by time.
 */
export function newRunId(now: number): string {
  const [date = '', time = ''] = new Date(now).toISOString().split('T')
  const ms = Number(time.slice(9, 12)).toString(16).padStart(3, '0')
  const chance = randomBytes(2).toString('hex').slice(0, 3)
  return `${date.replaceAll('-', '')}-${time.slice(0, 8).replaceAll(':', '')}-${ms}${chance}`
}
