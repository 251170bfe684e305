import test from 'ava'
import fc from 'fast-check'
import { fromRlp, hexToBytes, toHex, toRlp } from 'viem'
import { decodeRlp, encodeRlp, RlpError, rlpInteger } from '../../src/codec/rlp.ts'
import type { RlpItem } from '../../src/codec/rlp.ts'

type Hex = `0x${string}`
type Tree = Hex | readonly Tree[]
const hexTree = (item: RlpItem): Tree => (item instanceof Uint8Array ? toHex(item) : item.map(hexTree))

// From the RLP page of the Ethereum documentation.
for (const [item, hex] of [
  [Buffer.from('dog'), '0x83646f67'],
  [[Buffer.from('cat'), Buffer.from('dog')], '0xc88363617483646f67'],
  [Buffer.from(''), '0x80'],
  [[], '0xc0'],
  [Uint8Array.of(15), '0x0f'],
  [rlpInteger(1024n), '0x820400'],
  [[[], [[]], [[], [[]]]], '0xc7c0c1c0c3c0c1c0'],
] as const)
  test(`the vector ${hex} is encoded`, (t) => {
    t.is(toHex(encodeRlp(item)), hex)
  })

test('items are those of viem and read back', (t) => {
  const { tree } = fc.letrec<{ tree: RlpItem }>((tie) => ({
    tree: fc.oneof({ depthSize: 'small' }, fc.uint8Array({ maxLength: 70 }), fc.array(tie('tree'), { maxLength: 6 })),
  }))
  fc.assert(
    fc.property(tree, (item) => {
      const bytes = encodeRlp(item)
      t.is(toHex(bytes), toRlp(hexTree(item) as Hex))
      t.deepEqual(fromRlp(toHex(bytes)), hexTree(item) as Hex)
      t.deepEqual(decodeRlp(bytes), item)
    }),
    { seed: 12 },
  )
})

test('a long string has a long size', (t) => {
  const bytes = new Uint8Array(70_000).fill(7)
  t.deepEqual(decodeRlp(encodeRlp([bytes, bytes])), [bytes, bytes])
})

for (const [hex, text] of [
  ['0x', 'EOF'],
  ['0xdeadbeef', 'rlp: value size exceeds available input length'],
  ['0xf86c', 'rlp: value size exceeds available input length'],
  ['0xc0c0', 'rlp: input contains more than one value'],
  ['0xc183', 'rlp: element is larger than containing list'],
  ['0x8105', 'rlp: non-canonical size information'],
  ['0xb801ff', 'rlp: non-canonical size information'],
] as const) {
  test(`${hex} is refused with: ${text}`, (t) => {
    t.is(t.throws(() => decodeRlp(hexToBytes(hex)), { instanceOf: RlpError })?.message, text)
  })
}
