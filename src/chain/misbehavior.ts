import type { Misbehavior } from '../app/abci.ts'
import type { Evidence } from './block.ts'

const noBytes = new Uint8Array(0)

/** Returns what the application is told of a piece of evidence (CometBFT `types/evidence.go`, ABCI). */
export function misbehaviorOf(evidence: Evidence): Misbehavior {
  const { time, totalPower } = evidence
  if (evidence.type === 'duplicateVote') {
    const { voteA, validatorPower } = evidence
    return { type: 'duplicateVote', address: voteA.validatorAddress, power: validatorPower, height: voteA.height, time, totalPower }
  }
  const [first] = evidence.byzantine
  return {
    type: 'lightClientAttack', address: first?.address ?? noBytes, power: first?.power ?? 0n,
    height: evidence.commonHeight, time, totalPower,
  }
}
