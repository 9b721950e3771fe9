import { expect, test } from 'vitest'
import { sha256 } from './hash.ts'

test('the digest of "abc" is the one of FIPS 180-2, as text and as bytes', () => {
  const digest = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
  expect([sha256('abc'), sha256(Buffer.from('abc'))]).toEqual([digest, digest])
})
