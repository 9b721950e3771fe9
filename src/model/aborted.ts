import { type Failure, FailureError } from '../core/failure.ts'

/** The failure that an abort stands for: the one it was aborted with, or else a person who pressed Ctrl-C. */
export function abortFailure(signal: AbortSignal): Failure {
  return signal.reason instanceof FailureError ? signal.reason.failure : { kind: 'user.cancelled', signal: 'SIGINT' }
}
