/** After these a slash begins a regular expression; after anything else it divides. */
const BEFORE_REGEX =
  /(?:^|[(,=:[!&|?{};+*%~^-]|=>|\b(?:return|typeof|case|in|of|delete|void|throw|new|else|do|await|yield|instanceof))$/
const REGEX = /\/(?![*/>])(?:[^\\/[\n\r]|\\[^\n\r]|\[(?:[^\]\\\n\r]|\\[^\n\r])*\])+\/[a-z]*/y

/**
 * The source (JavaScript or TypeScript, JSX included) with the contents of comments, strings, templates and regular
 * expressions blanked: of the same length, its lines where they were. Code within a template stays. Never throws.
 */
export function maskSource(source: string): string {
  const masker = new Masker(source)
  return masker.run()
}

class Masker {
  #at = 0
  #out: string[] = []
  /** For every template that is open: how many braces are open within its present `${`. */
  #templates: number[] = []
  /** The last characters of code, without blanks. */
  #before = ''

  constructor(private readonly source: string) {}

  run(): string {
    while (this.#at < this.source.length) this.#step()
    return this.#out.join('')
  }

  #step(): void {
    const { source } = this
    const letter = source.charAt(this.#at)
    const two = source.slice(this.#at, this.#at + 2)
    if (two === '//' || (two === '#!' && this.#at === 0)) this.#blankTo(this.#endOfLine())
    else if (two === '/*') this.#blankTo(this.#after('*/', this.#at + 2))
    else if (letter === '"' || letter === "'") this.#quoted(this.#endOfString(letter))
    else if (letter === '`') this.#template(this.#at + 1)
    else if (letter === '/' && this.#isRegex()) this.#quoted(REGEX.lastIndex)
    else if (letter === '{' || letter === '}') this.#brace(letter)
    else this.#code(letter)
  }

  #isRegex(): boolean {
    REGEX.lastIndex = this.#at
    return BEFORE_REGEX.test(this.#before.trimEnd()) && REGEX.test(this.source)
  }

  /** The brace that closes the code within a template leads back to its text. */
  #brace(letter: '{' | '}'): void {
    this.#code(letter)
    const open = this.#templates.pop()
    if (open === undefined) return
    if (letter === '}' && open === 0) this.#template(this.#at)
    else this.#templates.push(letter === '{' ? open + 1 : open - 1)
  }

  #code(letter: string): void {
    this.#out.push(letter)
    this.#at += letter.length
    // One blank stays, which tells a word from the one before it.
    const blank = letter.trim() === ''
    if (!blank || !this.#before.endsWith(' ')) this.#before = (this.#before + (blank ? ' ' : letter)).slice(-14)
  }

  #blankTo(end: number): void {
    this.#out.push(this.source.slice(this.#at, end).replaceAll(/[^\n\r]/g, ' '))
    this.#at = end
  }

  /** Blanks what lies between the first and the last character, which a line break can be where nothing closes. */
  #quoted(end: number): void {
    this.#out.push('"')
    this.#at += 1
    const closes = end > this.#at && !/[\n\r]/.test(this.source.charAt(end - 1))
    this.#blankTo(closes ? end - 1 : end)
    if (closes) this.#out.push('"')
    this.#at = end
    this.#before = '"'
  }

  /** From within a template to its end, or to the code that it holds next. */
  #template(from: number): void {
    const { source } = this
    let end = from
    while (end < source.length && source.charAt(end) !== '`' && source.slice(end, end + 2) !== '${')
      end += source.charAt(end) === '\\' ? 2 : 1
    end = Math.min(end, source.length)
    this.#blankTo(end)
    if (end >= source.length) return
    if (source.charAt(end) === '`') {
      this.#code('"')
      return
    }
    this.#blankTo(end + 1)
    this.#code('{')
    this.#templates.push(0)
  }

  #endOfLine(): number {
    const end = this.source.slice(this.#at).search(/[\n\r]/)
    return end < 0 ? this.source.length : this.#at + end
  }

  #after(text: string, from: number): number {
    const end = this.source.indexOf(text, from)
    return end < 0 ? this.source.length : end + text.length
  }

  /** A string that does not close ends with its line: then it was text of JSX. */
  #endOfString(quote: string): number {
    for (let at = this.#at + 1; at < this.source.length; at += 1) {
      const letter = this.source.charAt(at)
      if (letter === quote) return at + 1
      if (letter === '\n' || letter === '\r') return at
      if (letter === '\\') at += 1
    }
    return this.source.length
  }
}
