/** Interval mining, and the block time between blocks. */
import { wasFound } from '../../chain/outcome.ts'
import { type BlockPolicy, minesAtInterval, minesPerTx } from '../../chain/command.ts'
import type { Codec } from '../../codec/codec.ts'
import type { NodeCommand } from '../../node/command.ts'
import { param, type Context, type Method } from '../method.ts'
import { control, question, under, type ControlNames } from './control.ts'
import { dialectOf, perDialect } from '../devDialects.ts'
import { milliseconds, seconds, whole } from './integers.ts'

export const interval: readonly Method[] = [
  ...control({
    names: { anvil_setIntervalMining: null },
    summary: 'Mines a block every `interval` seconds instead of automine; 0 turns both off.',
    params: [param('interval', seconds)],
    examples: [[0]],
    command: (context, [value]) => intervalPolicy(context, value * 1000n),
  }),
  ...control({
    names: { evm_setIntervalMining: perDialect({ anvil: null, hardhat: true, ganache: null }) },
    summary:
      'Mines a block every `interval` seconds instead of automine; 0 turns both off. Hardhat: milliseconds, and automine stays.',
    params: [param('interval', whole('seconds, or milliseconds in the Hardhat dialect'))],
    examples: [[0]],
    command: (context, [value]) => intervalPolicy(context, dialectOf(context) === 'hardhat' ? value : value * 1000n),
  }),
  ...question({
    names: ['anvil_getIntervalMining'],
    summary: 'Returns the interval of interval mining, in seconds, or null if it is off.',
    params: [],
    read: ({ node }) => {
      const { policy } = node.chain
      return minesAtInterval(policy) ? Number(policy.intervalMs) / 1000 : null
    },
  }),
  ...stepSetter(under(['anvil', 'ganache'], 'setBlockTimestampInterval', null), { codec: seconds, unitMs: 1000n }),
  ...stepSetter(under(['hardhat'], 'setBlockTimestampInterval', true), { codec: milliseconds, unitMs: 1n }),
  ...control({
    names: under(['anvil', 'hardhat', 'ganache'], 'removeBlockTimestampInterval', (_, outcome) => wasFound(outcome)),
    summary: 'Restores the initial block time between blocks and returns whether another one was set.',
    params: [],
    examples: [{ before: [['anvil_setBlockTimestampInterval', 12]], params: [] }],
    command: () => ({ type: 'setBlockStep', ms: undefined }),
  }),
]

function stepSetter(
  names: ControlNames,
  { codec, unitMs }: { codec: Codec<bigint>; unitMs: bigint },
): readonly Method[] {
  return control({
    names,
    summary: 'Sets the block time between one block and the next.',
    params: [param('interval', codec)],
    examples: [[12]],
    command: (_context, [value]) => ({ type: 'setBlockStep', ms: value * unitMs }),
  })
}

/** Anvil mines in one way at a time; with the other tools, automine stays as it is. */
function intervalPolicy(context: Context, intervalMs: bigint): NodeCommand {
  const isAutomatic = dialectOf(context) !== 'anvil' && minesPerTx(context.node.chain.policy)
  const policy: Partial<BlockPolicy> =
    intervalMs === 0n
      ? { mode: isAutomatic ? 'auto' : 'manual' }
      : { mode: isAutomatic ? 'mixed' : 'interval', intervalMs }
  return { type: 'setBlockPolicy', policy }
}
