import test from 'ava'
import { fromRlp, hexToBytes, keccak256, parseTransaction, serializeTransaction, toHex, toRlp } from 'viem'
import type { Hex, TransactionSerializable } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import {
  authorizationPayload,
  decodeEthTx,
  encodeEthTx,
  legacyChainId,
  signingPayload,
  yParityOf,
} from '../../src/codec/ethTx.ts'
import { SimError } from '../../src/errors.ts'

const account = privateKeyToAccount(`0x${'4a'.repeat(32)}`)
const to = '0x3535353535353535353535353535353535353535'
const accessList = [{ address: to, storageKeys: [`0x${'01'.repeat(32)}`, `0x${'02'.repeat(32)}`] }] as const
const base = { nonce: 9, gas: 21_000n, value: 10n ** 18n, data: '0xc0ffee' } as const
const fees = { chainId: 262_144, maxFeePerGas: 20n, maxPriorityFeePerGas: 0n } as const
const authorization = await account.signAuthorization({ address: to, chainId: 1, nonce: 3 })
const cases: readonly (readonly [string, TransactionSerializable])[] = [
  ['legacy', { ...base, to, type: 'legacy', gasPrice: 20n, chainId: 262_144 }],
  ['legacy without replay protection', { ...base, to, type: 'legacy', gasPrice: 20n }],
  ['legacy creation', { ...base, type: 'legacy', gasPrice: 0n, nonce: 0, chainId: 1 }],
  ['EIP-2930', { ...base, to, type: 'eip2930', gasPrice: 20n, chainId: 1, accessList }],
  ['EIP-1559', { ...base, ...fees, to, type: 'eip1559', accessList: [] }],
  ['EIP-1559 creation', { ...base, ...fees, type: 'eip1559', accessList }],
  [
    'EIP-4844',
    {
      ...base,
      ...fees,
      to,
      type: 'eip4844',
      maxFeePerBlobGas: 7n,
      blobVersionedHashes: [`0x01${'ab'.repeat(31)}`],
    },
  ],
  ['EIP-7702', { ...base, ...fees, to, type: 'eip7702', authorizationList: [authorization] }],
]
for (const [name, tx] of cases) {
  test(`a transaction is read and written as viem does: ${name}`, async (t) => {
    const raw = await account.signTransaction(tx)
    const decoded = decodeEthTx(hexToBytes(raw))
    t.is(toHex(encodeEthTx(decoded)), raw)
    const parsed = parseTransaction(raw)
    t.is(decoded.nonce, BigInt(parsed.nonce ?? 0))
    t.is(decoded.value, parsed.value ?? 0n)
    t.is(decoded.to === undefined ? undefined : toHex(decoded.to), tx.to?.toLowerCase() as typeof to | undefined)
    t.is(decoded.r, BigInt(parsed.r ?? 0))
    t.is(yParityOf(decoded), BigInt(parsed.yParity ?? -1))
    const chainId = decoded.type === 0 ? legacyChainId(decoded) : decoded.chainId
    t.is(chainId, tx.chainId === undefined ? undefined : BigInt(tx.chainId))
    t.is(toHex(signingPayload(decoded, chainId)), serializeTransaction(tx))
  })
}

const blobTx = {
  ...base,
  ...fees,
  to,
  type: 'eip4844',
  maxFeePerBlobGas: 7n,
  blobVersionedHashes: [`0x01${'ab'.repeat(31)}`],
} as const
const signedBlobTx = await account.signTransaction(blobTx)
const fieldsOfBlobTx = fromRlp(`0x${signedBlobTx.slice(4)}`, 'hex') as Hex[]
const sentWith = (...more: readonly (Hex | readonly Hex[])[]): Uint8Array =>
  hexToBytes(`0x03${toRlp([fieldsOfBlobTx, ...more] as never).slice(2)}`)

