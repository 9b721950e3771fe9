import { declaredNames } from './declared-names.ts'
import { type Layout, layoutOf, lineAt, type Stretch, statementAt } from './source-layout.ts'

/** Where a module takes an export from: its name there, `*` for all of that module. */
export interface Origin {
  readonly specifier: string
  readonly name: string
}

export interface ExportedSymbol {
  /** Declarations and the statements that export them, in the order of the source; 0-based lines. */
  readonly stretches: readonly Stretch[]
  /** Set for what another module declares. */
  readonly origin?: Origin
}

export interface ModuleExports {
  readonly symbols: ReadonlyMap<string, ExportedSymbol>
  /** Modules of which everything is exported again (`export * from`). */
  readonly stars: readonly string[]
}

const NAME = '[\\p{L}_$][\\p{L}\\p{N}_$]*'
const DECLARATION = new RegExp(
  `^(?:declare\\s+)?(?:(?:abstract\\s+)?(?<block>class|interface|enum|const\\s+enum|namespace|module)|(?<fn>(?:async\\s+)?function\\s*\\*?)|(?<alias>type)|(?<binding>const|let|var|using))(?![\\p{L}\\p{N}_$])\\s*(?<name>${NAME})?`,
  'u',
)

/** What a JavaScript or TypeScript source exports. Read by its brackets and words: odd code may hide a name, never more. */
export function moduleExports(text: string): ModuleExports {
  return new Reader(layoutOf(text)).read()
}

class Reader {
  #symbols = new Map<string, ExportedSymbol>()
  #stars: string[] = []
  #locals: ReadonlyMap<string, readonly Stretch[]> | undefined

  constructor(private readonly layout: Layout) {}

  read(): ModuleExports {
    for (const match of this.#atTop(/(?<![.\p{L}\p{N}_$])export(?![\p{L}\p{N}_$]|\s*[:(=.,;)}])/gu)) this.#export(match)
    for (const match of this.#atTop(
      /(?<![.\p{L}\p{N}_$])(?:module\.)?exports\.(?<name>[\p{L}_$][\p{L}\p{N}_$]*)\s*=(?!=)/gu,
    ))
      this.#add(match.groups?.name, [statementAt(this.layout, match.index, false)])
    for (const match of this.#atTop(/(?<![.\p{L}\p{N}_$])module\.exports\s*=(?!=)\s*/gu)) this.#commonJs(match)
    return { symbols: this.#symbols, stars: this.#stars }
  }

  #atTop(pattern: RegExp): RegExpExecArray[] {
    return [...this.layout.masked.matchAll(pattern)].filter((match) => this.layout.depths[match.index] === 0)
  }

  #export(match: RegExpExecArray): void {
    const at = match.index
    const rest = this.layout.masked.slice(at + match[0].length)
    const after = at + match[0].length + (rest.length - rest.trimStart().length)
    const code = this.layout.masked.slice(after)
    const byDefault = /^default\b\s*/.exec(code)
    if (/^(?:type\s+)?[{*]/.test(code)) this.#list(at, after, code)
    else if (byDefault !== null) this.#default(at, code.slice(byDefault[0].length))
    else this.#declaration(at, after, code)
  }

  #declaration(at: number, after: number, code: string): void {
    const declaration = DECLARATION.exec(code)
    if (declaration === null) return
    const { block, fn, binding, name } = declaration.groups ?? {}
    const stretch = statementAt(this.layout, at, block !== undefined || fn !== undefined)
    const from = after + declaration[0].length - (name ?? '').length
    for (const each of binding === undefined ? [name] : this.#bindings(from, stretch)) this.#add(each, [stretch])
  }

  #default(at: number, code: string): void {
    const named = /^(?:async\s+)?(?:function\s*\*?|(?:abstract\s+)?class)\b/u.test(code)
    const stretch = statementAt(this.layout, at, named || /^interface\b/.test(code))
    const local = new RegExp(`^(?<name>${NAME})\\s*(?:;|\\n|$)`, 'u').exec(code)?.groups?.name
    this.#add('default', [...(local === undefined ? [] : this.#declared(local)), stretch])
  }

  /** `export { a as b } from './c'`, `export * from './c'`. */
  #list(at: number, after: number, code: string): void {
    const stretch = statementAt(this.layout, at, false)
    const line = { from: lineAt(this.layout, at), to: stretch.to }
    const specifier = this.#specifier(after, code)
    const star = /^(?:type\s+)?\*(?:\s*as\s+(?<name>[\p{L}\p{N}_$]+|"[^"]*"))?/u.exec(code)
    if (star !== null) {
      if (specifier === undefined) return
      if (star.groups?.name === undefined) this.#stars.push(specifier)
      else this.#add(star.groups.name, [line], { specifier, name: '*' })
      return
    }
    const body = /^(?:type\s+)?\{(?<body>[^{}]*)\}/.exec(code)?.groups?.body ?? ''
    for (const part of body.split(',')) {
      const names = new RegExp(`^\\s*(?:type\\s+)?(?<name>${NAME})(?:\\s+as\\s+(?<as>${NAME}))?\\s*$`, 'u').exec(
        part,
      )?.groups
      if (names?.name === undefined) continue
      const exported = names.as ?? names.name
      if (specifier !== undefined) this.#add(exported, [line], { specifier, name: names.name })
      else this.#local(exported, names.name, line)
    }
  }

