import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { stripTerminalSequences, trimBrokenCharacters } from './text.ts'

/** Keeps the first and the last half of `maxBytes` of what is pushed, whatever the amount. */
export class HeadTailBuffer {
  readonly #half: number
  readonly #head: Buffer[] = []
  #headBytes = 0
  #tail: Buffer[] = []
  #tailBytes = 0
  #dropped = 0

  constructor(maxBytes: number) {
    this.#half = Math.max(1, Math.floor(maxBytes / 2))
  }

  get truncated(): boolean {
    return this.#dropped > 0
  }

  push(chunk: Buffer): void {
    const room = this.#half - this.#headBytes
    const toHead = chunk.subarray(0, room)
    if (toHead.length > 0) {
      this.#head.push(toHead)
      this.#headBytes += toHead.length
    }
    const rest = chunk.subarray(toHead.length)
    if (rest.length === 0) return
    this.#tail.push(rest)
    this.#tailBytes += rest.length
    // Copying on every chunk would be quadratic, so the tail grows to twice its size before it is cut.
    if (this.#tailBytes > 2 * this.#half) this.#cutTail()
  }

  toString(): string {
    this.#cutTail()
    const head = Buffer.concat(this.#head)
    const tail = Buffer.concat(this.#tail)
    if (this.#dropped === 0) return Buffer.concat([head, tail]).toString()
    const first = trimBrokenCharacters(head).toString()
    const last = trimBrokenCharacters(tail).toString()
    return `${first}\n[... ${this.#dropped} bytes left out ...]\n${last}`
  }

  #cutTail(): void {
    const excess = this.#tailBytes - this.#half
    if (excess <= 0) return
    const kept = Buffer.from(Buffer.concat(this.#tail).subarray(excess))
    this.#tail = [kept]
    this.#tailBytes = kept.length
    this.#dropped += excess
  }
}

/** A line without an end must not grow for ever. */
const LONGEST_LINE = 64 * 1024

/** Gives complete lines of a stream, without terminal sequences. */
export class LineSplitter {
  readonly #decoder = new StringDecoder('utf8')
  readonly #onLine: (line: string) => void
  #pending = ''

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine
  }

  push(chunk: Buffer): void {
    const lines = (this.#pending + this.#decoder.write(chunk)).split(/\r?\n/)
    this.#pending = lines.pop() ?? ''
    for (const line of lines) this.#emit(line)
    if (this.#pending.length > LONGEST_LINE) this.#flush()
  }

  /** Gives what is left as a last line. */
  end(): void {
    this.#pending += this.#decoder.end()
    if (this.#pending !== '') this.#flush()
  }

  #flush(): void {
    const line = this.#pending
    this.#pending = ''
    this.#emit(line)
  }

  #emit(line: string): void {
    for (const part of stripTerminalSequences(line).split('\n')) this.#onLine(part)
  }
}

/** A command that prints without end must not fill the disk. */
const LARGEST_LOG = 64 * 1024 * 1024

/** What is held back of a line without an end, so that no secret is cut in two. */
const LONGEST_SECRET = 4096

/**
 * Appends to a file, whole lines of it through `redact`. A log that can't be written (full disk, no permission) never fails
 * the command it belongs to.
 */
export class LogFile {
  readonly #redact: ((text: string) => string) | undefined
  readonly #decoder = new StringDecoder('utf8')
  #pending = ''
  #descriptor: number | undefined
  #written = 0

  constructor(path: string, redact?: (text: string) => string) {
    this.#redact = redact
    try {
      mkdirSync(dirname(path), { recursive: true })
      this.#descriptor = openSync(path, 'a')
    } catch {
      this.#descriptor = undefined
    }
  }

  append(chunk: Buffer): void {
    if (this.#descriptor === undefined) return
    if (this.#redact === undefined) {
      this.#write(chunk)
      return
    }
    this.#pending += this.#decoder.write(chunk)
    const end = this.#pending.lastIndexOf('\n') + 1
    if (end > 0) {
      this.#write(Buffer.from(this.#redact(this.#pending.slice(0, end))))
      this.#pending = this.#pending.slice(end)
    }
    if (this.#pending.length <= LONGEST_LINE) return
    const plain = this.#redact(this.#pending)
    this.#write(Buffer.from(plain.slice(0, -LONGEST_SECRET)))
    this.#pending = plain.slice(-LONGEST_SECRET)
  }

  close(): void {
    if (this.#descriptor === undefined) return
    if (this.#redact !== undefined) this.#write(Buffer.from(this.#redact(this.#pending + this.#decoder.end())))
    this.#end()
  }

  #write(bytes: Buffer): void {
    if (this.#descriptor === undefined) return
    try {
      const room = LARGEST_LOG - this.#written
      writeSync(this.#descriptor, bytes.subarray(0, room))
      this.#written += bytes.length
      if (this.#written <= LARGEST_LOG) return
      writeSync(this.#descriptor, `\n[... the log ends here: more than ${LARGEST_LOG} bytes ...]\n`)
    } catch {
      // The log ends where it could not be written on.
    }
    if (this.#written > LARGEST_LOG) this.#end()
  }

  #end(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
    this.#descriptor = undefined
    this.#pending = ''
  }
}
