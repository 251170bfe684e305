import test from 'ava'
import fc from 'fast-check'
import { MerklePatriciaTrie } from '@ethereumjs/mpt'
import { toRlp } from 'viem'
import { trieRoot, type TrieEntry } from '../../src/crypto/trie.ts'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const text = (value: string) => new TextEncoder().encode(value)

test('the root of nothing', (t) => {
  t.is(hex(trieRoot([])), '56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421')
})

// From Ethereum's trie tests ("dogs", "puppy", "foo").
const known = test.macro((t, entries: [string, string][], root: string) => {
  t.is(hex(trieRoot(entries.map(([key, value]): TrieEntry => [text(key), text(value)]))), root)
})
test(
  'doe, dog, dogglesworth',
  known,
  [
    ['doe', 'reindeer'],
    ['dog', 'puppy'],
    ['dogglesworth', 'cat'],
  ],
  '8aad789dff2f538bca5d8ea56e8abe10f4c7ba3a5dea95fea4cd6e7c3a1168d3',
)
test(
  'do, horse, doge, dog: a value in a branch',
  known,
  [
    ['do', 'verb'],
    ['horse', 'stallion'],
    ['doge', 'coin'],
    ['dog', 'puppy'],
  ],
  '5991bb8c6514148a29db676a14ac506cd2cd5775ace63c30a4fe457715e9ac84',
)
test(
  'foo and food',
  known,
  [
    ['foo', 'bar'],
    ['food', 'bass'],
  ],
  '17beaa1648bafa633cda809c90c04af50fc8aed3cb40d16efbddee6fdf63c4c3',
)

async function otherRoot(entries: readonly TrieEntry[]): Promise<string> {
  const trie = new MerklePatriciaTrie()
  for (const [key, value] of entries) await trie.put(key, value)
  return hex(trie.root())
}

test('lists up to a thousand items have the root another trie gives', async (t) => {
  for (const count of [1, 2, 16, 17, 127, 128, 129, 300, 1000]) {
    const entries = Array.from(
      { length: count },
      (_, i): TrieEntry => [
        toRlp(i === 0 ? '0x' : `0x${i.toString(16).padStart(i > 255 ? 4 : 2, '0')}`, 'bytes'),
        new Uint8Array(1 + ((i * 37) % 400)).fill(i & 255 || 1),
      ],
    )
    t.is(hex(trieRoot(entries)), await otherRoot(entries), String(count))
    t.is(hex(trieRoot(entries.reverse())), hex(trieRoot(entries)))
  }
})

test('any entries have the root another trie gives', async (t) => {
  const key = fc.uint8Array({ minLength: 1, maxLength: 4 }).map((bytes) => bytes.map((b) => b & 0x31))
  const value = fc.uint8Array({ minLength: 1, maxLength: 70 })
  const entry = fc.tuple(key, value)
  const entries = fc.uniqueArray(entry, { selector: ([bytes]) => hex(bytes), maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(entries, async (list) => {
      t.is(hex(trieRoot(list)), await otherRoot(list))
    }),
    { seed: 1 },
  )
})

test('an empty value and a repeated key are mistakes of the caller', (t) => {
  t.throws(() => trieRoot([[text('a'), new Uint8Array(0)]]), { code: 'ASSERTION_FAILED' })
  const twice: TrieEntry[] = [
    [text('a'), text('b')],
    [text('a'), text('c')],
  ]
  t.throws(() => trieRoot(twice), { code: 'ASSERTION_FAILED' })
})