test('a transaction with its blobs is read without them', (t) => {
  const sidecar = [[`0x${'00'.repeat(131_072)}`], [`0x${'01'.repeat(48)}`], [`0x${'02'.repeat(48)}`]] as const
  const bare = decodeEthTx(hexToBytes(signedBlobTx))
  t.deepEqual(decodeEthTx(sentWith(...sidecar)), bare)
  t.deepEqual(decodeEthTx(sentWith('0x01', ...sidecar)), bare)
  t.deepEqual(toHex(encodeEthTx(bare)), signedBlobTx)
})

const badBlobs: readonly (readonly [string, Uint8Array])[] = [
  ['unexpected EOF', sentWith()],
  ['unexpected EOF', hexToBytes('0x03c0')],
  ['rlp: expected List', hexToBytes('0x0380')],
  ['rlp: too few elements for types.blobTxWithBlobsV0', sentWith([])],
  ['rlp: input list has too many elements for types.blobTxWithBlobsV0', sentWith([], [], [], [])],
  [
    'rlp: input string too short for kzg4844.Blob, decoding into (types.blobTxWithBlobsV0).Blobs[0]',
    sentWith(['0x00'], [], []),
  ],
  ['unsupported blob tx version 2', sentWith('0x02', [], [], [])],
  ['rlp: input contains more than one value', new Uint8Array([...sentWith([], [], []), 0])],
]
for (const [text, bytes] of badBlobs) {
  test(`bad blobs (${bytes.length} bytes) are refused with: ${text}`, (t) => {
    t.is(t.throws(() => decodeEthTx(bytes)).message, text)
  })
}

test('the example of EIP-155 has its signing hash', (t) => {
  const raw =
    '0xf86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83'
  const tx = decodeEthTx(hexToBytes(raw))
  t.is(keccak256(signingPayload(tx, 1n)), '0xdaf5a779ae972f972197303d7b574746c7ef83eadac0f2791ad23db92e4c8e53')
})

test('an authorization is signed over its own payload', async (t) => {
  const payload = authorizationPayload({ chainId: 1n, address: hexToBytes(to), nonce: 3n })
  const signed = await account.sign({ hash: keccak256(payload) })
  t.is(signed.slice(2, 66), authorization.r.slice(2).padStart(64, '0'))
})

const refuses = test.macro((t, hex: `0x${string}`, text: string) => {
  t.is(t.throws(() => decodeEthTx(hexToBytes(hex)), { instanceOf: SimError })?.message, text)
})
for (const [hex, text] of [
  ['0x', 'typed transaction too short'],
  ['0x00', 'typed transaction too short'],
  ['0x02', 'typed transaction too short'],
  ['0x05c0', 'transaction type not supported'],
  ['0x7fc0', 'transaction type not supported'],
  ['0xdeadbeef', 'rlp: value size exceeds available input length'],
  ['0xf86c', 'rlp: value size exceeds available input length'],
  ['0xc0', 'rlp: too few elements for types.LegacyTx'],
  ['0xc20102', 'rlp: too few elements for types.LegacyTx'],
  ['0x02c0', 'rlp: too few elements for types.DynamicFeeTx'],
  ['0x80', 'rlp: expected input list for types.LegacyTx'],
  ['0xc100', 'rlp: non-canonical integer (leading zero bytes) for uint64, decoding into (types.LegacyTx).Nonce'],
  ['0xc1c0', 'rlp: expected input string or byte for uint64, decoding into (types.LegacyTx).Nonce'],
  ['0xca89010000000000000000', 'rlp: input string too long for uint64, decoding into (types.LegacyTx).Nonce'],
  ['0xc5010203811f', 'rlp: non-canonical size information for common.Address, decoding into (types.LegacyTx).To'],
  ['0xc5010203821f1f', 'rlp: element is larger than containing list'],
  ['0xc601020382 1f1f', 'rlp: input string too short for common.Address, decoding into (types.LegacyTx).To'],
  ['0xca01020380808080808080', 'rlp: input list has too many elements for types.LegacyTx'],
  ['0xc9010203808080808080c0', 'rlp: input contains more than one value'],
] as const)
  test(`${hex} is refused with: ${text}`, refuses, hex.replace(' ', '') as `0x${string}`, text)
