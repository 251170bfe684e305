/**
 * Creates evidence of misbehavior, which validators here never show by themselves (CometMock's
 * controls, `peers.md` §2).
 */
import type {
  BlockId,
  BlockRecord,
  DuplicateVoteEvidence,
  Header,
  LightClientAttackEvidence,
  Validator,
  Vote,
} from '../../../chain/block.ts'
import type { Chain } from '../../../chain/chain.ts'
import { headerHash, voteSignBytes } from '../../../chain/hashing.ts'
import { totalPower } from '../../../chain/validators.ts'
import { latestBlock } from '../../../chain/view.ts'
import { readGoHex } from '../../../codec/base64.ts'
import { sha256 } from '../../../crypto/hash.ts'
import { compareBytes, equalBytes } from '../../../data/bytes.ts'
import { zeroTime } from '../../../data/time.ts'
import type { World } from '../../../node/world.ts'
import { failed } from '../errors.ts'
import type { Context } from '../../method.ts'

type AttackContext = Pick<Context, 'world' | 'node'>

/** Returns the validator with an address in hex. Throws if it is not in the set. */
export function validatorAt({ validators: { validators } }: Chain, text: string): Validator {
  const wanted = readGoHex(text)
  const found = typeof wanted === 'string' ? undefined : validators.find(({ address }) => equalBytes(address, wanted))
  if (found === undefined) throw failed(`no validator has the address ${text}`)
  return found
}

type Culprit = {
  readonly record: BlockRecord
  readonly validator: Validator
  readonly index: number
}

/** Returns the latest block and the validator's index in its validator set. */
function culpritOf({ node: { chain } }: AttackContext, address: string): Culprit {
  const record = latestBlock(chain)
  if (record === undefined) throw failed('the chain has no block to sign twice; mine a block first')
  const { validators } = record.validators
  const wanted = validatorAt(chain, address).address
  const index = validators.findIndex((one) => equalBytes(one.address, wanted))
  const validator = validators[index]
  if (validator === undefined) throw failed(`${address} was not a validator at height ${chain.height}`)
  return { record, validator, index }
}

/** Returns evidence that a validator signed two blocks at the latest height. */
export function doubleSign(context: AttackContext, address: string): DuplicateVoteEvidence {
  const {
    world,
    node: { chain },
  } = context
  const { record, validator, index } = culpritOf(context, address)
  const { time } = record.block.header
  const votes = [record.id, otherBlockId(record.id)]
    .sort((a, b) => compareBytes(a.hash, b.hash))
    .map((blockId) =>
      signed(world, chain, {
        type: 2,
        height: chain.height,
        round: 0,
        blockId,
        time,
        validatorAddress: validator.address,
        validatorIndex: index,
        signature: new Uint8Array(0),
      }),
    )
  const [voteA, voteB] = votes
  if (voteA === undefined || voteB === undefined) throw failed('two votes make a double sign')
  return {
    type: 'duplicateVote',
    voteA,
    voteB,
    validatorPower: validator.power,
    time,
    totalPower: totalPower(record.validators.validators),
  }
}

export type Attack = 'Equivocation' | 'Lunatic' | 'Amnesia'

/**
 * Returns evidence that a validator signed a light client header that the chain does not have. The
 * header keeps the state (Equivocation), changes it (Lunatic) or is signed in a later round
 * (Amnesia). Like CometMock, the evidence names this validator alone.
 */
export function clientAttack(context: AttackContext, address: string, attack: Attack): LightClientAttackEvidence {
  const {
    world,
    node: { chain },
  } = context
  const { record, validator, index } = culpritOf(context, address)
  const header = forged(record.block.header, attack)
  const round = record.seenCommit.round + (attack === 'Amnesia' ? 1 : 0)
  const blockId = { ...otherBlockId(record.id), hash: headerHash(header) }
  const { time } = header
  const { signature } = signed(world, chain, {
    type: 2,
    height: header.height,
    round,
    blockId,
    time,
    validatorAddress: validator.address,
    validatorIndex: index,
    signature: new Uint8Array(0),
  })
  const signatures = record.seenCommit.signatures.map((one, place) =>
    place === index
      ? { flag: 2 as const, address: validator.address, time, signature }
      : {
          ...one,
          flag: 1 as const,
          address: new Uint8Array(0),
          time: zeroTime,
          signature: new Uint8Array(0),
        },
  )
  return {
    type: 'lightClientAttack',
    conflicting: {
      header,
      commit: { height: header.height, round, blockId, signatures },
      validators: record.validators,
    },
    commonHeight: header.height,
    byzantine: [validator],
    totalPower: totalPower(record.validators.validators),
    time,
  }
}

/** Only a lunatic header changes the fields derived from earlier blocks. */
function forged(header: Header, attack: Attack): Header {
  return {
    ...header,
    dataHash: sha256(header.dataHash),
    ...(attack === 'Lunatic' && { appHash: sha256(header.appHash) }),
  }
}

/** Returns the id of a block that does not exist. */
function otherBlockId({ hash, parts }: BlockId): BlockId {
  return { hash: sha256(hash), parts: { total: parts.total, hash: sha256(parts.hash) } }
}

function signed(world: World, { genesis }: Chain, vote: Vote): Vote {
  const signature = world.signers.sign(vote.validatorAddress, voteSignBytes(vote, genesis.chainId))
  if (signature === undefined) throw failed('the node does not have the key of this validator')
  return { ...vote, signature }
}
