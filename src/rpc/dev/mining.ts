/** Mines blocks immediately (`peers.md` §2.1–2.4). */
import type { Outcome } from '../../chain/outcome.ts'
import { blockAt } from '../../chain/view.ts'
import { object, optional, type Codec } from '../../codec/codec.ts'
import type { Plain } from '../../codec/goJsonWrite.ts'
import { blockJson } from '../../feed/ethShapes.ts'
import type { NodeCommand } from '../../node/command.ts'
import { minedMost } from '../../node/mining.ts'
import { invalidParams } from '../eth/errors.ts'
import { inRole, param, type Context, type Method } from '../method.ts'
import { control } from './control.ts'
import { perDialect } from '../devDialects.ts'
import { blocks, seconds } from './integers.ts'
import { checkTimestamp, nextBlockTime } from './time.ts'

/** Throws the error for a call that mines too many blocks. */
export function checkCount(count: bigint): void {
  if (count > minedMost) throw invalidParams(`expected at most ${minedMost} blocks, received ${count}`)
}

type When = { readonly timestamp: bigint | undefined; readonly blocks: bigint | undefined }

const options: Codec<When> = object<When>(
  { timestamp: optional(seconds), blocks: optional(blocks) },
  { goType: 'MineOptions' },
)

/** A timestamp in seconds, or an object with a timestamp and a number of blocks. */
const when: Codec<When> = {
  schema: { anyOf: [seconds.schema, options.schema] },
  decode: (wire, path) =>
    wire.type === 'object'
      ? options.decode(wire, path)
      : {
          timestamp: wire.type === 'null' ? undefined : seconds.decode(wire, path),
          blocks: undefined,
        },
  encode: (value) => options.encode(value),
}

const now: When = { timestamp: undefined, blocks: undefined }

export const mining: readonly Method[] = [
  ...control({
    names: { anvil_mine: null, hardhat_mine: true },
    traits: ['mines'],
    summary: 'Mines a number of blocks whose timestamps are `interval` seconds apart.',
    params: [inRole('count', param('blocks', optional(blocks), 1n)), param('interval', optional(seconds), undefined)],
    examples: [[], ['0x2'], ['0x2', '0xc']],
    command: ({ node }, [count = 1n, interval = 0n]) => {
      checkTimestamp(node.chain.lastBlockTime.seconds + count * interval)
      return produce(count, interval)
    },
  }),
  ...control({
    names: { evm_mine: perDialect({ anvil: '0x0', hardhat: '0', ganache: '0x0' }) },
    traits: ['mines'],
    summary:
      'Mines one or more blocks; an optional timestamp, in seconds, applies to the first, and later ones continue from it.',
    params: [inRole('count', param('when', when, now))],
    examples: [[], [{ blocks: '0x2' }]],
    command: mineAt,
  }),
  ...control({
    names: { hardhat_intervalMine: true },
    traits: ['mines'],
    summary: 'Mines a block.',
    params: [],
    examples: [[]],
    command: () => produce(1n),
  }),
  ...control({
    names: { anvil_mine_detailed: detailed, evm_mine_detailed: detailed },
    traits: ['mines'],
    summary: 'Mines blocks as evm_mine does and returns them with their transactions.',
    params: [inRole('count', param('when', when, now))],
    examples: [[], [{ blocks: '0x2' }]],
    command: mineAt,
  }),
]

function mineAt(context: Context, [{ timestamp, blocks: count }]: readonly [When]): NodeCommand {
  const mine = produce(count ?? 1n)
  if (timestamp === undefined) return mine
  return { type: 'sequence', commands: [nextBlockTime(context, timestamp), mine] }
}

/** Returns the command that mines blocks, `interval` seconds apart. Throws for too many of them. */
export function produce(count: bigint, interval?: bigint): NodeCommand {
  checkCount(count)
  if (count === 0n) return { type: 'none' }
  // viem sends an interval of 0 for no interval.
  const gap = interval === undefined || interval === 0n ? {} : { gapMs: interval * 1000n }
  return { type: 'mine', count: Number(count), ...gap }
}

function detailed({ node }: Context, outcome: Outcome): Plain {
  if (outcome.type !== 'produced') return []
  return outcome.heights.map((height) => {
    const record = blockAt(node.chain, height)
    return record === undefined ? null : blockJson(record, true)
  })
}
