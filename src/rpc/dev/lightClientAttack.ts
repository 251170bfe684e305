/** CometMock's control that makes a validator sign a header nobody agreed on (`comet-rpc.md` §5.10). */
import type { BlockRecord, Header, LightClientAttackEvidence } from '../../chain/block.ts'
import { signCommit } from '../../chain/commits.ts'
import { headerHash } from '../../chain/hashing.ts'
import { totalPower } from '../../chain/validators.ts'
import { blockAt, latestBlock } from '../../chain/view.ts'
import { string } from '../../codec/comet.ts'
import { plainHexOf } from '../../codec/hex.ts'
import { sha256 } from '../../crypto/hash.ts'
import { equalBytes } from '../../data/bytes.ts'
import { failed } from '../comet/errors.ts'
import { cometParam } from '../comet/params.ts'
import { emptyResult } from '../comet/results.ts'
import { action, type Context } from '../method.ts'
import { validatorOf } from './cometMock.ts'

const kinds = ['Lunatic', 'Amnesia', 'Equivocation']

export const cause_light_client_attack = action({
  name: 'cause_light_client_attack',
  summary: 'Makes a validator sign another header for light clients; the next block carries the evidence.',
  spec: 'peers.md §2',
  params: [cometParam('private_key_address', string), cometParam('misbehaviour_type', string)],
  result: emptyResult,
  traits: ['changesWorld'],
  examples: [],
  command: (context, [address, kind]) => {
    if (!kinds.includes(kind)) throw failed(`misbehaviour_type must be one of ${kinds.join(', ')}, got ${kind}`)
    return { type: 'addEvidence', evidence: attack(context, address, kind) }
  },
  reply: () => ({}),
})

/** A lunatic's header has a state that never was; the others' differ in what was to be agreed on. */
function attack({ world, node: { chain } }: Context, address: string, kind: string): LightClientAttackEvidence {
  const trusted = latestBlock(chain)
  const common = blockAt(chain, kind === 'Lunatic' ? chain.height - 1n : chain.height)
  if (trusted === undefined || common === undefined) throw failed('there must be two blocks before a light client can be attacked')
  const validator = validatorOf(chain, address)
  const header = otherHeader(trusted, kind)
  const hash = headerHash(header)
  const others = trusted.validators.validators.filter((one) => !equalBytes(one.address, validator.address))
  const commit = signCommit({
    set: trusted.validators, down: new Set(others.map((one) => plainHexOf(one.address))),
    signers: world.signers, chainId: chain.genesis.chainId,
  }, {
    height: header.height, round: trusted.seenCommit.round + (kind === 'Amnesia' ? 1 : 0),
    blockId: { hash, parts: { total: 1, hash: sha256(hash) } }, time: header.time,
  })
  return {
    type: 'lightClientAttack', conflicting: { header, commit, validators: trusted.validators },
    commonHeight: common.block.header.height,
    // Of amnesia nobody can say who forgot.
    byzantine: kind === 'Amnesia' ? [] : common.validators.validators.filter((one) => equalBytes(one.address, validator.address)),
    totalPower: totalPower(common.validators.validators), time: common.block.header.time,
  }
}

function otherHeader({ block: { header } }: BlockRecord, kind: string): Header {
  return kind === 'Lunatic'
    ? { ...header, appHash: sha256(header.appHash) } : { ...header, dataHash: sha256(header.dataHash) }
}
