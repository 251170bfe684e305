/**
 * Punishes validators that signed two blocks at one height (x/evidence). They are slashed, jailed
 * and can never return.
 */
import { consensusText } from '../../address.ts'
import type { Time } from '../../../../data/time.ts'
import type { Misbehavior } from '../../../abci.ts'
import { consensusParams } from '../../consensus.ts'
import { blockTime } from '../../blockTime.ts'
import { emit, type Context } from '../../context.ts'
import { jail } from '../slashing/infractions.ts'
import { isKeyKnown, setSigningInfo, signingInfo, slashingParams } from '../slashing/signingInfo.ts'
import { slash } from '../staking/slash.ts'
import { status } from '../staking/validator.ts'
import { validatorByConsensus } from '../staking/validators.ts'
import { storeEquivocation } from './equivocation.ts'

/** End of the jail time for double signing: 9999-12-31T23:59:59Z. */
const forever: Time = { seconds: 253_402_300_799n, nanos: 0 }

/** Punishes a validator, unless it is gone, was already punished, or the misbehavior is too old. */
export function punishMisbehavior(context: Context, fault: Misbehavior): void {
  const { address, height, power } = fault
  const validator = validatorByConsensus(context, address)
  if (validator === undefined || validator.status === status.unbonded) return
  const info = signingInfo(context, address)
  if (!isKeyKnown(context, address) || info === undefined || info.tombstoned) return
  if (isTooOld(context, fault)) return
  const { slashFractionDoubleSign: fraction } = slashingParams(context)
  const burned = slash(context, address, { height: height - 1n, power, fraction })
  const name = consensusText(context, address)
  emit(context, 'slash', {
    address: name,
    power: power.toString(),
    reason: 'double_sign',
    burned_coins: burned.toString(),
  })
  if (!validator.jailed) {
    jail(context, address)
    emit(context, 'slash', { jailed: name })
  }
  setSigningInfo(context, address, { ...info, jailedUntil: forever, tombstoned: true })
  storeEquivocation(context, { height, time: fault.time, power, address: name })
}

function isTooOld(context: Context, { height, time }: Misbehavior): boolean {
  const { maxAgeBlocks, maxAgeNanos } = consensusParams(context).evidence
  const now = blockTime(context)
  const nanos = (now.seconds - time.seconds) * 1_000_000_000n + BigInt(now.nanos - time.nanos)
  return nanos > maxAgeNanos && context.block.height - height > maxAgeBlocks
}
