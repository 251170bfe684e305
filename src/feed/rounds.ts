/**
 * The consensus steps of a height as events (`comet-rpc.md` §3.3). A round whose proposer is down
 * ends with nil votes (`corrections-a.md` A 25). In the deciding round all running validators vote
 * for the block.
 */
import type { BlockRecord, Vote } from '../chain/block.ts'
import type { Signers } from '../chain/chain.ts'
import { voteSignBytes, zeroBlockId } from '../chain/hashing.ts'
import { incremented } from '../chain/validators.ts'
import { upperHexOf } from '../codec/comet.ts'
import { blockIdJson, voteJson } from './cometShapes.ts'
import { type EventMessage, message } from './cometMessage.ts'

/**
 * Returns the messages before a height's `NewBlock`. Votes are signed only when a subscriber reads
 * them.
 */
export function roundMessages(record: BlockRecord, signers: Signers): readonly EventMessage[] {
  const deciding = record.seenCommit.round
  const failed = Array.from({ length: deciding }, (_, round) => failedRound(record, round, signers))
  return [...failed.flat(), ...decidingRound(record, deciding, signers)]
}

/** Returns the last message of a height: the step to the next height. */
export function nextHeightMessages({ block: { header } }: BlockRecord): readonly EventMessage[] {
  return [stateMessage(header.height + 1n, 0)('NewRoundStep', 'NewHeight')]
}

function failedRound(record: BlockRecord, round: number, signers: Signers): readonly EventMessage[] {
  const state = stateMessage(record.block.header.height, round)
  return [
    newRound(record, round),
    state('NewRoundStep', 'Propose'),
    state('TimeoutPropose', 'Propose'),
    state('NewRoundStep', 'Prevote'),
    ...votes(record, { type: 1, round, isNil: true }, signers),
    state('Polka', 'Prevote'),
    state('NewRoundStep', 'Precommit'),
    ...votes(record, { type: 2, round, isNil: true }, signers),
    state('NewRoundStep', 'Precommit'),
    state('TimeoutWait', 'Precommit'),
  ]
}

function decidingRound(record: BlockRecord, round: number, signers: Signers): readonly EventMessage[] {
  const height = record.block.header.height.toString()
  const state = stateMessage(record.block.header.height, round)
  return [
    newRound(record, round),
    state('NewRoundStep', 'Propose'),
    message('CompleteProposal', [], () => ({
      height,
      round,
      step: 'RoundStepPropose',
      block_id: blockIdJson(record.id),
    })),
    state('NewRoundStep', 'Prevote'),
    ...votes(record, { type: 1, round, isNil: false }, signers),
    state('ValidBlock', 'Prevote'),
    state('Polka', 'Prevote'),
    state('Lock', 'Prevote'),
    state('NewRoundStep', 'Precommit'),
    ...votes(record, { type: 2, round, isNil: false }, signers),
    state('NewRoundStep', 'Commit'),
  ]
}

function stateMessage(height: bigint, round: number): (name: string, step: string) => EventMessage {
  return (name, step) =>
    message(name, [], () => ({ height: height.toString(), round, step: `RoundStep${step}` }), 'RoundState')
}

function newRound({ block: { header }, validators }: BlockRecord, round: number): EventMessage {
  return message('NewRound', [], () => {
    const { validators: list, proposer: index } = round === 0 ? validators : incremented(validators, round)
    return {
      height: header.height.toString(),
      round,
      step: 'RoundStepNewRound',
      proposer: { address: upperHexOf(list[index]?.address ?? new Uint8Array(0)), index },
    }
  })
}

type Kind = { readonly type: 1 | 2; readonly round: number; readonly isNil: boolean }

/** Returns the votes of a round: one for each validator whose precommit is in the commit. */
function votes(record: BlockRecord, kind: Kind, signers: Signers): readonly EventMessage[] {
  return record.seenCommit.signatures.flatMap(({ flag, address, time, signature }, validatorIndex) => {
    if (flag === 1) return []
    return [
      message('Vote', [], () => {
        const vote: Omit<Vote, 'signature'> = {
          type: kind.type,
          height: record.block.header.height,
          round: kind.round,
          blockId: kind.isNil ? zeroBlockId : record.id,
          time,
          validatorAddress: address,
          validatorIndex,
        }
        const isKept = kind.type === 2 && !kind.isNil
        return {
          Vote: voteJson({ ...vote, signature: isKept ? signature : signed(record, vote, kind.isNil, signers) }),
        }
      }),
    ]
  })
}

function signed(record: BlockRecord, vote: Omit<Vote, 'signature'>, isNil: boolean, { sign }: Signers): Uint8Array {
  const bytes = voteSignBytes({ ...vote, blockId: isNil ? undefined : vote.blockId }, record.block.header.chainId)
  return sign(vote.validatorAddress, bytes) ?? new Uint8Array(0)
}
