import type { Misbehavior } from '../app/abci.ts'
import type { Evidence } from './block.ts'

/**
 * Returns what the application is told of a piece of evidence: an attack by several validators is
 * one misbehaviour of each (CometBFT `types/evidence.go`, ABCI).
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
