/** The contract ABI beside viem's: what one encodes the other reads. */
import test from 'ava'
import fc from 'fast-check'
import { decodeAbiParameters, encodeAbiParameters, hexToBytes, parseAbiParameters, toHex } from 'viem'
import { abiTypes, decodeAbi, encodeAbi } from '../../../../src/app/evmd/precompiles/abi.ts'

const word = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
const signed = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
const bytes = fc.uint8Array({ maxLength: 70 })
const address = fc.uint8Array({ minLength: 20, maxLength: 20 })
const coins = fc.array(fc.tuple(fc.string({ maxLength: 40 }), word), { maxLength: 4 })

const pair = <Value>(value: fc.Arbitrary<Value>) => fc.array(value, { minLength: 2, maxLength: 2 })

const list =
  'address,(bytes,bool,int64),(string,uint256)[],string[],((uint256,uint8),uint64)[],uint256[2][],(string[2],bool[2])'
const values = fc.tuple(
  address,
  fc.tuple(bytes, fc.boolean(), signed),
  coins,
  fc.array(fc.string({ maxLength: 40 }), { maxLength: 3 }),
  fc.array(fc.tuple(fc.tuple(word, fc.bigInt({ min: 0n, max: 255n })), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })), {
    maxLength: 3,
  }),
  fc.array(pair(word), { maxLength: 3 }),
  fc.tuple(pair(fc.string({ maxLength: 40 })), pair(fc.boolean())),
)

/** viem writes addresses and bytes as hexadecimal text, and small integers as numbers. */
function forViem(value: unknown): unknown {
  if (value instanceof Uint8Array) return toHex(value)
  return Array.isArray(value) ? value.map(forViem) : value
}

test('values are encoded as viem encodes them, and read back', (t) => {
  const types = abiTypes(list)
  const parameters: readonly unknown[] = parseAbiParameters(list)
  t.notThrows(() =>
    fc.assert(
      fc.property(values, (given) => {
        const encoded = encodeAbi(types, given)
        const theirs = Reflect.apply(encodeAbiParameters, undefined, [parameters, forViem(given)])
        t.is(toHex(encoded), theirs)
        t.deepEqual(decodeAbi(types, hexToBytes(theirs)), given)
      }),
      { seed: 7, numRuns: 300 },
    ),
  )
})

test('what is encoded is what viem reads', (t) => {
  const encoded = encodeAbi(abiTypes('string,(uint64,bool)[]'), [
    'coin',
    [
      [1n, true],
      [2n, false],
    ],
  ])
  t.deepEqual(decodeAbiParameters(parseAbiParameters('string,(uint64,bool)[]'), toHex(encoded)), [
    'coin',
    [
      [1n, true],
      [2n, false],
    ],
  ])
})

const refusals: readonly (readonly [string, string, bigint[], string])[] = [
  ['a flag of 2', 'bool', [2n], 'abi: improperly encoded boolean value'],
  ['a byte of 256', 'uint8', [256n], 'abi: improperly encoded uint8 value'],
  ['nothing', 'uint8', [], 'abi: attempting to unmarshal an empty string while arguments are expected'],
  ['half', 'uint8,uint8', [1n], 'abi: cannot marshal in to go type: length insufficient 32 require 64'],
  [
    'a text outside',
    'string',
    [2n ** 70n],
    `abi: cannot marshal in to go slice: offset ${2n ** 70n + 32n} would go over slice boundary (len=32)`,
  ],
  ['a text too long', 'string', [32n, 5n], 'abi: cannot marshal in to go type: length insufficient 64 require 69'],
  [
    'a text without its length',
    'string',
    [32n],
    'abi: cannot marshal in to go slice: offset 64 would go over slice boundary (len=32)',
  ],
  ['a text of endless length', 'string', [32n, 2n ** 63n], `abi: length larger than int64: ${2n ** 63n + 64n}`],
  [
    'a list without its items',
    'uint256[]',
    [32n, 5n, 1n],
    'abi: cannot marshal into go array: offset 32 would go over slice boundary (len=160)',
  ],
  [
    'a text outside the tuple in a list',
    '(string,uint256)[]',
    [32n, 1n, 32n, 64n, 7n],
    'abi: cannot marshal in to go slice: offset 96 would go over slice boundary (len=64)',
  ],
  [
    'a tuple outside',
    '(string,uint256)',
    [64n],
    'abi: cannot marshal in to go slice: offset 64 would go over slice boundary (len=32)',
  ],
  [
    'an array outside',
    'string[2]',
    [64n],
    'abi: toGoType offset greater than output length: offset: 64, len(output): 32',
  ],
]

for (const [name, types, words, text] of refusals) {
  test(`calldata with ${name} is refused as go-ethereum does`, (t) => {
    const data = hexToBytes(`0x${words.map((each) => each.toString(16).padStart(64, '0')).join('')}`)
    t.throws(() => decodeAbi(abiTypes(types), data), { message: text })
  })
}

test('a list whose length does not fit is refused before it is made', (t) => {
  const data = hexToBytes(`0x${[32n, 3n, 1n].map((each) => each.toString(16).padStart(64, '0')).join('')}`)
  t.throws(() => decodeAbi(abiTypes('uint256[]'), data), { code: 'PRECOMPILE_REVERTED' })
})

test('an array without items is no type, as in Solidity', (t) => {
  t.throws(() => abiTypes('uint256[0][]'), { message: 'uint256[0] is no ABI type' })
})

test('texts that overlap are refused before they exhaust the memory', (t) => {
  const word = (value: number) => value.toString(16).padStart(64, '0')
  const overlapping = (count: number) => {
    const text = word(2 ** 20) + '61'.repeat(2 ** 20)
    return hexToBytes(`0x${word(32)}${word(count)}${word(32 * count).repeat(count)}${text}`)
  }
  const read = (count: number) => decodeAbi(abiTypes('string[]'), overlapping(count)).flat().length
  t.is(read(16), 16)
  t.throws(() => read(17), {
    message: 'abi: the texts of a call have more than 16777216 bytes',
  })
})
