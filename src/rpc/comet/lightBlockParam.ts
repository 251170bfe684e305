/** The wire form of a light block, before any check. */
import { headerHashesJson } from '../../codec/headerHashes.ts'
import {
  base64,
  base64OrNil,
  int32,
  int64,
  list,
  pointer,
  string,
  time,
  uint64,
  upperHex,
  type CometCodec,
} from '../../codec/comet.ts'
import { struct, variant } from '../../codec/cometParams.ts'

const blockIdCodec = struct({ hash: upperHex, parts: struct({ total: int32, hash: upperHex }) })

const headerCodec = struct({
  version: struct({ block: uint64, app: uint64 }),
  chain_id: string,
  height: int64,
  time,
  last_block_id: blockIdCodec,
  ...headerHashesJson(() => upperHex),
})

const signatureCodec = struct({
  block_id_flag: int32,
  validator_address: upperHex,
  timestamp: time,
  signature: base64OrNil,
})

const commitCodec = struct({ height: int64, round: int32, block_id: blockIdCodec, signatures: list(signatureCodec) })

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
  signed_header: pointer(struct({ header: pointer(headerCodec), commit: pointer(commitCodec) })),
  validator_set: pointer(setCodec),
})

export type WireLightBlock = ReturnType<typeof lightBlockCodec.absent>
export type WireHeader = ReturnType<typeof headerCodec.absent>
export type WireCommit = ReturnType<typeof commitCodec.absent>
export type WireSignature = ReturnType<typeof signatureCodec.absent>
export type WireSet = ReturnType<typeof setCodec.absent>
export type WireValidator = ReturnType<typeof validatorCodec.absent>
