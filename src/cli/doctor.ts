import { examine, type Finding } from '../compose/doctor.ts'
import { EXIT, type ExitCode } from '../core/outcome.ts'
import { cleanText } from '../core/story/text.ts'
import { safeWriter } from '../print/writer.ts'
import { type FixOptions, flagsOf } from './fix.ts'

export type DoctorOptions = Pick<FixOptions, 'cwd' | 'model' | 'baseUrl' | 'json'>

const MARKS: Readonly<Record<Finding['status'], string>> = { ok: '✓', warning: '!', fault: '✗' }

/** `goatfied doctor`: what a run here would find, one call of the model, and what its server enforces. Ends as a run would. */
export async function doctor(options: DoctorOptions): Promise<ExitCode> {
  const out = safeWriter(process.stdout)
  const findings: Finding[] = []
  for await (const finding of examine({
    cwd: options.cwd ?? process.cwd(),
    env: process.env,
    flags: flagsOf(options),
  })) {
    findings.push(finding)
    if (!options.json) out.write(`${MARKS[finding.status]} ${finding.about}: ${cleanText(finding.text)}\n`)
  }
  if (options.json) out.write(`${JSON.stringify(findings, undefined, 2)}\n`)
  await out.flush()
  return findings.find((finding) => finding.status === 'fault')?.exitCode ?? EXIT.validated
}