  #local(exported: string, name: string, line: Stretch): void {
    const declared = this.#declared(name)
    const origin = declared.length === 0 ? this.#imported(name) : undefined
    this.#add(exported, [...declared, line], origin)
  }

  #commonJs(match: RegExpExecArray): void {
    const after = match.index + match[0].length
    const stretch = statementAt(this.layout, match.index, false)
    const code = this.layout.masked.slice(after)
    if (!code.startsWith('{')) {
      const local = new RegExp(`^(?<name>${NAME})\\s*(?:;|\\n|$)`, 'u').exec(code)?.groups?.name
      this.#add('default', [...(local === undefined ? [] : this.#declared(local)), stretch])
      return
    }
    const depth = (this.layout.depths[after] ?? 0) + 1
    for (const name of declaredNames(code, (at) => this.layout.depths[after + at] ?? 0, depth)) {
      const declared = this.#declared(name)
      this.#add(name, declared.length > 0 ? declared : [stretch])
    }
  }

  #add(name: string | undefined, stretches: readonly Stretch[], origin?: Origin): void {
    if (name === undefined || name === '') return
    const before = this.#symbols.get(name)?.stretches ?? []
    this.#symbols.set(name, {
      stretches: merged([...before, ...stretches]),
      ...(origin === undefined ? {} : { origin }),
    })
  }

  /** The text between the quotes after `from`, as it is in the source. */
  #specifier(after: number, code: string): string | undefined {
    const match = /^(?:type\s+)?(?:\{[^{}]*\}|\*(?:\s*as\s+[^\s"]+|\s*as\s*"[^"]*")?)\s*from\s*"(?<text>[^"]*)"/.exec(
      code,
    )
    if (match === null) return undefined
    const end = after + match[0].length - 1
    return this.layout.source.slice(end - (match.groups?.text ?? '').length, end)
  }

  /** Names that `const`, `let` and `var` bind, from behind the keyword on. */
  #bindings(from: number, stretch: Stretch): string[] {
    const end = (this.layout.starts[stretch.to] ?? 0) + (this.layout.maskedLines[stretch.to] ?? '').length
    const code = this.layout.masked.slice(from, end)
    return declaredNames(code, (at) => this.layout.depths[from + at] ?? 0, this.layout.depths[from] ?? 0)
  }

  /** Declarations of a name at the top of the module. */
  #declared(name: string): readonly Stretch[] {
    this.#locals ??= this.#readLocals()
    return this.#locals.get(name) ?? []
  }

  #readLocals(): ReadonlyMap<string, readonly Stretch[]> {
    const locals = new Map<string, Stretch[]>()
    const words =
      /(?<![.\p{L}\p{N}_$])(?:declare|abstract|async|function|class|interface|enum|namespace|type|const|let|var)(?=[\s*])/gu
    let last = -1
    for (const { index } of this.#atTop(words)) {
      if (index < last) continue
      const declaration = DECLARATION.exec(this.layout.masked.slice(index))
      if (declaration === null) continue
      last = index + declaration[0].length
      const { block, fn, binding, name } = declaration.groups ?? {}
      const stretch = statementAt(this.layout, index, block !== undefined || fn !== undefined)
      const names = binding === undefined ? [name ?? ''] : this.#bindings(last - (name ?? '').length, stretch)
      for (const each of names) locals.set(each, [...(locals.get(each) ?? []), stretch])
    }
    return locals
  }

  #imported(name: string): Origin | undefined {
    for (const { index } of this.#atTop(/(?<![.\p{L}\p{N}_$])import(?=[\s{*])/gu)) {
      const clause = /^import\s+(?:type\s+)?(?<names>[^"();]*?)\s*from\s*"(?<text>[^"]*)"/.exec(
        this.layout.masked.slice(index),
      )
      if (clause === null) continue
      const end = index + clause[0].length - 1
      const specifier = this.layout.source.slice(end - (clause.groups?.text ?? '').length, end)
      const there = nameThere(clause.groups?.names ?? '', name)
      if (there !== undefined) return { specifier, name: there }
    }
    return undefined
  }
}

/** What `name` is called in the module that an import clause (`a, { b as c }`, `* as d`) takes it from. */
function nameThere(clause: string, name: string): string | undefined {
  const named = /\{(?<names>[^{}]*)\}/.exec(clause)?.groups?.names ?? ''
  for (const part of named.split(',')) {
    const [there, as] = part
      .trim()
      .replace(/^type\s+/, '')
      .split(/\s+as\s+/)
    if ((as ?? there) === name) return there
  }
  const outside = clause
    .replace(/\{[^{}]*\}/, '')
    .split(',')
    .map((part) => part.trim())
  if (outside.includes(name)) return 'default'
  return outside.some((part) => part.replace(/^\*\s*as\s+/, '* ') === `* ${name}`) ? '*' : undefined
}

/** Stretches in their order, those that touch as one. */
function merged(stretches: readonly Stretch[]): readonly Stretch[] {
  const sorted = [...stretches].sort((a, b) => a.from - b.from || b.to - a.to)
  const list: Stretch[] = []
  for (const stretch of sorted) {
    const last = list.at(-1)
    if (last === undefined || stretch.from > last.to + 1) list.push(stretch)
    else list[list.length - 1] = { from: last.from, to: Math.max(last.to, stretch.to) }
  }
  return list
}
