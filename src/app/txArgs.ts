/**
 * The transaction arguments of calls, estimates and sending (`cosmos-evm-rpc.md` §2.5). They follow
 * geth's `TransactionArgs`, with Go type names in error messages.
 */
import { array, mismatch, object, optional, type Codec } from '../codec/codec.ts'
import { DecodeError } from '../codec/decodeError.ts'
import type { EthAuthorization } from '../codec/ethTx.ts'
import { maxInt64 } from '../codec/goIntegers.ts'
import { address, big, data, fixedData, hash, quantity, uint64 } from '../codec/hex.ts'
import type { AccessListEntry, EvmAuthorization, EvmTx } from '../evm/types.ts'
import { grpcCodes, GrpcStatus } from './grpcStatus.ts'

/** The gas limit of a call without a configured cap (geth, and cosmos/evm x/vm grpc_query.go). */
export const gasWithoutCap = maxInt64

/**
 * Every member is optional. For `blobs`, `commitments` and `proofs` only their presence matters.
 */
export type TxArgs = {
  readonly from: Uint8Array | undefined
  readonly to: Uint8Array | undefined
  readonly gas: bigint | undefined
  readonly gasPrice: bigint | undefined
  readonly maxFeePerGas: bigint | undefined
  readonly maxPriorityFeePerGas: bigint | undefined
  readonly value: bigint | undefined
  readonly nonce: bigint | undefined
  readonly data: Uint8Array | undefined
  readonly input: Uint8Array | undefined
  readonly accessList: readonly AccessListEntry[] | undefined
  readonly chainId: bigint | undefined
  readonly maxFeePerBlobGas: bigint | undefined
  readonly blobVersionedHashes: readonly Uint8Array[] | undefined
  readonly blobs: readonly Uint8Array[] | undefined
  readonly commitments: readonly Uint8Array[] | undefined
  readonly proofs: readonly Uint8Array[] | undefined
  readonly authorizationList: readonly EthAuthorization[] | undefined
}

/**
 * Returns the codec of a required member. As in Go, null and a missing member are the same error.
 */
function demanded<Value>(codec: Codec<Value>, goType: string, name: string): Codec<Value> {
  const missing = (path: string): DecodeError => {
    const text = `missing required field '${name}' for ${goType}`
    return new DecodeError({ path, expected: name, received: 'nothing', text })
  }
  return {
    schema: codec.schema,
    encode: codec.encode,
    decode: (wire, path) => {
      if (wire.type === 'null') throw missing(path)
      return codec.decode(wire, path)
    },
    absent: () => {
      throw missing(name)
    },
  }
}

type AccessTuple = { readonly address: Uint8Array; readonly storageKeys: readonly Uint8Array[] }

const accessTuple: Codec<AccessTuple> = object<AccessTuple>(
  {
    address: demanded(address, 'AccessTuple', 'address'),
    storageKeys: demanded(array(hash, '[]common.Hash'), 'AccessTuple', 'storageKeys'),
  },
  { goType: 'types.AccessTuple', opaque: true },
)

const accessTuples = array(accessTuple, 'types.AccessList')

const accessList: Codec<readonly AccessListEntry[]> = {
  schema: accessTuples.schema,
  decode: (wire, path) => {
    if (wire.type !== 'array') throw mismatch(wire, path, 'types.AccessList')
    const tuples = accessTuples.decode(wire, path)
    return tuples.map((entry) => ({ address: entry.address, slots: entry.storageKeys }))
  },
  encode: (list) => accessTuples.encode(list.map((entry) => ({ address: entry.address, storageKeys: entry.slots }))),
}

const word = quantity('uint256.Int', 256)

const authorization: Codec<EthAuthorization> = object<EthAuthorization>(
  {
    chainId: demanded(word, 'SetCodeAuthorization', 'chainId'),
    address: demanded(address, 'SetCodeAuthorization', 'address'),
    nonce: demanded(uint64, 'SetCodeAuthorization', 'nonce'),
    yParity: demanded(uint64, 'SetCodeAuthorization', 'yParity'),
    r: demanded(word, 'SetCodeAuthorization', 'r'),
    s: demanded(word, 'SetCodeAuthorization', 's'),
  },
  { goType: 'types.SetCodeAuthorization', opaque: true },
)

/** Codec of the arguments. As in geth, `type` and unknown members are ignored. */
export const txArgs: Codec<TxArgs> = object<TxArgs>(
  {
    from: optional(address),
    to: optional(address),
    gas: optional(uint64),
    gasPrice: optional(big),
    maxFeePerGas: optional(big),
    maxPriorityFeePerGas: optional(big),
    value: optional(big),
    nonce: optional(uint64),
    data: optional(data()),
    input: optional(data()),
    accessList: optional(accessList),
    chainId: optional(big),
    maxFeePerBlobGas: optional(big),
    blobVersionedHashes: optional(array(hash, '[]common.Hash')),
    blobs: optional(array(fixedData(131_072, 'kzg4844.Blob'), '[]kzg4844.Blob')),
    commitments: optional(array(fixedData(48, 'kzg4844.Commitment'), '[]kzg4844.Commitment')),
    proofs: optional(array(fixedData(48, 'kzg4844.Proof'), '[]kzg4844.Proof')),
    authorizationList: optional(array(authorization, '[]types.SetCodeAuthorization')),
  },
  { goType: 'types.TransactionArgs' },
)

/** Returns the call data; `input` takes precedence over `data`. */
export function inputOf({ data: old, input }: TxArgs): Uint8Array {
  return input ?? old ?? new Uint8Array(0)
}

/** Returns the error message for arguments that mix both ways to set a price, or undefined. */
export function mixedPrices({ gasPrice, maxFeePerGas, maxPriorityFeePerGas }: TxArgs): string | undefined {
  const isMixed = gasPrice !== undefined && (maxFeePerGas !== undefined || maxPriorityFeePerGas !== undefined)
  return isMixed ? 'both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified' : undefined
}

/** Throws `GrpcStatus` if the arguments contradict each other or name another chain. */
export function assertCallable(args: TxArgs, chainId: bigint): void {
  const mixed = mixedPrices(args)
  if (mixed !== undefined) throw new GrpcStatus(grpcCodes.invalidArgument, mixed)
  if (args.chainId === undefined || args.chainId === chainId) return
  const text = `chainId does not match node's (have=${args.chainId}, want=${chainId})`
  throw new GrpcStatus(grpcCodes.invalidArgument, text)
}

/**
 * Returns the message that a call runs. The sender defaults to the zero address and gas to the cap.
 * Prices are not checked, and the nonce is ignored.
 */
export function callMessage(
  args: TxArgs,
  {
    gasCap,
    authorizations,
  }: {
    readonly gasCap: bigint
    readonly authorizations: readonly EvmAuthorization[]
  },
): EvmTx {
  const gas = args.gas ?? gasCap
  const price = args.gasPrice ?? args.maxFeePerGas ?? 0n
  const tip = args.gasPrice ?? args.maxPriorityFeePerGas ?? 0n
  return {
    type: authorizations.length > 0 ? 4 : 2,
    from: args.from ?? new Uint8Array(20),
    to: args.to,
    gasLimit: gas > gasCap ? gasCap : gas,
    gasPrice: price,
    priorityFee: tip > price ? price : tip,
    value: args.value ?? 0n,
    nonce: 0n,
    data: inputOf(args),
    accessList: args.accessList ?? [],
    authorizations,
    blobHashes: args.blobVersionedHashes ?? [],
    blobFeeCap: args.maxFeePerBlobGas ?? 0n,
  }
}
