const KINDS_OF_FILES = [
  'ts tsx mts cts js jsx mjs cjs vue svelte',
  'c h cc hh cpp hpp cxx hxx m mm',
  'java kt kts scala groovy gradle',
  'py pyi pyx',
  'css scss sass less',
  'html htm xhtml',
  'json jsonc json5 yaml yml toml',
  'md mdx rst adoc txt markdown',
  'sh bash zsh',
]
const kinds = new Map(KINDS_OF_FILES.flatMap((kind) => kind.split(' ').map((extension) => [extension, kind] as const)))

/** What files with this extension are, as a word to compare; undefined for an extension that is not well known. */
export function kindOf(extension: string): string | undefined {
  return kinds.get(extension)
}

export function isExtension(word: string): boolean {
  return kinds.has(word)
}
