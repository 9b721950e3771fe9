import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The package's own folder, which has `prompts/` and `fixtures/`: above the bundle as above the source. */
export const PACKAGE_DIR = above(path.dirname(fileURLToPath(import.meta.url)))

function above(folder: string): string {
  const parent = path.dirname(folder)
  return parent === folder || existsSync(path.join(folder, 'prompts')) ? folder : above(parent)
}
