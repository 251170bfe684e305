import { remembered } from '../data/remembered.ts'
import { SimError } from '../errors.ts'
import {
  type RlpHead,
  type RlpItem,
  type RlpStream,
  encodeRlp,
  enterList,
  peekRlp,
  RlpError,
  rlpInteger,
} from './rlp.ts'
import {
  type RlpField,
  type RlpType,
  readRlp,
  rlpBytes,
  rlpFixed,
  rlpList,
  rlpNil,
  rlpStruct,
  rlpUint,
  writeRlp,
} from './rlpType.ts'

export type EthAccess = {
  readonly address: Uint8Array
  readonly storageKeys: readonly Uint8Array[]
}

/** An EIP-7702 authorization with its signature. */
export type EthAuthorization = {
  readonly chainId: bigint
  readonly address: Uint8Array
  readonly nonce: bigint
  readonly yParity: bigint
  readonly r: bigint
  readonly s: bigint
}

type Common = {
  readonly nonce: bigint
  readonly gas: bigint
  readonly value: bigint
  readonly data: Uint8Array
  readonly v: bigint
  readonly r: bigint
  readonly s: bigint
}
type Creating = Common & { readonly to: Uint8Array | undefined }
type Calling = Common & { readonly to: Uint8Array }
type Listed = { readonly chainId: bigint; readonly accessList: readonly EthAccess[] }
type Priced = { readonly maxPriorityFeePerGas: bigint; readonly maxFeePerGas: bigint }

/**
 * A signed Ethereum transaction, decoded from its bytes. In an unsigned one, v, r and s are zero.
 */
export type LegacyTx = { readonly type: 0; readonly gasPrice: bigint } & Creating
export type AccessListTx = { readonly type: 1; readonly gasPrice: bigint } & Creating & Listed
export type DynamicFeeTx = { readonly type: 2 } & Creating & Listed & Priced
export type BlobTx = {
  readonly type: 3
  readonly blobFeeCap: bigint
  readonly blobHashes: readonly Uint8Array[]
} & Calling &
  Listed &
  Priced
export type SetCodeTx = {
  readonly type: 4
  readonly authorizations: readonly EthAuthorization[]
} & Calling &
  Listed &
  Priced
export type EthTx = LegacyTx | AccessListTx | DynamicFeeTx | BlobTx | SetCodeTx

/**
 * Returns the transaction encoded by canonical bytes: RLP, or a type byte and RLP (EIP-2718).
 * Throws `RlpError` or `EthTxError` with geth's texts (cosmos-evm-rpc.md §2.7). Results are cached,
 * because the same bytes are decoded for validation and for sender recovery.
 */
export const decodeEthTx: (bytes: Uint8Array) => EthTx = remembered(decodeFresh)

function decodeFresh(bytes: Uint8Array): EthTx {
  const lead = bytes[0] ?? 0
  if (lead > 0x7f) return { type: 0, ...readRlp(types[0], bytes) }
  if (bytes.length <= 1) throw new EthTxError('typed transaction too short')
  const body = bytes.subarray(1)
  switch (lead) {
    case 1:
      return { type: 1, ...readRlp(types[1], body) }
    case 2:
      return { type: 2, ...readRlp(types[2], body) }
    case 3:
      return { type: 3, ...readBlobTx(body) }
    case 4:
      return { type: 4, ...readRlp(types[4], body) }
  }
  throw new EthTxError('transaction type not supported')
}

/**
 * Clients send a transaction with its blobs, which its hash leaves out: `[tx, blobs, …]`, or `[tx, version, blobs, …]`.
 * The fields of a transaction begin with a number.
 */
function readBlobTx(body: Uint8Array): Omit<BlobTx, 'type'> {
  const stream: RlpStream = { bytes: body, at: 0, ends: [] }
  if (peekRlp(stream)?.kind !== 'list') throw new RlpError('rlp: expected List')
  enterList(stream)
  const first = nextOf(stream)
  if (first.kind !== 'list') return readRlp(types[3], body)
  stream.at = first.start + first.size
  if (nextOf(stream).kind === 'list') return readRlp(withBlobs, body).tx
  const { tx, version } = readRlp(withVersion, body)
  if (version !== 1n) throw new EthTxError(`unsupported blob tx version ${version}`)
  return tx
}

