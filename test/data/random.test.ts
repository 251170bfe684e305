import { createHash } from 'node:crypto'
import test from 'ava'
import fc from 'fast-check'
import { createRandom } from '../../src/data/random.ts'

const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash('sha256').update(bytes).digest())
const seed = new TextEncoder().encode('seed')
const random = createRandom(seed, sha256)

test('bytes are the documented digest of seed, index, counter and label', (t) => {
  const block = (counter: number) =>
    createHash('sha256')
      .update(createHash('sha256').update('seed').digest())
      .update(Buffer.from('0000000000000007', 'hex'))
      .update(Buffer.from(`000000000000000${counter}`, 'hex'))
      .update('faults')
      .digest('hex')
  t.is(Buffer.from(random.bytes('faults', 7, 40)).toString('hex'), block(0) + block(1).slice(0, 16))
  t.deepEqual(random.bytes('faults', 7n, 8), random.bytes('faults', 7, 40).slice(0, 8))
  t.is(random.bytes('faults', 7, 0).length, 0)
})

test('another seed, label or index gives other bytes', (t) => {
  const draws = [
    random.bytes('a', 1, 16),
    random.bytes('b', 1, 16),
    random.bytes('a', 2, 16),
    createRandom(new Uint8Array(1), sha256).bytes('a', 1, 16),
  ].map((bytes) => Buffer.from(bytes).toString('hex'))
  t.is(new Set(draws).size, draws.length)
})

test('a draw below n is below n and of its type', (t) => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 1n << 200n }), fc.nat(), (n, index) => {
      const draw = random.below('x', index, n)
      t.true(draw >= 0n && draw < n)
    }),
    { seed: 1 },
  )
  t.is(random.below('x', 1, 1), 0)
  t.is(random.below('x', 1, 1n), 0n)
  t.throws(() => random.below('x', 1, 0), { code: 'ASSERTION_FAILED' })
})

test('draws below 5 are even', (t) => {
  const counts = [0, 0, 0, 0, 0]
  for (let i = 0; i < 5000; i++) {
    const draw = random.below('even', i, 5)
    counts[draw] = (counts[draw] ?? 0) + 1
  }
  // Five standard deviations (√(5000·0.2·0.8) = 28) around 1000.
  for (const count of counts) t.true(count > 860 && count < 1140, String(count))
})

test('ratios fill [0, 1) evenly', (t) => {
  const draws = Array.from({ length: 2000 }, (_, i) => random.ratio('ratio', i))
  t.true(draws.every((draw) => draw >= 0 && draw < 1))
  const mean = draws.reduce((sum, draw) => sum + draw, 0) / draws.length
  t.true(Math.abs(mean - 0.5) < 0.035, String(mean))
})
