/**
 * CometMock's controls on interface A, with its names and units (`peers.md` §2): for tests that
 * were
 * written against it. They exist where the namespace `dev` is on.
 */
import type { BlockId, DuplicateVoteEvidence, Vote } from '../../chain/block.ts'
import type { Chain } from '../../chain/chain.ts'
import { nextBlockTime } from '../../chain/clock.ts'
import { voteSignBytes } from '../../chain/hashing.ts'
import { totalPower } from '../../chain/validators.ts'
import { latestBlock } from '../../chain/view.ts'
import { int, int64, string, time, upperHexOf } from '../../codec/comet.ts'
import { readGoHex } from '../../codec/base64.ts'
import { plainHexOf } from '../../codec/hex.ts'
import { sha256 } from '../../crypto/hash.ts'
import { compareBytes, equalBytes } from '../../data/bytes.ts'
import type { World } from '../../node/world.ts'
import { failed } from '../comet/errors.ts'
import { cometParam } from '../comet/params.ts'
import { emptyResult, objectOf } from '../comet/results.ts'
import { action, type Context, type Method } from '../method.ts'

const spec = 'peers.md §2'
const addressParam = cometParam('private_key_address', string)
const mostBlocks = 100_000n

const advance_blocks = action({
  name: 'advance_blocks',
  summary: 'Makes a number of blocks at once.',
  spec,
  params: [cometParam('num_blocks', int)],
  result: emptyResult,
  traits: ['changesWorld'],
  examples: [{ params: ['2'], result: {} }],
  command: (_context, [count]) => {
    if (count < 1n || count > mostBlocks) throw failed(
      `num_blocks must be 1 to ${mostBlocks}, got ${count}`
    )
    return { type: 'produceBlock', count: Number(count) }
  },
  reply: () => ({}),
})

const advance_time = action({
  name: 'advance_time',
  summary: 'Moves block time forward by seconds and returns the time of the next block.',
  spec,
  params: [cometParam('duration_in_seconds', int64)],
  result: objectOf({ new_time: time.schema }),
  traits: ['changesWorld'],
  examples: [{ params: ['3600'], result: { new_time: '…' } }],
  command: (_context, [seconds]) => {
    if (seconds < 0n) throw failed(`duration_in_seconds must not be negative, got ${seconds}`)
    return { type: 'advanceTime', ms: seconds * 1000n }
  },
  reply: ({ node }) => ({ new_time: time.encode(nextBlockTime(node.chain, node.nowMs)) }),
})

const set_signing_status = action({
  name: 'set_signing_status',
  summary: 'Lets a validator sign or not; its status is "up" or "down".',
  spec,
  params: [addressParam, cometParam('status', string)],
  result: objectOf({ new_signing_status_map: { type: 'object' } }),
  traits: ['changesWorld'],
  examples: [],
  command: ({ node }, [address, status]) => {
    if (status !== 'up' && status !== 'down') throw failed('status must be either `up` or `down`')
    return {
      type: 'setSigning', validator: validatorOf(node.chain, address).address, up: status === 'up',
    }
  },
  reply: ({ node: { chain } }) => {
    const { validators } = chain.validators
    return {
      new_signing_status_map: Object.fromEntries(validators.map(({ address }) =>
        [upperHexOf(address), !chain.down.has(plainHexOf(address))])),
    }
  },
})

const cause_double_sign = action({
  name: 'cause_double_sign',
  summary: 'Makes a validator sign two blocks of one height; the next block carries the evidence.',
  spec,
  params: [addressParam],
  result: emptyResult,
  traits: ['changesWorld'],
  examples: [],
  command: (context, [address]) => (
    { type: 'addEvidence', evidence: doubleSign(context, address) }
  ),
  reply: () => ({}),
})

export const cometMock: readonly Method[] = [
  advance_blocks, advance_time, set_signing_status, cause_double_sign,
]

/** Returns a validator of the set by its address in hex; throws when there is none. */
export function validatorOf(
  { validators: { validators } }: Chain, text: string
): (typeof validators)[number] {
  const wanted = readGoHex(text)
  const found = typeof wanted === 'string'
    ? undefined : validators.find(({ address }) => equalBytes(address, wanted))
  if (found === undefined) throw failed(`no validator has the address ${text}`)
  return found
}

function doubleSign({ world, node: { chain } }: Context, address: string): DuplicateVoteEvidence {
  const record = latestBlock(chain)
  if (record === undefined) throw failed('there is no block yet to sign twice')
  const validator = validatorOf(chain, address)
  const index = record.validators.validators.findIndex(
    (one) => equalBytes(one.address, validator.address)
  )
  const held = record.validators.validators[index]
  if (held === undefined) throw failed(`${address} was not a validator at height ${chain.height}`)
  const votes = [record.id, otherBlockId(record.id)].sort((a, b) => compareBytes(a.hash, b.hash))
    .map((blockId) => signed(world, chain, {
      type: 2, height: chain.height, round: 0, blockId, time: record.block.header.time,
      validatorAddress: held.address, validatorIndex: index, signature: new Uint8Array(0),
    }))
  const [voteA, voteB] = votes
  if (voteA === undefined || voteB === undefined) throw failed('two votes make a double sign')
  return {
    type: 'duplicateVote', voteA, voteB, validatorPower: held.power,
    totalPower: totalPower(record.validators.validators), time: record.block.header.time,
  }
}

/** A block nobody ever saw. */
function otherBlockId({ hash, parts }: BlockId): BlockId {
  return { hash: sha256(hash), parts: { total: parts.total, hash: sha256(parts.hash) } }
}

function signed(world: World, { genesis }: Chain, vote: Vote): Vote {
  const signature = world.signers.sign(vote.validatorAddress, voteSignBytes(vote, genesis.chainId))
  if (signature === undefined) throw failed('the key of this validator is not held here')
  return { ...vote, signature }
}