function nextOf(stream: RlpStream): RlpHead {
  const head = peekRlp(stream)
  if (head === undefined) throw new RlpError('unexpected EOF')
  return head
}

/** Returns the canonical bytes of a transaction; their keccak256 is the transaction hash. */
export function encodeEthTx(tx: EthTx): Uint8Array {
  switch (tx.type) {
    case 0:
      return writeRlp(types[0], tx)
    case 1:
      return typed(1, writeRlp(types[1], tx))
    case 2:
      return typed(2, writeRlp(types[2], tx))
    case 3:
      return typed(3, writeRlp(types[3], tx))
    case 4:
      return typed(4, writeRlp(types[4], tx))
  }
}

/**
 * Returns the bytes whose keccak256 the sender signs. For type 0, a chain ID selects the
 * replay-protected form of EIP-155, and undefined selects the older form. The other types contain
 * their chain ID.
 */
export function signingPayload(tx: EthTx, legacyChainId: bigint | undefined): Uint8Array {
  const unsigned = fieldsOf[tx.type].slice(0, -3).map(([key, , type]) => type.item(Reflect.get(tx, key)))
  if (tx.type !== 0) return typed(tx.type, encodeRlp(unsigned))
  if (legacyChainId === undefined) return encodeRlp(unsigned)
  const empty = new Uint8Array(0)
  return encodeRlp([...unsigned, rlpInteger(legacyChainId), empty, empty])
}

/**
 * Returns the bytes whose keccak256 an authority signs: `0x05 ‖ rlp([chainId, address, nonce])`
 * (EIP-7702).
 */
export function authorizationPayload(item: Pick<EthAuthorization, 'chainId' | 'address' | 'nonce'>): Uint8Array {
  const fields: RlpItem = [rlpInteger(item.chainId), item.address, rlpInteger(item.nonce)]
  return typed(5, encodeRlp(fields))
}

/**
 * Returns the chain ID encoded in the `v` of a legacy transaction, or undefined without replay
 * protection (EIP-155). Like geth, which counts in 64 bits, takes each other `v` as a chain ID: 26 is
 * 9223372036854775803.
 */
export function legacyChainId({ v }: Pick<LegacyTx, 'v'>): bigint | undefined {
  if (v === 27n || v === 28n || v === 0n || v === 1n) return undefined
  return v >= 35n ? (v - 35n) / 2n : BigInt.asUintN(64, v - 35n) / 2n
}

/** Returns which of the two curve points with this `r` was used: 0 or 1 for a valid signature. */
export function yParityOf(tx: EthTx): bigint {
  if (tx.type !== 0) return tx.v
  return tx.v >= 35n ? (tx.v - 35n) % 2n : tx.v - 27n
}

function typed(type: number, body: Uint8Array): Uint8Array {
  const out = new Uint8Array(body.length + 1)
  out[0] = type
  out.set(body, 1)
  return out
}

const uint64 = rlpUint('uint64', 64)
// big.Int has no size limit; the input's size bounds it.
const big = rlpUint('*big.Int', 8 * 2 ** 32)
const u256 = rlpUint('*uint256.Int', 256)
const address = rlpFixed('common.Address', 20)
const hash = rlpFixed('common.Hash', 32)
const accessList = rlpList(
  'types.AccessList',
  rlpStruct<EthAccess>('types.AccessTuple', [
    ['address', 'Address', address],
    ['storageKeys', 'StorageKeys', rlpList('[]common.Hash', hash)],
  ]),
)
const authorizations = rlpList(
  '[]types.SetCodeAuthorization',
  rlpStruct<EthAuthorization>('types.SetCodeAuthorization', [
    ['chainId', 'ChainID', rlpUint('uint256.Int', 256)],
    ['address', 'Address', address],
    ['nonce', 'Nonce', uint64],
    ['yParity', 'V', rlpUint('uint8', 8)],
    ['r', 'R', rlpUint('uint256.Int', 256)],
    ['s', 'S', rlpUint('uint256.Int', 256)],
  ]),
)

