import type { Misbehavior } from '../app/abci.ts'
import type { Evidence } from './block.ts'

/**
 * Returns the ABCI misbehavior for a piece of evidence: one per validator of an attack (CometBFT
 * `types/evidence.go`, ABCI).
 */
export function misbehaviorOf(evidence: Evidence): readonly Misbehavior[] {
  const { time, totalPower } = evidence
  if (evidence.type === 'duplicateVote') {
    const {
      voteA: { validatorAddress: address, height },
      validatorPower: power,
    } = evidence
    return [{ type: 'duplicateVote', address, power, height, time, totalPower }]
  }
  return evidence.byzantine.map(({ address, power }) => ({
    type: 'lightClientAttack',
    address,
    power,
    height: evidence.commonHeight,
    time,
    totalPower,
  }))
}
