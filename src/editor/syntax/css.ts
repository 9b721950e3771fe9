import { behind, behindQuote, type Fault, lineEnd, type Skip, scanBrackets } from './scan.ts'

/**
 * Style sheets are forgiving by design: only what is not closed is certainly broken. `dialect` scss has line comments and
 * interpolation (Less too).
 */
export function cssFault(text: string, dialect: 'css' | 'scss'): Fault | undefined {
  return scanBrackets(text, dialect === 'css' ? skipCss : skipScss)
}

const URL_START = /url\(\s*(?!["'\s])/iy

const skipCss: Skip = (text, index) => skipCommon(text, index, (at) => behindQuote(text, at, false))

const skipScss: Skip = (text, index) => {
  if (text.startsWith('//', index)) return lineEnd(text, index)
  if (text[index] === '`') return behind(text, '`', index + 1, index, 'expression')
  return skipCommon(text, index, (at) => behindInterpolated(text, at))
}

function skipCommon(text: string, index: number, behindString: (index: number) => number | Fault): number | Fault {
  const character = text.charAt(index)
  if (character === '\\') return index + 2
  if (character === '"' || character === "'") return behindString(index)
  if (text.startsWith('/*', index)) return behind(text, '*/', index + 2, index, 'comment')
  URL_START.lastIndex = index
  const url = URL_START.exec(text)
  // An address without quotes may hold what would be a string or a comment elsewhere.
  return url === null || /[#@$]\{|\$/.test(text.slice(index, lineEnd(text, index)))
    ? index
    : behind(text, ')', index + url[0].length, index, 'url')
}

/** A string in which `#{...}` holds an expression, with strings of its own. */
function behindInterpolated(text: string, start: number): number | Fault {
  const quote = text.charAt(start)
  for (let index = start + 1; index < text.length; index++) {
    const character = text.charAt(index)
    if (character === quote) return index + 1
    if (character === '\n') break
    if (character === '\\') index += text.startsWith('\r\n', index + 1) ? 2 : 1
    else if (text.startsWith('#{', index)) {
      const end = behindExpression(text, index)
      if (typeof end !== 'number') return end
      index = end - 1
    }
  }
  return { offset: start, message: 'the string that begins here is never closed' }
}

function behindExpression(text: string, start: number): number | Fault {
  let depth = 0
  for (let index = start + 1; index < text.length; index++) {
    const character = text.charAt(index)
    if (character === '{') depth++
    else if (character === '}' && --depth === 0) return index + 1
    else if (character === '"' || character === "'") {
      const end = behindInterpolated(text, index)
      if (typeof end !== 'number') return end
      index = end - 1
    }
  }
  return { offset: start + 1, message: '"{" is never closed' }
}
