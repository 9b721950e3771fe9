import type { ExitCode } from './outcome.ts'

/** A fault that a person can mend: shown as it is, without a stack trace, before the program ends with `exitCode`. */
export class UserError extends Error {
  constructor(
    message: string,
    readonly exitCode: ExitCode,
  ) {
    super(message)
    this.name = 'UserError'
  }
}
