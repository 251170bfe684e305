/**
 * Punishes validators that miss too many blocks or sign two at one height (x/slashing, x/evidence).
 */
import { consensusText } from '../../address.ts'
import type { CommitVote } from '../../../abci.ts'
import { blockTime, timeAfter } from '../../blockTime.ts'
import { emit, type Context } from '../../context.ts'
import { rounded } from '../../decimal.ts'
import { slash } from '../staking/slash.ts'
import { jailValidator } from '../staking/validatorLife.ts'
import { validatorByConsensus } from '../staking/validators.ts'
import {
  forgetMissed,
  hasMissed,
  setMissed,
  setSigningInfo,
  type SigningInfo,
  signingInfo,
  slashingParams,
} from './signingInfo.ts'

/**
 * Records the votes on the previous block. A validator that missed too many blocks is slashed and
 * jailed.
 */
export function beginSlashing(context: Context, votes: readonly CommitVote[]): void {
  for (const vote of votes) countVote(context, vote)
}

function countVote(context: Context, { address, power, signed }: CommitVote): void {
  if (validatorByConsensus(context, address)?.jailed ?? true) return
  const before = signingInfo(context, address)
  if (before === undefined) return
  const { signedBlocksWindow: window, minSignedPerWindow } = slashingParams(context)
  const index = before.indexOffset % window
  const missedThen = hasMissed(context, address, index)
  const missed = !signed
  if (missedThen !== missed) setMissed(context, address, { index, missed })
  const change = missedThen === missed ? 0n : missed ? 1n : -1n
  const info = {
    ...before,
    indexOffset: before.indexOffset + 1n,
    missedBlocks: before.missedBlocks + change,
  }
  const { height } = context.block
  if (missed) {
    emit(context, 'liveness', {
      address: consensusText(context, address),
      missed_blocks: info.missedBlocks.toString(),
      height: height.toString(),
    })
  }
  const mayMiss = window - rounded(minSignedPerWindow * window)
  const isTooMany = height > info.startHeight + window && info.missedBlocks > mayMiss
  setSigningInfo(context, address, isTooMany ? punishDowntime(context, { address, power, info }) : info)
}

type Missing = {
  readonly address: Uint8Array
  readonly power: bigint
  readonly info: SigningInfo
}

function punishDowntime(context: Context, { address, power, info }: Missing): SigningInfo {
  const params = slashingParams(context)
  const height = context.block.height - 2n
  const burned = slash(context, address, { height, power, fraction: params.slashFractionDowntime })
  const name = consensusText(context, address)
  emit(context, 'slash', {
    address: name,
    power: power.toString(),
    reason: 'missing_signature',
    jailed: name,
    burned_coins: burned.toString(),
  })
  jail(context, address)
  forgetMissed(context, address)
  return {
    ...info,
    jailedUntil: timeAfter(context, params.downtimeJailDuration),
    missedBlocks: 0n,
    indexOffset: 0n,
  }
}

/** Jails the validator with a consensus address, unless it is jailed already. */
export function jail(context: Context, address: Uint8Array): void {
  const validator = validatorByConsensus(context, address)
  if (validator !== undefined && !validator.jailed) jailValidator(context, validator)
}

/** Returns whether a validator's jail time is not over yet. */
export function isJailedStill(context: Context, { jailedUntil }: SigningInfo): boolean {
  const now = blockTime(context)
  return jailedUntil.seconds > now.seconds || (jailedUntil.seconds === now.seconds && jailedUntil.nanos > now.nanos)
}
