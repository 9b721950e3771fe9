import { openDemo } from '../compose/demo-repository.ts'
import type { ExitCode } from '../core/outcome.ts'
import { type FixOptions, fix } from './fix.ts'

export type DemoOptions = Pick<FixOptions, 'outputFormat' | 'json' | 'print'>

/** `goatfied demo`: `goatfied fix` as it is, on the bundled repository and against the scripted model. */
export async function demo(output: DemoOptions): Promise<ExitCode> {
  const opened = await openDemo()
  try {
    const options = { ...output, cwd: opened.root, baseUrl: opened.url }
    return await fix(opened.task, options, { ...process.env, ANTHROPIC_API_KEY: 'demo-key' })
  } finally {
    await opened.close()
  }
}
