import type { Fault } from './scan.ts'

/** Elements whose content is text up to their end tag. */
const TEXT_ELEMENTS = new Set(['script', 'style', 'textarea', 'title'])
const TAG = /<(\/?)([a-zA-Z][^\s/>]*)/y
const ATTRIBUTES = /(?:[^"'>=]|=\s*"[^"]*"|=\s*'[^']*'|=|["'])*/y

/** Browsers repair nearly everything: only a comment, a tag or an element of text that runs into the end of the file is broken. */
export function htmlFault(text: string): Fault | undefined {
  for (let index = text.indexOf('<'); index !== -1; index = text.indexOf('<', index)) {
    const next = text.startsWith('<!--', index) ? behindComment(text, index) : behindTag(text, index)
    if (typeof next !== 'number') return next
    index = next
  }
  return undefined
}

function behindComment(text: string, start: number): number | Fault {
  const end = text.indexOf('-->', start + 2)
  return end === -1 ? { offset: start, message: 'the comment that begins here is never closed' } : end + 3
}

function behindTag(text: string, start: number): number | Fault {
  TAG.lastIndex = start
  const tag = TAG.exec(text)
  if (tag === null) return start + 1
  const [whole, slash, name = ''] = tag
  ATTRIBUTES.lastIndex = start + whole.length
  const end = ATTRIBUTES.lastIndex + (ATTRIBUTES.exec(text)?.[0].length ?? 0)
  if (end >= text.length) return { offset: start, message: `the tag <${slash}${name} is never closed` }
  const isText = slash === '' && TEXT_ELEMENTS.has(name.toLowerCase()) && text[end - 1] !== '/'
  return isText ? behindText(text, start, end + 1, name) : end + 1
}

function behindText(text: string, start: number, from: number, name: string): number | Fault {
  const closing = new RegExp(`</${name}[\\s/>]`, 'gi')
  closing.lastIndex = from
  const end = closing.exec(text)
  return end === null ? { offset: start, message: `<${name}> is never closed` } : end.index
}
