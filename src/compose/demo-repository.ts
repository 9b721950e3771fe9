import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { simpleGit } from 'simple-git'
import { EXIT } from '../core/outcome.ts'
import { UserError } from '../core/user-error.ts'
import { readScenario } from '../simulator/scenario.ts'
import { startSimulator } from '../simulator/simulator.ts'
import { PACKAGE_DIR } from './package-dir.ts'

/** What the demo's repository is checked with: optional dependencies of this package, so that no network is needed. */
const TOOLS = ['typescript', 'eslint', 'typescript-eslint', 'vitest'] as const

export interface Demo {
  readonly task: string
  readonly root: string
  /** Where the scripted model answers. */
  readonly url: string
  /** Stops the scripted model. The copy stays, since the run log lies in its git directory. */
  close(): Promise<void>
}

export interface DemoRequest {
  /** A scenario file; the bundled one without it. */
  readonly scenario?: string
  /** A repository to work in as it is; a copy of the bundled one without it. */
  readonly root?: string
}

/** Starts a scripted model, with a copy of the bundled repository in a temporary folder where no other is named. */
export async function openDemo({ scenario: file, root: named }: DemoRequest = {}): Promise<Demo> {
  const scenario = await readScenario(file ?? path.join(PACKAGE_DIR, 'fixtures/scenarios/demo.json')).catch(asUserError)
  const root = named ?? (await copyRepository())
  const simulator = await startSimulator(scenario)
  return { task: scenario.task, root, url: simulator.url, close: () => simulator.close() }
}

function asUserError(error: unknown): never {
  throw new UserError(error instanceof Error ? error.message : String(error), EXIT.usage)
}

async function copyRepository(): Promise<string> {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'goatfied-demo-')))
  try {
    cpSync(path.join(PACKAGE_DIR, 'fixtures/repos/demo'), root, { recursive: true })
    // npm leaves a file named .gitignore out of packages.
    renameSync(path.join(root, '_gitignore'), path.join(root, '.gitignore'))
    linkTools(root)
    await commit(root)
    return root
  } catch (error) {
    rmSync(root, { recursive: true, force: true })
    throw error
  }
}

/** The copy's node_modules: links to the packages that were installed along with this one. */
function linkTools(root: string): void {
  const require = createRequire(path.join(PACKAGE_DIR, 'package.json'))
  const modules = path.join(root, 'node_modules')
  mkdirSync(modules)
  for (const tool of TOOLS) {
    const folder = (require.resolve.paths(tool) ?? [])
      .map((base) => path.join(base, tool))
      .find((one) => existsSync(one))
    if (folder === undefined) {
      throw new UserError(
        `The demo needs ${TOOLS.join(', ')}, and ${tool} is not installed. They are optional dependencies of goatfied: install it again without --omit=optional.`,
        EXIT.unavailable,
      )
    }
    symlinkSync(realpathSync(folder), path.join(modules, tool), 'junction')
  }
}

async function commit(root: string): Promise<void> {
  const config = ['user.name=goatfied demo', 'user.email=demo@goatfied.invalid', 'commit.gpgsign=false']
  const git = simpleGit(root, { config })
  try {
    await git.init(['--initial-branch=main'])
    await git.add('.')
    await git.commit('The shop as it is', { '--no-verify': null })
  } catch (error) {
    throw new UserError(
      `git failed in ${root}: ${error instanceof Error ? error.message.trim() : error}`,
      EXIT.configuration,
    )
  }
}
