import type { Json } from '../core/json.ts'

const REDACTED = '[redacted]'

/** Shorter texts are no secrets, and would blank ordinary words. */
const SHORTEST_SECRET = 6

/** Takes secrets out of texts and of JSON values. */
export interface Redactor {
  text(text: string): string
  value(value: Json): Json
}

/**
 * Well-known shapes of secrets; what is kept of a match stands in its first group. Names next to a value count only where the
 * value looks random, since a log that blanks ordinary source code can't be replayed. Every match holds one of the shape's
 * signs, in any letter case: most texts hold none, and looking for it is far cheaper than the pattern.
 */
const SHAPES: readonly { readonly signs: readonly string[]; readonly pattern: RegExp }[] = [
  {
    signs: ['-----begin'],
    pattern: /()-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  },
  { signs: ['sk-ant-'], pattern: /()\bsk-ant-[\w-]{8,}/g },
  { signs: ['sk-'], pattern: /()\bsk-(?=[\w-]{0,64}\d)[\w-]{20,}/g },
  { signs: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], pattern: /()\bgh[pousr]_[A-Za-z0-9]{20,}/g },
  { signs: ['github_pat_'], pattern: /()\bgithub_pat_\w{20,}/g },
  { signs: ['glpat-'], pattern: /()\bglpat-[\w-]{20,}/g },
  { signs: ['xox'], pattern: /()\bxox[abeprs]-[\w-]{10,}/g },
  { signs: ['akia', 'asia'], pattern: /()\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g },
  { signs: ['aiza'], pattern: /()\bAIza[\w-]{35}/g },
  { signs: ['npm_'], pattern: /()\bnpm_[A-Za-z0-9]{36}\b/g },
  { signs: ['hf_'], pattern: /()\bhf_[A-Za-z0-9]{30,}\b/g },
  { signs: ['eyj'], pattern: /()\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}/g },
  { signs: ['bearer', 'basic'], pattern: /(\b(?:Bearer|Basic)\s+)(?=[^\s\d]{0,64}\d)[\w.~+/-]{16,}=*/gi },
  {
    signs: ['://'],
    pattern: /(\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s:@/"']{0,64}:)(?![$<{])[^\s@/"']{1,256}(?=@)/gi,
  },
  {
    // name: "value" and name=value, also inside of JSON text, whatever the quotes and their escapes.
    signs: ['key', 'secret', 'token', 'passw', 'credential', 'authorization'],
    pattern:
      /((?:api[-_]?key|access[-_]?key|secret|token|passw(?:or)?d|credential|authorization)\w{0,16}\\{0,8}["']?\s{0,4}(?::|=>?)\s{0,4}\\{0,8}["']?)(?=[\w+/-]{0,64}\d)(?=[\w+/-]{0,64}[A-Za-z])[\w+/-]{16,}(?![\w+/.~([-])=*/gi,
  },
  {
    // A line of an .env file.
    signs: ['_key=', 'secret=', 'token=', 'password=', 'passwd='],
    pattern: /(^[ \t]*(?:export )?[A-Z][A-Z0-9_]{0,40}(?:_KEY|SECRET|TOKEN|PASSWORD|PASSWD)=)[^\s$({]\S{5,}$/gm,
  },
]

/** Headers and members whose text is a secret as a whole. */
const SECRET_NAME = /^(?:authorization|proxy-authorization|x-api-key|api[-_]?key|set-cookie|cookie|password)$/i

/** A redactor for the given secrets (keys in use), in whatever way JSON may escape them, and for well-known shapes of secrets. */
export function createRedactor(secrets: readonly string[]): Redactor {
  const given = secrets
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    // The longest first: one secret may contain another.
    .sort((a, b) => b.length - a.length)
    .map((secret) => new RegExp((secret.match(/\\+|[^\\]/gsu) ?? []).map(anyEncoding).join(''), 'gu'))

  const text = (input: string): string => {
    if (input.length < SHORTEST_SECRET) return input
    let output = input
    for (const secret of given) output = output.replaceAll(secret, REDACTED)
    const lower = output.toLowerCase()
    for (const { signs, pattern } of SHAPES)
      if (signs.some((sign) => lower.includes(sign))) output = output.replaceAll(pattern, `$1${REDACTED}`)
    return output
  }
  const value = (input: Json): Json => {
    if (typeof input === 'string') return text(input)
    if (Array.isArray(input)) return input.map(value)
    if (typeof input !== 'object' || input === null) return input
    return Object.fromEntries(
      Object.entries(input).map(([name, member]) => {
        const secret = typeof member === 'string' && member !== '' && SECRET_NAME.test(name)
        return [text(name), secret ? REDACTED : value(member)]
      }),
    )
  }
  return { text, value }
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't' }

/**
 * A pattern for one character, or for a run of backslashes, as it is and as JSON may write it, JSON text within JSON text included.
 * Each level doubles the backslashes; the bound covers four and keeps the search linear.
 */
function anyEncoding(character: string): string {
  const escaped = Array.from({ length: character.length }, (_, index) => {
    const code = character.charCodeAt(index).toString(16).padStart(4, '0')
    return `\\\\{1,16}u${code.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)}`
  })
  if (character.startsWith('\\')) return `(?:${escaped.join('')}|\\\\{${character.length},})`
  const literal = `\\u{${character.codePointAt(0)?.toString(16)}}`
  const plain = '"/'.includes(character) ? `\\\\{0,16}${literal}` : literal
  const short = SHORT_ESCAPES[character]
  return `(?:${[escaped.join(''), plain, ...(short === undefined ? [] : [`\\\\{1,16}${short}`])].join('|')})`
}
