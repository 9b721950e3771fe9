import { FailureError, failed } from '../core/failure.ts'

/** The failure that an aborted call ends with: the one that the signal carries, else an interruption by the user. */
export function interruption(signal: AbortSignal) {
  const reason: unknown = signal.reason
  return failed(reason instanceof FailureError ? reason.failure : { kind: 'user.cancelled', signal: 'SIGINT' })
}
