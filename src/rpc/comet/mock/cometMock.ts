/**
 * CometMock's controls on CometBFT RPC, with its names and units (`peers.md` §2), for tests written
 * against CometMock. They exist where the namespace `dev` is on.
 */
import { nextBlockTime } from '../../../chain/clock.ts'
import { int, int64, string, time, upperHexOf, type CometCodec } from '../../../codec/comet.ts'
import { DecodeError } from '../../../codec/decodeError.ts'
import { plainHexOf } from '../../../codec/hex.ts'
import { failed } from '../errors.ts'
import { cometParam } from '../params.ts'
import { emptyResult, objectOf } from '../results.ts'
import { action, type Method } from '../../method.ts'
import { clientAttack, doubleSign, validatorAt, type Attack } from './misbehaviour.ts'

const spec = 'peers.md §2'
const addressParam = cometParam('private_key_address', string)
const mostBlocks = 100_000n

/** Returns a codec of whole numbers. Its error names the unit, where Go's names a character. */
function wholeOf(unit: string, codec: CometCodec<bigint>): CometCodec<bigint> {
  const read = (raw: string, path: string) => {
    try {
      return codec.read(raw, path)
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error
      const expected = `a whole number of ${unit}`
      const text = `${path}: expected ${expected}, received ${error.received}`
      throw new DecodeError({ path, expected, received: error.received, text })
    }
  }
  return { ...codec, read, decode: (wire, path) => read(wire.raw, path) }
}

const advance_blocks = action({
  name: 'advance_blocks',
  summary: 'Mines the given number of blocks.',
  spec,
  params: [cometParam('num_blocks', wholeOf('blocks', int), { role: 'count' })],
  result: emptyResult,
  traits: ['changesWorld', 'mines'],
  examples: [{ params: ['2'], result: {} }],
  command: (_context, [count]) => {
    if (count < 1n || count > mostBlocks) {
      throw failed(`num_blocks must be 1 to ${mostBlocks}, got ${count}`)
    }
    return { type: 'mine', count: Number(count) }
  },
  reply: () => ({}),
})

const advance_time = action({
  name: 'advance_time',
  summary: 'Moves block time forward by a number of seconds and returns the time of the next block.',
  spec,
  params: [cometParam('duration_in_seconds', wholeOf('seconds', int64))],
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
  summary: 'Sets whether a validator signs blocks; the status is "up" or "down".',
  spec,
  params: [addressParam, cometParam('status', string)],
  result: objectOf({ new_signing_status_map: { type: 'object' } }),
  traits: ['changesWorld'],
  examples: [
    {
      before: [['validators', null, null, null]],
      params: ['$1.validators.0.address', 'up'],
      result: { new_signing_status_map: '…' },
    },
  ],
  command: ({ node }, [address, status]) => {
    if (status !== 'up' && status !== 'down') throw failed('status must be either `up` or `down`')
    return {
      type: 'setSigning',
      validator: validatorAt(node.chain, address).address,
      up: status === 'up',
    }
  },
  reply: ({ node: { chain } }) => {
    const { validators } = chain.validators
    return {
      new_signing_status_map: Object.fromEntries(
        validators.map(({ address }) => [upperHexOf(address), !chain.down.has(plainHexOf(address))]),
      ),
    }
  },
})

const cause_double_sign = action({
  name: 'cause_double_sign',
  summary: 'Makes a validator sign two blocks at the same height; the next block contains the evidence.',
  spec,
  params: [addressParam],
  result: emptyResult,
  traits: ['changesWorld'],
  examples: [{ before: [['validators', null, null, null]], params: ['$1.validators.0.address'], result: {} }],
  command: (context, [address]) => ({ type: 'addEvidence', evidence: doubleSign(context, address) }),
  reply: () => ({}),
})

const attacks: readonly Attack[] = ['Equivocation', 'Lunatic', 'Amnesia']

const cause_light_client_attack = action({
  name: 'cause_light_client_attack',
  summary: 'Makes a validator sign a forged header for light clients; the next block contains the evidence.',
  spec,
  params: [addressParam, cometParam('misbehaviour_type', string)],
  result: emptyResult,
  traits: ['changesWorld'],
  examples: [
    { before: [['validators', null, null, null]], params: ['$1.validators.0.address', 'Lunatic'], result: {} },
  ],
  command: (context, [address, kind]) => {
    const attack = attacks.find((one) => one === (kind === '' ? 'Equivocation' : kind))
    if (attack === undefined) throw failed(`misbehaviour_type must be one of ${attacks.join(', ')}`)
    return { type: 'addEvidence', evidence: clientAttack(context, address, attack) }
  },
  reply: () => ({}),
})

export const cometMock: readonly Method[] = [
  advance_blocks,
  advance_time,
  set_signing_status,
  cause_double_sign,
  cause_light_client_attack,
]
