const FILE =
  /(?:^|[./_-])(?:test|spec|tests|specs|e2e)\.[cm]?[jt]sx?$|(?:^|\/)(?:tests?|specs?|__tests__|e2e)\/(?:.*\/)?[^/]+\.[cm]?[jt]sx?$/i

/** Whether a path is one that test runners take for a test by its name. */
export const isTestFile = (path: string): boolean => FILE.test(path)

/** What is known of the repository's tests. */
export interface KnownTests {
  /** `file > suite > name`, as the baseline found them; they take the place of those known before. */
  learn(ids: readonly string[]): void
  /** Paths that the run changed: names of tests that stand in them may be new. */
  changed(paths: readonly string[]): void
  /** Each test as its suites and its name; none where they are not known, or may be others by now. */
  names(): readonly (readonly string[])[]
  /** Files that hold tests. */
  files(): readonly string[]
  /** False until any test is known. */
  readonly any: boolean
}

export function createKnownTests(): KnownTests {
  let names: readonly (readonly string[])[] = []
  let files: ReadonlySet<string> = new Set()
  let outdated = false
  return {
    learn(ids) {
      const split = ids.map(splitId)
      names = split.flatMap(({ name }) => (name.length > 0 ? [name] : []))
      files = new Set(split.flatMap(({ file }) => (file === undefined ? [] : [file])))
    },
    changed(paths) {
      outdated ||= paths.some((path) => files.has(path) || isTestFile(path))
    },
    names: () => (outdated ? [] : names),
    files: () => [...files],
    get any() {
      return names.length > 0
    },
  }
}

function splitId(id: string): { readonly file?: string; readonly name: readonly string[] } {
  const [first = '', ...rest] = id.split(' > ')
  const isFile = rest.length > 0 && /^\S+\.[cm]?[jt]sx?$/.test(first)
  return isFile ? { file: first, name: rest } : { name: [first, ...rest] }
}
