/** State and block overrides of Ethereum JSON-RPC (`cosmos-evm-rpc.md` §2.5). */
import type { BlockOverride, StateOverride } from '../../app/ethereumView.ts'
import { account, readStateOverrides } from '../../app/stateOverrides.ts'
import { object, optional, type Codec } from '../../codec/codec.ts'
import type { Json } from '../../codec/goJson.ts'
import { address, big, hash, uint64 } from '../../codec/hex.ts'
import { fromQueryServer } from './errors.ts'

/** The node passes overrides on as raw JSON; the application finds the errors in them. */
export const rawOverrides: Codec<Json | undefined> = optional({
  schema: { type: 'object', additionalProperties: account.schema },
  decode: (wire: Json) => wire,
  encode: () => null,
})

/** Returns the decoded overrides. Throws with the text of the application's query server. */
export function stateOverrides(wire: Json | undefined): readonly StateOverride[] {
  return fromQueryServer(() => readStateOverrides(wire))
}

type WireBlock = {
  readonly number: bigint | undefined
  readonly time: bigint | undefined
  readonly gasLimit: bigint | undefined
  readonly feeRecipient: Uint8Array | undefined
  readonly prevRandao: Uint8Array | undefined
  readonly baseFeePerGas: bigint | undefined
  readonly blobBaseFee: bigint | undefined
}

const wireBlock: Codec<WireBlock> = object<WireBlock>(
  {
    number: optional(big),
    time: optional(uint64),
    gasLimit: optional(uint64),
    feeRecipient: optional(address),
    prevRandao: optional(hash),
    baseFeePerGas: optional(big),
    blobBaseFee: optional(big),
  },
  { goType: 'override.BlockOverrides' },
)

/** Codec of block overrides, with geth's names. */
export const blockOverride: Codec<BlockOverride | undefined> = optional({
  schema: wireBlock.schema,
  decode: (wire: Json, path: string): BlockOverride => {
    const found = wireBlock.decode(wire, path)
    return defined({
      height: found.number,
      timestampSeconds: found.time,
      gasLimit: found.gasLimit,
      coinbase: found.feeRecipient,
      baseFee: found.baseFeePerGas,
      blobBaseFee: found.blobBaseFee,
      prevRandao: found.prevRandao,
    })
  },
  encode: () => null,
})

type Defined<Value> = { [Key in keyof Value]?: Exclude<Value[Key], undefined> }

function defined<Value extends object>(value: Value): Defined<Value> {
  const entries = Object.entries(value).filter(([, each]) => each !== undefined)
  return Object.fromEntries(entries) as Defined<Value>
}
