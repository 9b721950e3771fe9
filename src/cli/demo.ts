import path from 'node:path'
import { openDemo } from '../compose/demo-repository.ts'
import { EXIT, type ExitCode } from '../core/outcome.ts'
import { type FixOptions, fix } from './fix.ts'

export interface DemoOptions extends Pick<FixOptions, 'outputFormat' | 'json' | 'print'> {
  readonly scenario?: string
  readonly cwd?: string
}

/** `goatfied demo`: `goatfied fix` as it is, against a scripted model; on the bundled repository, or on the one that is named. */
export async function demo({ scenario, cwd, ...output }: DemoOptions): Promise<ExitCode> {
  const opened = await openDemo({ scenario: scenario && path.resolve(scenario), root: cwd && path.resolve(cwd) })
  try {
    const options = { ...output, cwd: opened.root, baseUrl: opened.url }
    const exitCode = await fix(opened.task, options, { ...process.env, ANTHROPIC_API_KEY: 'demo-key' })
    if (exitCode === EXIT.validated)
      process.stderr.write(`\nLook around: cd ${opened.root}, then git diff, goatfied show last\n`)
    return exitCode
  } finally {
    await opened.close()
  }
}
