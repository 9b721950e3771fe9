import type { Check, CheckRun } from './checks/check.ts'

/** The check with results whose texts went through `redact`: also those that come from a report and not from what was printed. */
export function redacting(check: Check, redact: (text: string) => string): Check {
  const again = check.again?.bind(check)
  return {
    ...check,
    run: async (context) => redacted(await check.run(context), redact),
    ...(again === undefined ? {} : { again: async (files, context) => redacted(await again(files, context), redact) }),
  }
}

function redacted({ result, ...run }: CheckRun, redact: (text: string) => string): CheckRun {
  const { reason } = result
  return {
    ...run,
    result: {
      ...result,
      diagnostics: result.diagnostics.map((one) => ({ ...one, message: redact(one.message) })),
      // A whole run's test is told by the command's name.
      tests: result.tests.map(({ message, ...test }) => ({
        ...test,
        id: test.id === result.check.command ? test.id : redact(test.id),
        ...(message === undefined ? {} : { message: redact(message) }),
      })),
      output: redact(result.output),
      ...(reason === undefined ? {} : { reason: redact(reason) }),
    },
  }
}
