/** The buffer that all messages are encoded into: lengths of any size, nesting, and errors on the way. */
import test from 'ava'
import { BinaryWriter } from 'cosmjs-types/binary'
import { always, bytes, int64, message, repeated, text } from '../../src/codec/protobuf/message.ts'

type Inner = { name: string; data: Uint8Array }
const inner = message<Inner>({ 1: ['name', text], 2: ['data', bytes] })
const outer = message<{ number: bigint; list: readonly Inner[] }>({
  1: ['number', int64],
  2: ['list', repeated(always(inner))],
})

function expected(number: bigint, list: readonly Inner[]): Uint8Array {
  const writer = BinaryWriter.create()
  if (number !== 0n) writer.uint32(8).int64(number)
  for (const { name, data } of list) {
    writer.uint32(18).fork()
    if (name !== '') writer.uint32(10).string(name)
    if (data.length > 0) writer.uint32(18).bytes(data)
    writer.ldelim()
  }
  return Uint8Array.from(writer.finish())
}

test('lengths of one to four bytes are written before their content', (t) => {
  for (const length of [0, 1, 60, 123, 124, 127, 128, 5000, 16_378, 16_384, 70_000, 2_097_150, 2_097_200]) {
    for (const name of ['', 'short', 'ünïcode €', 'x'.repeat(300)]) {
      const list = [{ name, data: new Uint8Array(length).fill(7) }]
      t.true(Buffer.from(outer.encode({ number: -5n, list })).equals(expected(-5n, list)), `${length} ${name}`)
    }
  }
})

test('a member that throws leaves nothing behind for the next message', (t) => {
  const list = [{ name: 'a', data: Uint8Array.of(1) }]
  const broken = {
    get name(): string {
      throw new Error('no name')
    },
    data: new Uint8Array(3),
  }
  t.throws(() => outer.encode({ number: 1n, list: [...list, broken] }), { message: 'no name' })
  t.deepEqual(outer.encode({ number: 1n, list }), expected(1n, list))
  t.deepEqual(outer.decode(outer.encode({ number: 1n, list })), { number: 1n, list })
})
