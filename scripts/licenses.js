// Licences of the packages that a bundle contains.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** SPDX identifiers whose terms a program under MIT can meet by giving their text. */
const COMPATIBLE = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Python-2.0',
  'Unlicense',
])

/**
 * Whether an SPDX expression allows a use under compatible terms: one side of an OR, both of an AND.
 * @param {unknown} expression
 * @returns {boolean}
 */
export function isCompatible(expression) {
  if (typeof expression !== 'string') return false
  const bare = expression.trim().replace(/^\(([^()]*)\)$/, '$1')
  return bare
    .split(/\s+OR\s+/)
    .some((choice) => choice.split(/\s+AND\s+/).every((id) => COMPATIBLE.has(id.trim().replace(/^\(|\)$/g, ''))))
}

/**
 * The folders of the packages that the files belong to, sorted.
 * @param {readonly string[]} files paths as esbuild's metafile names them, relative to `root`
 * @param {string} root
 * @returns {string[]} absolute
 */
export function packageFolders(files, root) {
  const folders = new Set()
  for (const file of files) {
    const match = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file.replaceAll('\\', '/'))
    if (match?.[1] !== undefined) folders.add(path.resolve(root, match[1]))
  }
  return [...folders].sort()
}

/**
 * The text of THIRD-PARTY-LICENSES.txt for packages in `folders`.
 * @param {readonly string[]} folders
 * @returns {string}
 * @throws when a package has no licence that is compatible with MIT; the message names every such package
 */
export function licenseText(folders) {
  const refused = []
  const parts = []
  for (const folder of folders) {
    const { name, version, license, author, homepage } = JSON.parse(
      readFileSync(path.join(folder, 'package.json'), 'utf8'),
    )
    if (!isCompatible(license)) {
      refused.push(`${name} ${version}: ${JSON.stringify(license) ?? 'no licence'}`)
      continue
    }
    const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)([.-]|$)/i.test(file))
    const by = typeof author === 'object' ? author?.name : author
    const texts = files.sort().map((file) => readFileSync(path.join(folder, file), 'utf8').trim())
    const about = [by && `By ${by}.`, homepage].filter(Boolean).join(' ')
    parts.push([`${name} ${version} (${license})`, about, ...texts].filter((text) => text !== '').join('\n\n'))
  }
  if (refused.length > 0) {
    throw new Error(`Bundled packages whose licence is not known to be compatible with MIT:\n  ${refused.join('\n  ')}`)
  }
  const rule = `\n\n${'-'.repeat(80)}\n\n`
  return `This program contains the following packages.${rule}${parts.join(rule)}\n`
}
