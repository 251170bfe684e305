import { createHash } from 'node:crypto'
import test, { type ExecutionContext } from 'ava'
import { secp256k1 as noble } from '@noble/curves/secp256k1.js'
import { makeSecp256k1, secp256k1, type Secp256k1 } from '../../src/crypto/secp256k1.ts'
import { loadNative } from '../../src/crypto/secp256k1/native.ts'
import { loadNoble } from '../../src/crypto/secp256k1/noble.ts'
import { loadTiny } from '../../src/crypto/secp256k1/tiny.ts'

const order = noble.Point.Fn.ORDER
const fieldOrder = noble.Point.Fp.ORDER
const hex = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString('hex')
const bytesOf = (value: bigint) => Uint8Array.from(Buffer.from(value.toString(16).padStart(64, '0'), 'hex'))
const join = (...parts: Uint8Array[]) => Uint8Array.from(Buffer.concat(parts))
const seeded = (label: string) => Uint8Array.from(createHash('sha256').update(label).digest())

function implementations(): [string, Secp256k1][] {
  const all: [string, Secp256k1][] = [
    ['tiny', makeSecp256k1(loadTiny())],
    ['noble', makeSecp256k1(loadNoble())],
    ['default', secp256k1],
  ]
  // Optional, and not built for every machine.
  try {
    return [['native', makeSecp256k1(loadNative())], ...all]
  } catch {
    return all
  }
}

/** What every implementation answers, as text; fails the test unless they agree. */
function agreed(t: ExecutionContext, ask: (curve: Secp256k1) => unknown, text: string): unknown {
  const answers = implementations().map(([, curve]) => {
    try {
      return ask(curve)
    } catch (error) {
      return error instanceof Error && 'code' in error ? error.code : String(error)
    }
  })
  for (const answer of answers) t.deepEqual(answer, answers[0], text)
  return answers[0]
}

const hash = seeded('hash')
const key = seeded('key')
const signed = noble.sign(hash, key, { prehash: false, format: 'recovered' })
const recovery = signed[0] ?? 0
const r = signed.slice(1, 33)
const s = signed.slice(33)
const highS = bytesOf(order - BigInt(`0x${hex(s)}`))
const publicKey = hex(noble.getPublicKey(key, false))
const zero = bytesOf(0n)
const n = bytesOf(order)
const all = new Uint8Array(32).fill(255)

type RecoverArguments = [hash: Uint8Array, signature: Uint8Array, recovery: number]

const recovers = test.macro((t, args: RecoverArguments, expected: string | undefined) => {
  const [message, signature, id] = args
  t.is(
    agreed(t, (curve) => hex(curve.recover(message, signature, id)), 'recover'),
    expected,
  )
})
test('the signer is recovered', recovers, [hash, join(r, s), recovery], publicKey)
test('high s recovers with the other parity', recovers, [hash, join(r, highS), 1 - recovery], publicKey)
test('r of zero recovers nobody', recovers, [hash, join(zero, s), 0], undefined)
test('s of zero recovers nobody', recovers, [hash, join(r, zero), 0], undefined)
test('r of n recovers nobody', recovers, [hash, join(n, s), 0], undefined)
test('s of n recovers nobody', recovers, [hash, join(r, n), 0], undefined)
test('r of all ones recovers nobody', recovers, [hash, join(all, s), 0], undefined)
test('s of all ones recovers nobody', recovers, [hash, join(r, all), 1], undefined)
test('r too large for recovery id 2 recovers nobody', recovers, [hash, join(r, s), 2], undefined)
test('r too large for recovery id 3 recovers nobody', recovers, [hash, join(r, s), 3], undefined)
test('recovery id 4 recovers nobody', recovers, [hash, join(r, s), 4], undefined)
test('a negative recovery id recovers nobody', recovers, [hash, join(r, s), -1], undefined)
test('a recovery id that is no whole number recovers nobody', recovers, [hash, join(r, s), 0.5], undefined)
test('a short signature recovers nobody', recovers, [hash, r, 0], undefined)
test('an x that is on no point recovers nobody', recovers, [hash, join(bytesOf(5n), s), 0], undefined)

test('all agree on small r with recovery ids 2 and 3, and at the ends of the ranges', (t) => {
  const gap = fieldOrder - order
  let found = 0
  for (const x of [1n, 2n, 3n, 4n, 5n, 6n, gap - 1n, gap, order - 1n]) {
    for (const second of [1n, order / 2n, order / 2n + 1n, order - 1n]) {
      for (const id of [0, 1, 2, 3]) {
        for (const message of [hash, zero, n, all, bytesOf(order - 1n)]) {
          const signature = join(bytesOf(x), bytesOf(second))
          const ask = (curve: Secp256k1) => hex(curve.recover(message, signature, id))
          const answer = agreed(t, ask, `${x} ${second} ${id}`)
          if (answer !== undefined && id > 1) found++
        }
      }
    }
  }
  t.true(found > 0)
})

