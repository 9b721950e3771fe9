/** One word of a shell command. `plain` is false when a shell would still expand it (a pattern, a variable). */
export interface Word {
  readonly raw: string
  readonly value: string
  readonly plain: boolean
}

/** One simple command of a script. */
export interface Step {
  readonly text: string
  readonly words: readonly Word[]
}

/**
 * The simple commands of a package.json script, in order; undefined when it is more than commands joined by `&&`, `;`
 * or `||` (pipes, redirections, subshells, substitutions): such a script can only be run as a whole.
 */
export function splitScript(script: string): readonly Step[] | undefined {
  const steps: Step[] = []
  let words: Word[] = []
  let stepStart = 0
  let index = 0
  const endStep = (at: number): void => {
    if (words.length > 0) steps.push({ text: script.slice(stepStart, at).trim(), words })
    words = []
  }
  while (index < script.length) {
    const rest = script.slice(index)
    const separator = /^(?:&&|\|\||;|\n)/.exec(rest)?.[0]
    const blank = /^[ \t]+/.exec(rest)?.[0]
    if (separator !== undefined) {
      endStep(index)
      index += separator.length
      stepStart = index
    } else if (blank !== undefined) index += blank.length
    else {
      const word = readWord(rest)
      if (word === undefined) return undefined
      words.push(word)
      index += word.raw.length
    }
  }
  endStep(script.length)
  return steps
}

const WORD = /^(?:[^\s"'\\;&|<>(){}`]|\\[\s\S]|'[^']*'|"(?:[^"\\`]|\\[\s\S])*"|\{[^\s;&|<>()`]*\})+/

function readWord(text: string): Word | undefined {
  const raw = WORD.exec(text)?.[0]
  if (raw === undefined) return undefined
  const next = text.slice(raw.length)
  if (next !== '' && !/^(?:[ \t\n;]|&&|\|\|)/.test(next)) return undefined
  let plain = !raw.startsWith('~')
  const value = raw.replace(
    /'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|([^'"\\]+)/g,
    (_, single, double, escaped, bare) => {
      if (single !== undefined) return single
      if (escaped !== undefined) return escaped
      if (double !== undefined) {
        if (double.includes('$')) plain = false
        return double.replace(/\\(["\\$`])/g, '$1')
      }
      if (/[*?[{$]/.test(bare)) plain = false
      return bare
    },
  )
  return { raw, value, plain }
}
