import { stripTerminalSequences } from '../lib/text.ts'

const LONGEST = 300

/** A provider's words as they can be shown: one line, capped, without markup, terminal sequences and `secret`. */
export function oneLine(words: string, secret: string): string {
  if (isHtml(words)) return 'an HTML page'
  const plain = stripTerminalSequences(words)
  const shown = secret === '' ? plain : plain.replaceAll(secret, '[API key]')
  // An address may have a key in its query.
  const addressed = shown.replace(/(\/[^\s?"'<>]*)\?[^\s"'<>)]+/g, '$1?...')
  const line = addressed.replace(/\s+/g, ' ').trim()
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST)}...`
}

export function isHtml(text: string): boolean {
  return /^\s*<(?:!doctype|html|head|body|\?xml)/i.test(text)
}
