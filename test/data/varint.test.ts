import test from 'ava'
import { writeUvarint, writeVarint } from '../../src/data/varint.ts'

const hex = (write: typeof writeVarint, value: number) => {
  const bytes = new Uint8Array(8)
  return Buffer.from(bytes.subarray(0, write(bytes, 0, value))).toString('hex')
}

// Expected bytes are what Go's encoding/binary writes.
const writes = test.macro((t, value: number, unsigned: string, signed: string) => {
  t.is(hex(writeUvarint, value), unsigned)
  t.is(hex(writeVarint, value), signed)
})
test('zero is one byte', writes, 0, '00', '00')
test('64 needs a second byte when signed', writes, 64, '40', '8001')
test('127 needs a second byte when signed', writes, 127, '7f', 'fe01')
test('128 needs a second byte', writes, 128, '8001', '8002')
test('300 is two bytes', writes, 300, 'ac02', 'd804')
test('2³² passes 32 bits', writes, 2 ** 32, '8080808010', '8080808020')
test('the largest safe number fits', writes, 2 ** 53 - 1, 'ffffffffffffff0f', 'feffffffffffff1f')
