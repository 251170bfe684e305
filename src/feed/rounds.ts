/**
 * The consensus steps of a height as events (`comet-rpc.md` §3.3): chainstage decides in one round, so
 * they are those of a round in which everybody agreed.
 */
import type { BlockRecord, Validator } from '../chain/block.ts'
import { upperHexOf } from '../codec/comet.ts'
import type { PlainObject } from '../codec/goJsonWrite.ts'
import { blockIdJson, voteJson } from './cometShapes.ts'
import { message, type Message } from './comet.ts'

/** Returns what is published before `NewBlock` of a height, and the step to the next one. */
export function roundMessages(record: BlockRecord): readonly Message[] {
  const height = record.block.header.height.toString()
  const state = (name: string, step: string) =>
    message(name, [], () => ({ height, round: 0, step: `RoundStep${step}` }), 'RoundState')
  const proposer = record.validators.validators[record.validators.proposer]
  return [
    message('NewRound', [], () => ({ height, round: 0, step: 'RoundStepNewRound', proposer: proposerJson(record, proposer) })),
    state('NewRoundStep', 'Propose'),
    message('CompleteProposal', [], () => ({ height, round: 0, step: 'RoundStepPropose', block_id: blockIdJson(record.id) })),
    state('NewRoundStep', 'Prevote'),
    ...votes(record, 1),
    state('ValidBlock', 'Prevote'),
    state('Polka', 'Prevote'),
    state('Lock', 'Prevote'),
    state('NewRoundStep', 'Precommit'),
    ...votes(record, 2),
    state('NewRoundStep', 'Commit'),
  ]
}

function proposerJson({ validators: { proposer: index } }: BlockRecord, proposer: Validator | undefined): PlainObject {
  return { address: upperHexOf(proposer?.address ?? new Uint8Array(0)), index }
}

/** Prevotes are not kept: they stand with the time and signature of the precommit. */
function votes(record: BlockRecord, type: 1 | 2): readonly Message[] {
  return record.seenCommit.signatures.flatMap(({ flag, address, time, signature }, validatorIndex) =>
    flag === 1 ? [] : [message('Vote', [], () => ({
      Vote: voteJson({
        type, height: record.block.header.height, round: 0, blockId: record.id, time,
        validatorAddress: address, validatorIndex, signature,
      }),
    }))])
}
