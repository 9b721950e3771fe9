import { createHash } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import { createReadStream } from 'node:fs'
import { lstat, readlink } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'

/**
 * What is at a path. `mode` are the permission bits, `hash` the SHA-256 of the raw bytes in hex. `other` is what the run
 * never touches (a directory, a socket); `unknown` is a former state whose bytes could not be kept.
 */
export type FileState =
  | { readonly kind: 'absent' }
  | { readonly kind: 'file'; readonly mode: number; readonly size: number; readonly hash: string }
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'other' }
  | { readonly kind: 'unknown' }

export const ABSENT: FileState = { kind: 'absent' }
export const UNKNOWN: FileState = { kind: 'unknown' }

/** Same kind and same bytes or link target; permission bits aside. */
export function sameContent(a: FileState, b: FileState): boolean {
  if (a.kind === 'file' && b.kind === 'file') return a.hash === b.hash
  if (a.kind === 'link' && b.kind === 'link') return a.target === b.target
  return a.kind === b.kind && a.kind !== 'unknown'
}

export function sameState(a: FileState, b: FileState): boolean {
  return sameContent(a, b) && !(a.kind === 'file' && b.kind === 'file' && a.mode !== b.mode)
}

/** The errno code of an error of node's, or undefined. */
export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** `lstat` with nanoseconds; undefined where nothing is. */
export async function stampOf(absolute: string): Promise<BigIntStats | undefined> {
  try {
    return await lstat(absolute, { bigint: true })
  } catch (error) {
    const code = errnoOf(error)
    // A file, or a link to itself, stands where a folder above would have to be.
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') return undefined
    throw error
  }
}

/** The state of a path, links not followed. Reads a file once to hash it, whatever its size. */
export async function inspect(absolute: string): Promise<FileState> {
  const stamp = await stampOf(absolute)
  if (stamp === undefined) return ABSENT
  if (stamp.isSymbolicLink()) return { kind: 'link', target: await readlink(absolute) }
  if (!stamp.isFile()) return { kind: 'other' }
  const hash = createHash('sha256')
  await pipeline(createReadStream(absolute), hash)
  return { kind: 'file', mode: permissions(stamp), size: Number(stamp.size), hash: hash.digest('hex') }
}

export function permissions(stamp: { readonly mode: bigint | number }): number {
  return Number(stamp.mode) & 0o7777
}