function call(amount: RlpType<bigint>, to: RlpType<Uint8Array | undefined>): readonly RlpField[] {
  return [
    ['gas', 'Gas', uint64],
    ['to', 'To', to],
    ['value', 'Value', amount],
    ['data', 'Data', rlpBytes],
  ]
}

function signature(amount: RlpType<bigint>): readonly RlpField[] {
  return [
    ['v', 'V', amount],
    ['r', 'R', amount],
    ['s', 'S', amount],
  ]
}

function fees(amount: RlpType<bigint>): readonly RlpField[] {
  return [
    ['maxPriorityFeePerGas', 'GasTipCap', amount],
    ['maxFeePerGas', 'GasFeeCap', amount],
  ]
}

function chain(amount: RlpType<bigint>): readonly RlpField[] {
  return [
    ['chainId', 'ChainID', amount],
    ['nonce', 'Nonce', uint64],
  ]
}

const list: RlpField = ['accessList', 'AccessList', accessList]
const gasPrice: RlpField = ['gasPrice', 'GasPrice', big]
const blobs: readonly RlpField[] = [
  ['blobFeeCap', 'BlobFeeCap', u256],
  ['blobHashes', 'BlobHashes', rlpList('[]common.Hash', hash)],
]
const fieldsOf = {
  0: [['nonce', 'Nonce', uint64], gasPrice, ...call(big, rlpNil(address)), ...signature(big)],
  1: [...chain(big), gasPrice, ...call(big, rlpNil(address)), list, ...signature(big)],
  2: [...chain(big), ...fees(big), ...call(big, rlpNil(address)), list, ...signature(big)],
  3: [...chain(u256), ...fees(u256), ...call(u256, address), list, ...blobs, ...signature(u256)],
  4: [
    ...chain(u256),
    ...fees(u256),
    ...call(u256, address),
    list,
    ['authorizations', 'AuthList', authorizations],
    ...signature(u256),
  ],
} as const satisfies Record<EthTx['type'], readonly RlpField[]>

const types = {
  0: rlpStruct<Omit<LegacyTx, 'type'>>('types.LegacyTx', fieldsOf[0]),
  1: rlpStruct<Omit<AccessListTx, 'type'>>('types.AccessListTx', fieldsOf[1]),
  2: rlpStruct<Omit<DynamicFeeTx, 'type'>>('types.DynamicFeeTx', fieldsOf[2]),
  3: rlpStruct<Omit<BlobTx, 'type'>>('types.BlobTx', fieldsOf[3]),
  4: rlpStruct<Omit<SetCodeTx, 'type'>>('types.SetCodeTx', fieldsOf[4]),
}

const tx: RlpField = ['tx', 'BlobTx', types[3]]
const sidecar: readonly RlpField[] = [
  ['blobs', 'Blobs', rlpList('[]kzg4844.Blob', rlpFixed('kzg4844.Blob', 131_072))],
  ['commitments', 'Commitments', rlpList('[]kzg4844.Commitment', rlpFixed('kzg4844.Commitment', 48))],
  ['proofs', 'Proofs', rlpList('[]kzg4844.Proof', rlpFixed('kzg4844.Proof', 48))],
]
type Unblobbed = { readonly tx: Omit<BlobTx, 'type'> }
const withBlobs = rlpStruct<Unblobbed>('types.blobTxWithBlobsV0', [tx, ...sidecar])
const withVersion = rlpStruct<Unblobbed & { readonly version: bigint }>('types.blobTxWithBlobsV1', [
  tx,
  ['version', 'Version', rlpUint('uint8', 8)],
  ...sidecar,
])

/** An invalid Ethereum transaction; `message` is geth's text. */
export class EthTxError extends SimError {
  constructor(text: string) {
    super('BAD_ETH_TX', text, {
      hint: 'Types 0 to 4 are known; the first byte of other bytes is the type.',
    })
  }
}
