import { stat } from 'node:fs/promises'
import path from 'node:path'
import type { TargetFailure } from '../core/failure.ts'
import { invisibleCharacter } from './invisible.ts'
import type { KnownCommand } from './known-commands.ts'
import { isTestFile } from './known-tests.ts'
import { nearestNames, type RankedName } from './nearest-names.ts'
import { commandOf, simpleWords } from './shell-words.ts'
import { type NamedTest, type TestRunner, testCommand } from './test-commands.ts'
import type { ToolContext } from './tool.ts'

const MOST_CANDIDATES = 64
/** Of a command. */
const MOST_LENGTH = 1000
/** More are compared by their words first: telling how alike two names are takes its time. */
const MOST_COMPARED = 500
/** A pattern that means what it says; `/x/i` is one that does not. */
const PLAIN = /^(?!\/)[^\\^$*+?()[\]{}|]+$/

/**
 * The first test file or name of a test that a command names and that is not there, with the whole command for each of the
 * nearest in its place. Undefined where all are there, where it can't be told, and as long as no test is known.
 */
export async function missingTest(
  command: string,
  words: readonly string[],
  known: KnownCommand,
  scripts: Readonly<Record<string, string>>,
  context: ToolContext,
): Promise<Omit<TargetFailure, 'callId' | 'tool'> | undefined> {
  const run = context.tests.any ? testCommand(words, known, scripts) : undefined
  for (const named of run?.named ?? []) {
    const nearest =
      named.is === 'file' ? await nearestFiles(named.value, run?.runner, context) : nearestTests(named, context)
    const instead = ({ name, score }: RankedName) => ({
      command: commandOf(words.map((word, index) => (index === named.word ? named.before + name : word))),
      score,
    })
    const ranked = (nearest ?? []).map(instead).filter((each) => canBeGiven(each.command))
    if (ranked.length === 0) continue
    return {
      kind: 'target.not-found',
      target: 'test',
      pointer: '/command',
      value: command,
      candidates: ranked.slice(0, MOST_CANDIDATES).map((each) => each.command),
      exhaustive: ranked.length <= MOST_CANDIDATES,
      lead: (ranked[0]?.score ?? 0) - (ranked[1]?.score ?? 0),
    }
  }
  return undefined
}

/** A command that would be understood again as what it is. */
function canBeGiven(command: string): boolean {
  return (
    command.length <= MOST_LENGTH && invisibleCharacter(command) === undefined && simpleWords(command) !== undefined
  )
}

/** The test files by their likeness to one that is not there; undefined where it is there, or may be a pattern that is met. */
async function nearestFiles(
  written: string,
  runner: TestRunner | undefined,
  { root, index, tests }: ToolContext,
): Promise<readonly RankedName[] | undefined> {
  if (!/^[\w@%+=:,./ -]+$/.test(written)) return undefined
  const filter = path.relative(root, path.resolve(root, written.replace(/(?::\d+){1,2}$/, '')))
  if (filter === '' || filter.startsWith('..')) return undefined
  const there = await stat(path.join(root, filter)).catch(() => undefined)
  if (there !== undefined) return undefined
  const files = await index.files()
  const folded = filter.split(path.sep).join('/').toLowerCase()
  // Vitest takes a part of a path, Jest a pattern for one.
  const takesParts = runner === 'vitest' || runner === 'jest'
  if (takesParts && files.some((file) => file.toLowerCase().includes(folded))) return undefined
  if (runner === 'jest' && files.some((file) => new RegExp(escaped(written, '.'), 'i').test(file))) return undefined
  const testFiles = [...new Set([...files.filter(isTestFile), ...tests.files().filter((file) => files.includes(file))])]
  const ranked = await index.rank(filter, 'file', MOST_CANDIDATES)
  const alike = ranked
    .filter(({ path: file }) => testFiles.includes(file))
    .map(({ path: name, score }) => ({ name, score }))
  const others = nearestNames(filter, testFiles.slice(0, MOST_COMPARED))
  return [
    ...alike,
    ...others.filter(({ name }) => alike.every((one) => one.name !== name)).map(({ name }) => ({ name, score: 0 })),
  ]
}

/** Names of tests, as patterns, by their likeness to one that matches none of them; undefined where one is matched. */
function nearestTests({ is, value }: NamedTest, { tests }: ToolContext): readonly RankedName[] | undefined {
  const known = tests.names()
  if (known.length === 0 || value.trim() === '' || (is === 'name' && !PLAIN.test(value))) return undefined
  const pattern = new RegExp(is === 'name' ? value : escaped(value), 'i')
  const matched = known.some((name) => [name.join(' '), name.join(' > '), ...name].some((text) => pattern.test(text)))
  if (matched) return undefined
  const own = [...new Set(known.map((name) => name.at(-1) ?? ''))].filter((name) => name.trim() !== '')
  const ranked = nearestNames(value, mostAlike(value, own))
  return is === 'text' ? ranked : ranked.map(({ name, score }) => ({ name: escaped(name, '.'), score }))
}

/** Those that share most words, where there are many. */
function mostAlike(value: string, names: readonly string[]): readonly string[] {
  if (names.length <= MOST_COMPARED) return names
  const wanted = new Set(wordsOf(value))
  const shared = names.map((name) => ({ name, count: wordsOf(name).filter((word) => wanted.has(word)).length }))
  return shared
    .sort((a, b) => b.count - a.count)
    .slice(0, MOST_COMPARED)
    .map(({ name }) => name)
}

const wordsOf = (text: string): string[] => text.toLowerCase().split(/[^\p{L}\p{N}]+/u)

/** As a pattern that matches just this text. */
function escaped(text: string, but = ''): string {
  return text.replaceAll(/[\\^$*+?()[\]{}|.]/g, (letter) => (but.includes(letter) ? letter : `\\${letter}`))
}
