import { stripTerminalSequences } from '../lib/text.ts'

const LONGEST = 300

/** A provider's words as they can be shown: one line, capped, without markup, terminal sequences and `secret`. */
export function oneLine(words: string, secret: string): string {
  if (isHtml(words)) return 'an HTML page'
  const shown = secret === '' ? words : words.replaceAll(secret, '[API key]')
  const line = stripTerminalSequences(shown).replace(/\s+/g, ' ').trim()
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST)}...`
}

export function isHtml(text: string): boolean {
  return /^\s*<(?:!doctype|html|head|body|\?xml)/i.test(text)
}
