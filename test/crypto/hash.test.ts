import { createHash } from 'node:crypto'
import test from 'ava'
import fc from 'fast-check'
import { keccak256 as viemKeccak } from 'viem'
import { keccak256, ripemd160, sha256, useKeccak } from '../../src/crypto/hash.ts'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const abc = new TextEncoder().encode('abc')

type Hash = (bytes: Uint8Array) => Uint8Array

const digests = test.macro((t, hash: Hash, ofNothing: string, ofAbc: string) => {
  t.is(hex(hash(new Uint8Array(0))), ofNothing)
  t.is(hex(hash(abc)), ofAbc)
  t.is(Object.getPrototypeOf(hash(abc)), Uint8Array.prototype)
})
test(
  'sha256 is FIPS 180',
  digests,
  sha256,
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
)
test(
  'ripemd160 is that of its authors',
  digests,
  ripemd160,
  '9c1185a5c5e9fc54612808977ee8f548b2258d31',
  '8eb208f7e05d987a9b044a8e98c6b087f15a0bfc',
)
test(
  "keccak256 is Ethereum's",
  digests,
  keccak256,
  'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
  '4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45',
)

test('digests of any bytes are those of other code', (t) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
      t.is(hex(sha256(bytes)), createHash('sha256').update(bytes).digest('hex'))
      t.is(`0x${hex(keccak256(bytes))}`, viemKeccak(bytes))
    }),
    { seed: 1 },
  )
})

test.serial('a faster keccak is used when it is right and refused when it is not', (t) => {
  let calls = 0
  const faster = (bytes: Uint8Array) => {
    calls++
    return viemKeccak(bytes, 'bytes')
  }
  t.throws(() => useKeccak(sha256), { code: 'ASSERTION_FAILED' })
  t.is(hex(keccak256(abc)).slice(0, 8), '4e03657a')
  t.is(calls, 0)
  useKeccak(faster)
  calls = 0
  t.is(hex(keccak256(abc)).slice(0, 8), '4e03657a')
  t.is(calls, 1)
})
