/** How the text of a file is parsed. */
export type Language =
  | 'javascript'
  | 'typescript'
  | 'tsx'
  | 'json'
  | 'json-with-comments'
  | 'css'
  | 'scss'
  | 'html'
  | 'yaml'
  | 'python'
  | 'go'
  | 'rust'

const BY_EXTENSION: Readonly<Record<string, Language>> = {
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascript',
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  tsx: 'tsx',
  json: 'json',
  jsonc: 'json-with-comments',
  json5: 'json-with-comments',
  'code-workspace': 'json-with-comments',
  css: 'css',
  scss: 'scss',
  less: 'scss',
  html: 'html',
  htm: 'html',
  yaml: 'yaml',
  yml: 'yaml',
  py: 'python',
  pyi: 'python',
  go: 'go',
  rs: 'rust',
}

/** Files that end in .json and whose own tools read comments. */
const WITH_COMMENTS = [
  /(^|[.-])[jt]sconfig([.-][^/]*)?\.json$/,
  /^(api-extractor|angular|biome|deno|devcontainer|nx|renovate|rush|tsdoc|tslint|turbo|typedoc|wrangler)\.json$/,
  /^(extensions|keybindings|launch|settings|tasks)\.json$/,
  /^\.[^/]*rc\.json$/,
]
const COMMENT_FOLDERS = /(^|\/)\.(vscode|devcontainer|zed)\//

/**
 * The language of the file at `path` (`/` between folders), by its name alone; undefined when it is none that can be parsed here.
 * A name without an extension says nothing: such configuration may be JSON, YAML or a program.
 */
export function languageOf(path: string): Language | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  const dot = name.lastIndexOf('.')
  const language = dot <= 0 ? undefined : BY_EXTENSION[name.slice(dot + 1)]
  if (language !== 'json') return language
  return COMMENT_FOLDERS.test(path) || WITH_COMMENTS.some((pattern) => pattern.test(name))
    ? 'json-with-comments'
    : language
}
