/** The wire form of a light block, before any check. */
import { headerHashesJson } from '../../codec/headerHashes.ts'
import { base64, int64, list, pointer, string, time, uint64, upperHex, type CometCodec } from '../../codec/comet.ts'
import { struct, variant } from '../../codec/cometParams.ts'
import { blockId, commit } from '../../codec/votes.ts'

const headerCodec = struct({
  version: struct({ block: uint64, app: uint64 }),
  chain_id: string,
  height: int64,
  time,
  last_block_id: blockId.codec,
  ...headerHashesJson(() => upperHex),
})

const keyCodec = variant(
  {
    'tendermint/PubKeyEd25519': base64() as CometCodec<unknown>,
    'tendermint/PubKeySecp256k1': base64() as CometCodec<unknown>,
  },
  [],
)

const validatorCodec = struct({ address: upperHex, pub_key: keyCodec, voting_power: int64, proposer_priority: int64 })

/** Codec of a list of validators, each of which may be null. */
export const validatorsCodec = list(pointer(validatorCodec))

const setCodec = struct({ validators: validatorsCodec, proposer: pointer(validatorCodec) })

export const lightBlockCodec = struct({
  signed_header: pointer(struct({ header: pointer(headerCodec), commit: pointer(commit.codec) })),
  validator_set: pointer(setCodec),
})

export type WireLightBlock = ReturnType<typeof lightBlockCodec.absent>
export type WireHeader = ReturnType<typeof headerCodec.absent>
export type WireSet = ReturnType<typeof setCodec.absent>
export type WireValidator = ReturnType<typeof validatorCodec.absent>
