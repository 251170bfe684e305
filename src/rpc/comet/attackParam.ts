/**
 * Reads evidence of a light client attack and makes the checks that need no chain (CometBFT
 * `types/evidence.go`).
 */
import type { LightClientAttackEvidence } from '../../chain/block.ts'
import { GoPanic, nilPointer, int64, pointer, time } from '../../codec/comet.ts'
import { struct } from '../../codec/cometParams.ts'
import { lightBlockOf, receivedValidator } from './lightBlock.ts'
import { lightBlockCodec, validatorsCodec } from './lightBlockParam.ts'

export const attackCodec = struct({
  ConflictingBlock: pointer(lightBlockCodec),
  CommonHeight: int64,
  ByzantineValidators: validatorsCodec,
  TotalVotingPower: int64,
  Timestamp: time,
})

export type WireAttack = ReturnType<typeof attackCodec.absent>

/**
 * Returns the evidence, or the error text if it is invalid on any chain. Throws `GoPanic` where a
 * real node dereferences a nil pointer.
 */
export function attackOf(given: WireAttack): LightClientAttackEvidence | string {
  const { ConflictingBlock: block, CommonHeight: commonHeight, TotalVotingPower: totalPower } = given
  if (block === undefined) return 'conflicting block is nil'
  if (block.signed_header === undefined) throw new GoPanic(nilPointer)
  const { header } = block.signed_header
  if (header === undefined) return 'conflicting block missing header'
  if (totalPower <= 0n) return 'negative or zero total voting power'
  if (commonHeight <= 0n) return 'negative or zero common height'
  if (commonHeight > header.height) {
    return `common height is ahead of the conflicting block height (${commonHeight} > ${header.height})`
  }
  const conflicting = lightBlockOf(block)
  if (typeof conflicting === 'string') return `invalid conflicting light block: ${conflicting}`
  const byzantine = given.ByzantineValidators.map((one) => {
    if (one === undefined) throw new GoPanic(nilPointer)
    return receivedValidator(one)
  })
  return {
    type: 'lightClientAttack',
    conflicting,
    commonHeight,
    totalPower,
    time: given.Timestamp,
    byzantine,
  }
}
