import { gzipSync } from 'node:zlib'
import test from 'ava'
import { gunzip, gzip } from '../../src/codec/gzip.ts'

const mib = 2 ** 20

test('what is packed comes back, over several slices', (t) => {
  const bytes = Uint8Array.from({ length: mib }, (_, index) => (index * 7919) >> 5)
  t.true(Buffer.from(bytes).equals(gunzip(gzip(bytes), mib)))
})

test('a bomb is refused before it is unpacked', (t) => {
  const bomb = gzipSync(Buffer.alloc(512 * mib))
  const before = process.memoryUsage().arrayBuffers
  t.throws(() => gunzip(bomb, mib), { code: 'BAD_GZIP', message: /at most 1048576 bytes/ })
  t.true(process.memoryUsage().arrayBuffers - before < 128 * mib)
})

const refuses = test.macro((t, packed: Uint8Array) => {
  t.throws(() => gunzip(packed, mib), { code: 'BAD_GZIP' })
})
test('no bytes are no gzip', refuses, new Uint8Array(0))
test('other bytes are no gzip', refuses, new TextEncoder().encode('not packed at all'))
test('bytes that are cut short are refused', refuses, gzip(new Uint8Array(9999)).subarray(0, 20))

test('no bytes come back from what is packed here and by zlib', (t) => {
  t.deepEqual(gunzip(gzip(new Uint8Array(0)), mib), new Uint8Array(0))
  t.deepEqual(gunzip(gzipSync(new Uint8Array(0), { level: 0 }), mib), new Uint8Array(0))
})
test('no bytes that are cut short are refused', refuses, gzip(new Uint8Array(0)).subarray(0, 19))
