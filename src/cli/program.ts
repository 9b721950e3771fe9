import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { EXIT, type ExitCode } from '../core/outcome.ts'
import { UserError } from '../core/user-error.ts'
import type { DemoOptions } from './demo.ts'
import type { DoctorOptions } from './doctor.ts'
import type { FixOptions } from './fix.ts'
import type { LogOptions } from './runs.ts'
import type { UndoOptions } from './undo.ts'
import { version } from './version.ts'

/** Runs the command line and ends the process with the exit code of the design. */
export async function main(argv: readonly string[]): Promise<void> {
  let exitCode: ExitCode = EXIT.validated
  const program = build((code) => {
    exitCode = code
  })
  try {
    await program.parseAsync(argv)
  } catch (error) {
    exitCode = report(error)
  }
  process.exitCode = exitCode
}

function report(error: unknown): ExitCode {
  // Commander has printed its message already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.validated : EXIT.usage
  const message = error instanceof Error ? error.message : String(error)
  const text = error instanceof UserError ? message : `${message} (a defect of goatfied's own; please report it)`
  process.stderr.write(`goatfied: ${text}\n`)
  return error instanceof UserError ? error.exitCode : EXIT.gaveUp
}

function build(done: (code: ExitCode) => void): Command {
  const program = new Command('goatfied')
    .description(
      "Changes code until the change is proven by the repository's own checks, or gives the tree back as it was.",
    )
    .version(version, '-V, --version')
    .exitOverride()
    .showSuggestionAfterError()
    .configureHelp({ showGlobalOptions: true })
    .addHelpText('after', AFTER)

  withRunOptions(
    program
      .command('fix')
      .description('solve a task in this repository')
      .argument('<task>', 'what to do, in words', nonEmpty),
  ).action(async (task: string, options: FixOptions) => {
    const { fix } = await import('./fix.ts')
    done(await fix(task, options))
  })
  withOutputOptions(
    program
      .command('demo')
      .description('watch a run on a bundled repository with a scripted model: no key, no network'),
  )
    .option('--scenario <file>', 'script the model by this file (see fixtures/scenarios/README.md)')
    .option('-C, --cwd <folder>', 'work in this folder instead of the bundled repository')
    .action(async (options: DemoOptions) => {
      const { demo } = await import('./demo.ts')
      done(await demo(options))
    })
  program
    .command('doctor')
    .description('say what a run here would find, and call the model once')
    .option('-C, --cwd <folder>', 'work in this folder')
    .option('-m, --model <provider/model>', 'the model')
    .option('--base-url <url>', "address of the provider's API")
    .option('--json', 'one JSON document')
    .action(async (options: DoctorOptions) => {
      const { doctor } = await import('./doctor.ts')
      done(await doctor(options))
    })
  program
    .command('runs')
    .description('list the runs in this repository')
    .option('-C, --cwd <folder>', 'work in this folder')
    .option('--log-dir <folder>', 'folder of the run logs')
    .option('--json', 'one JSON document')
    .action(async (options: LogOptions) => {
      const { runs } = await import('./runs.ts')
      done(await runs(options))
    })
  program
    .command('show')
    .description('tell the story of a run')
    .argument('<run>', 'its id, the beginning of it, "last", or the path of a log')
    .option('-C, --cwd <folder>', 'work in this folder')
    .option('--log-dir <folder>', 'folder of the run logs')
    .option('--json', 'the events, one a line')
    .action(async (run: string, options: LogOptions) => {
      const { show } = await import('./show.ts')
      done(await show(run, options))
    })
  program
    .command('stats')
    .description('say what the runs in this repository tell together: failures, guards, tokens')
    .option('-C, --cwd <folder>', 'work in this folder')
    .option('--log-dir <folder>', 'folder of the run logs')
    .option('--json', 'one JSON document')
    .action(async (options: LogOptions) => {
      const { stats } = await import('./stats.ts')
      done(await stats(options))
    })
  program
    .command('undo')
    .description('give back what a run changed, by default the last one that changed something')
    .argument('[run]', 'its id, the beginning of it, or the name of an undo')
    .option('--attempt <n>', 'only what it changed from this attempt on', wholeNumber)
    .option('--preview', 'show what would be given back, and change nothing')
    .option('-C, --cwd <folder>', 'work in this folder')
    .option('--json', 'one JSON document')
    .action(async (run: string | undefined, options: UndoOptions) => {
      const { undo } = await import('./undo.ts')
      done(await undo(run, options))
    })
  return program
}

const AFTER = `
Examples:
  goatfied demo
  goatfied fix "parseArgs gives a string for a boolean argument"
  goatfied fix --json --timeout 10m "..." > events.jsonl

Exit codes:
  0 validated   1 gave up, tree restored   2 usage   3 nothing changed   41 credentials   51 provider failed
  52 configuration   53 turn limit   54 a check could not run   55 money or time budget   130 interrupted   143 terminated`

function withRunOptions(command: Command): Command {
  return withOutputOptions(command)
    .option('-C, --cwd <folder>', 'work in this folder')
    .option('-m, --model <provider/model>', 'the model (default: anthropic/claude-opus-5-5)')
    .option('-y, --yes', 'allow every command (the same as --approval-mode yolo)')
    .addOption(
      new Option('--approval-mode <mode>', "what happens to commands that are not the project's own").choices([
        'default',
        'yolo',
      ]),
    )
    .option('--max-attempts <n>', 'attempts at one plan step before a new plan (default: 3)')
    .option('--max-turns <n>', 'requests to the model (default: 60)')
    .option('--max-budget-usd <amount>', 'what the run may cost, in US dollars')
    .option('--timeout <duration>', 'for the whole run: 90s, 10m')
    .option('--base-url <url>', "address of the provider's API")
    .option('--log-dir <folder>', 'folder of the run logs')
    .option('--record <file>', 'write every request and answer to this new file')
    .option('--replay <file>', 'take the answers from such a file: no key, no network')
    .option('--require-proof', 'a fix counts only when a test that failed before passes')
}

function withOutputOptions(command: Command): Command {
  return command
    .option('-p, --print', 'plain lines, no interactive screen')
    .addOption(
      new Option('--output-format <format>', 'of the result on stdout').choices(['text', 'json', 'stream-json']),
    )
    .option('--json', 'the same as --output-format stream-json')
}

function nonEmpty(task: string): string {
  if (task.trim() === '') throw new InvalidArgumentError('Say in words what to do.')
  return task
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Give a whole number from 1 on.')
  return Number(text)
}
