/**
 * The consensus state between two heights: the last commit is complete and the next round has not
 * begun (`comet-rpc.md` §1.21, §1.22). A simulated node is always in this state.
 */
import type { Commit, CommitSignature, ValidatorSet } from '../../chain/block.ts'
import type { Chain } from '../../chain/chain.ts'
import { totalPower } from '../../chain/validators.ts'
import { latestBlock } from '../../chain/view.ts'
import { upperHexOf } from '../../codec/comet.ts'
import type { Plain, PlainObject } from '../../codec/goJsonWrite.ts'
import { formatTime } from '../../codec/time.ts'
import { addNanos, compareTime, zeroTime, type Time } from '../../data/time.ts'
import { validatorSetJson } from '../../feed/cometShapes.ts'
import { durationNanos } from '../../settings/duration.ts'
import type { Context } from '../method.ts'
import { peerAddresses } from './peers.ts'
import { voteText } from './voteText.ts'

/** Returns when the last commit was complete and when the next round may begin. */
function timesOf({ node: { chain, settings } }: Context): {
  readonly commit: Time
  readonly start: Time
} {
  const commit = latestBlock(chain)?.seenCommit
  if (commit === undefined) return { commit: zeroTime, start: chain.genesis.time }
  const last = commit.signatures.reduce((latest, { time }) => (compareTime(time, latest) > 0 ? time : latest), zeroTime)
  return { commit: last, start: addNanos(last, durationNanos(settings.timeoutCommit)) }
}

/** Returns the result of consensus_state. */
export function shortState(context: Context): PlainObject {
  const { chain } = context.node
  const { validators, proposer } = chain.validators
  const address = validators[proposer]?.address
  return {
    'height/round/step': `${chain.height + 1n}/0/1`,
    start_time: formatTime(timesOf(context).start),
    proposal_block_hash: '',
    locked_block_hash: '',
    valid_block_hash: '',
    height_vote_set: [firstRound(chain.validators)],
    proposer: { address: address === undefined ? '' : upperHexOf(address), index: proposer },
  }
}

/** Returns the round state of dump_consensus_state. */
export function wholeState(context: Context): PlainObject {
  const { chain } = context.node
  const { commit, start } = timesOf(context)
  const isFirst = chain.lastCommit === undefined
  return {
    height: (chain.height + 1n).toString(),
    round: 0,
    step: 1,
    start_time: formatTime(start),
    commit_time: formatTime(commit),
    validators: validatorSetJson(chain.validators),
    proposal: null,
    proposal_block: null,
    proposal_block_parts: null,
    locked_round: -1,
    locked_block: null,
    locked_block_parts: null,
    valid_round: -1,
    valid_block: null,
    valid_block_parts: null,
    votes: [firstRound(chain.validators)],
    commit_round: -1,
    last_commit: lastCommitJson(chain),
    last_validators: isFirst
      ? {
          validators: null,
          proposer: null,
        }
      : validatorSetJson(chain.lastValidators),
    triggered_timeout_precommit: false,
  }
}

/** Returns the made-up peers of dump_consensus_state, all in the same state as the node. */
export function peerStates(context: Context): readonly PlainObject[] {
  const { chain } = context.node
  const none = marksOf(chain.validators.validators.map(() => false))
  const signed = chain.lastCommit?.signatures.map(({ flag }) => flag !== 1)
  return peerAddresses(context).map((address) => ({
    node_address: address,
    peer_state: {
      round_state: {
        height: (chain.height + 1n).toString(),
        round: 0,
        step: 1,
        start_time: formatTime(timesOf(context).start),
        proposal: false,
        proposal_block_part_set_header: { total: 0, hash: '' },
        proposal_block_parts: null,
        proposal_pol_round: -1,
        proposal_pol: null,
        prevotes: none,
        precommits: none,
        last_commit_round: signed === undefined ? -1 : 0,
        last_commit: signed === undefined ? null : marksOf(signed),
        catchup_commit_round: -1,
        catchup_commit: null,
      },
      stats: { votes: '0', block_parts: '0' },
    },
  }))
}

function firstRound({ validators }: ValidatorSet): PlainObject {
  const votes = validators.map(() => 'nil-Vote')
  const bits = bitsText(
    validators.map(() => false),
    0n,
    totalPower(validators),
  )
  return {
    round: 0,
    prevotes: votes,
    prevotes_bit_array: bits,
    precommits: votes,
    precommits_bit_array: bits,
  }
}

function lastCommitJson({ lastCommit, lastValidators: { validators } }: Chain): Plain {
  if (lastCommit === undefined) return null
  const signed = lastCommit.signatures.map(({ flag }) => flag !== 1)
  const power = totalPower(validators.filter((_, index) => signed[index]))
  return {
    votes: lastCommit.signatures.map((signature, index) => precommitText(lastCommit, signature, index)),
    votes_bit_array: bitsText(signed, power, totalPower(validators)),
    peer_maj_23s: {},
  }
}

function precommitText(commit: Commit, { flag, address, time, signature }: CommitSignature, index: number): string {
  if (flag === 1) return 'nil-Vote'
  const { height, round, blockId } = commit
  const hash = flag === 2 ? blockId.hash : new Uint8Array(0)
  return voteText({
    type: 2,
    height,
    round,
    hash,
    time,
    validatorAddress: address,
    validatorIndex: index,
    signature,
  })
}

function bitsText(bits: readonly boolean[], power: bigint, total: bigint): string {
  const ratio = total === 0n ? 'NaN' : (Number(power) / Number(total)).toFixed(2)
  return `BA{${bits.length}:${marksOf(bits)}} ${power}/${total} = ${ratio}`
}

function marksOf(bits: readonly boolean[]): string {
  return bits.map((bit) => (bit ? 'x' : '_')).join('')
}
