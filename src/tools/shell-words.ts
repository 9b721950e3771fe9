const PLAIN = /[\w@%+=:,./-]/

/**
 * The words of a command that a shell would run as one simple command without any doing of its own: no operators,
 * redirections, substitutions, variables, globs, escapes or comments. Undefined for every other command.
 */
export function simpleWords(command: string): readonly string[] | undefined {
  const words: string[] = []
  let word: string | undefined
  for (let at = 0; at < command.length; at += 1) {
    const letter = command.charAt(at)
    if (letter === ' ' || letter === '\t') {
      if (word !== undefined) words.push(word)
      word = undefined
    } else if (letter === "'" || letter === '"') {
      const end = command.indexOf(letter, at + 1)
      if (end < 0) return undefined
      const quoted = command.slice(at + 1, end)
      if (letter === '"' && /[$`\\!]/.test(quoted)) return undefined
      word = (word ?? '') + quoted
      at = end
    } else if (PLAIN.test(letter)) {
      word = (word ?? '') + letter
    } else {
      return undefined
    }
  }
  if (word !== undefined) words.push(word)
  return words
}

/** The command that these are the words of, in quotes where a shell would take a word for more than that. */
export function commandOf(words: readonly string[]): string {
  return words.map(quoted).join(' ')
}

function quoted(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word
  if (word.includes("'") && !/["$`\\!]/.test(word)) return `"${word}"`
  return `'${word.replaceAll("'", `'\\''`)}'`
}