test('a signature whose key is the point at infinity recovers nobody', (t) => {
  // With R = G and s = hash the key s·R − hash·G vanishes.
  const x = bytesOf(noble.Point.BASE.x)
  const message = bytesOf(BigInt(`0x${hex(hash)}`) % order)
  const ask = (curve: Secp256k1) => hex(curve.recover(message, join(x, message), 0))
  t.is(agreed(t, ask, 'infinity'), undefined)
})

const signs = test.macro((t, message: Uint8Array, secret: Uint8Array) => {
  const expected = noble.sign(message, secret, { prehash: false, format: 'recovered' })
  const answer = agreed(
    t,
    (curve) => {
      const signature = curve.sign(message, secret)
      return hex(join(Uint8Array.of(signature.recovery), signature.r, signature.s))
    },
    'sign',
  )
  t.is(answer, hex(expected))
})
test('a signature is that of RFC 6979', signs, hash, key)
test('a hash of zero is signed', signs, zero, key)
test('a hash of n is signed', signs, n, key)
test('a hash of all ones is signed', signs, all, key)
test('a key of one signs', signs, hash, bytesOf(1n))
test('a key of n − 1 signs', signs, hash, bytesOf(order - 1n))

const refusesKey = test.macro((t, secret: Uint8Array) => {
  t.is(
    agreed(t, (curve) => curve.sign(hash, secret), 'sign'),
    'INVALID_PRIVATE_KEY',
  )
  t.is(
    agreed(t, (curve) => curve.publicKey(secret, true), 'publicKey'),
    'INVALID_PRIVATE_KEY',
  )
})
test('a key of zero is refused', refusesKey, zero)
test('a key of n is refused', refusesKey, n)
test('a key of all ones is refused', refusesKey, all)
test('a short key is refused', refusesKey, key.slice(1))

const verifies = test.macro((t, args: [Uint8Array, Uint8Array, Uint8Array], expected: boolean) => {
  t.is(
    agreed(t, (curve) => curve.verify(...args), 'verify'),
    expected,
  )
})
const compressed = noble.getPublicKey(key, true)
const full = noble.getPublicKey(key, false)
const prefixed = (prefix: number, bytes: Uint8Array) => join(Uint8Array.of(prefix), bytes.slice(1))
test('a signature verifies with the compressed key', verifies, [hash, join(r, s), compressed], true)
test('a signature verifies with the full key', verifies, [hash, join(r, s), full], true)
test('high s does not verify', verifies, [hash, join(r, highS), compressed], false)
test('another hash does not verify', verifies, [seeded('other'), join(r, s), compressed], false)
test(
  'the key of the other parity does not verify',
  verifies,
  [hash, join(r, s), prefixed((compressed[0] ?? 0) ^ 1, compressed)],
  false,
)
test('a hybrid key does not verify', verifies, [hash, join(r, s), prefixed(6 + ((full[64] ?? 0) & 1), full)], false)
test('a key with an unknown prefix does not verify', verifies, [hash, join(r, s), prefixed(5, compressed)], false)
test(
  'a key off the curve does not verify',
  verifies,
  [hash, join(r, s), prefixed(4, join(full.slice(0, 33), zero))],
  false,
)
test('a key of x = all ones does not verify', verifies, [hash, join(r, s), join(Uint8Array.of(2), all)], false)
test('an empty key does not verify', verifies, [hash, join(r, s), new Uint8Array(0)], false)
test('r of zero does not verify', verifies, [hash, join(zero, s), compressed], false)
test('s of n does not verify', verifies, [hash, join(r, n), compressed], false)
test('a long signature does not verify', verifies, [hash, join(r, s, zero), compressed], false)

test('500 seeded cases: sign, verify and recover agree and fit together', (t) => {
  for (let i = 0; i < 500; i++) {
    const message = seeded(`message ${i}`)
    const secret = seeded(`secret ${i}`)
    const expected = secp256k1.publicKey(secret, false)
    const { r, s, recovery } = secp256k1.sign(message, secret)
    const signature = join(r, s)
    // JavaScript is slow: every tenth case asks it too.
    const curves = implementations().filter(([name]) => name !== 'noble' || i % 10 === 0)
    for (const [name, curve] of curves) {
      t.deepEqual(curve.sign(message, secret), { r, s, recovery }, name)
      t.deepEqual(curve.publicKey(secret, false), expected, name)
      t.deepEqual(curve.recover(message, signature, recovery), expected, name)
      t.true(curve.verify(message, signature, curve.publicKey(secret, true)), name)
      t.not(hex(curve.recover(message, signature, 1 - recovery)), hex(expected), name)
    }
  }
})
