/**
 * HTTP headers as the client libraries use them: names in any letter case, the values of a repeated name joined by a comma.
 * It stands for the global of the same name, whose first use loads all of Node's own HTTP client. What may be in a name or
 * a value is left to the sending.
 */
export class Headers {
  readonly #values = new Map<string, string>()

  constructor(init: Iterable<readonly string[]> | Readonly<Record<string, unknown>> = {}) {
    for (const [name, value] of isIterable(init) ? init : Object.entries(init)) {
      if (name !== undefined && value !== undefined) this.append(name, String(value))
    }
  }

  append(name: string, value: string): void {
    const present = this.get(name)
    this.set(name, present === null ? value : `${present}, ${value}`)
  }

  set(name: string, value: string): void {
    this.#values.set(name.toLowerCase(), String(value))
  }

  get(name: string): string | null {
    return this.#values.get(name.toLowerCase()) ?? null
  }

  has(name: string): boolean {
    return this.#values.has(name.toLowerCase())
  }

  delete(name: string): void {
    this.#values.delete(name.toLowerCase())
  }

  entries(): IterableIterator<[name: string, value: string]> {
    return this.#values.entries()
  }

  [Symbol.iterator](): IterableIterator<[name: string, value: string]> {
    return this.entries()
  }
}

function isIterable(init: object): init is Iterable<readonly string[]> {
  return Symbol.iterator in init
}
