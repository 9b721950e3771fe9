import { realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import type { PathIndex } from '../core/ports.ts'
import { compilePattern, searchFiles } from './search-files.ts'
import { searchText } from './search-text.ts'
import { answer, defineTool } from './tool.ts'

const LOCK_FILES =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|deno\.lock|Cargo\.lock|poetry\.lock|Gemfile\.lock|composer\.lock|go\.sum)$/
const NO_SOURCE =
  /\.min\.[a-z]+$|\.map$|\.(?:png|jpe?g|gif|webp|avif|ico|pdf|zip|gz|tgz|woff2?|ttf|otf|eot|mp[34]|wasm|node|so|dylib|dll|exe)$/i

export const searchCodeTool = defineTool<{ pattern: string; path?: string }>({
  acceptsGlobs: true,
  spec: {
    name: 'searchCode',
    effect: 'read',
    inputSchema: {
      type: 'object',
      properties: { pattern: { type: 'string', minLength: 1 }, path: { type: 'string', minLength: 1 } },
      required: ['pattern'],
      additionalProperties: false,
    },
    argumentKinds: { '/path': 'existing-path' },
  },

  async execute(args, { root, index }, _call, signal) {
    const scope = await filesIn(root, index, args.path ?? '.')
    if (scope.files.length === 0) return answer(`${args.path ?? 'The repository'} holds no files that are searched.`)
    const pattern = compilePattern(args.pattern)
    const found = await searchFiles(root, scope.files, pattern, signal)
    signal.throwIfAborted()
    if (scope.single && found.passedOver > 0) {
      return answer(`${args.path} can't be searched: it is binary, minified or larger than 1 MB.`)
    }
    return answer(searchText(args.pattern, args.path, pattern, found))
  },
})

interface Scope {
  readonly files: readonly string[]
  /** The path named this one file. */
  readonly single: boolean
}

/** A path that exists is taken literally, whatever characters are in it; only then it may be a glob. */
async function filesIn(root: string, index: PathIndex, wanted: string): Promise<Scope> {
  // Links are not followed while searching, since what they lead to may be outside; the path itself is confined already.
  const real = await realpath(path.join(root, wanted)).catch(() => undefined)
  const status = real === undefined ? undefined : await stat(real)
  const there = real === undefined ? wanted : path.relative(root, real).split(path.sep).join('/')
  if (status?.isFile() === true) return { files: [there], single: true }
  const files = (await index.files()).filter((file) => !LOCK_FILES.test(file) && !NO_SOURCE.test(file))
  if (there === '') return { files, single: false }
  if (status !== undefined) return { files: files.filter((file) => file.startsWith(`${there}/`)), single: false }
  const { default: picomatch } = await import('picomatch')
  const matches = picomatch(wanted.includes('/') ? wanted : `**/${wanted}`, { dot: true })
  return { files: files.filter((file) => matches(file)), single: false }
}
