/** Whether a block is made with each transaction. */
import type { BlockPolicy } from '../../chain/command.ts'
import { bool } from '../../codec/codec.ts'
import type { NodeCommand } from '../../node/command.ts'
import { param, type Context, type Method } from '../method.ts'
import { control, question } from './control.ts'
import { perDialect } from './dialects.ts'

export const automine: readonly Method[] = [
  ...question({
    names: ['anvil_getAutomine', 'hardhat_getAutomine', 'eth_mining'],
    summary: 'Returns whether a block is made with each transaction.',
    params: [],
    read: ({ node }) => isAutomatic(node.chain.policy),
  }),
  ...control({
    names: {
      evm_setAutomine: perDialect({ anvil: null, hardhat: true, ganache: null }),
      anvil_setAutomine: null,
    },
    summary: 'Turns on or off that a block is made with each transaction.',
    params: [param('on', bool)],
    examples: [[true]],
    command: (context, [isOn]) =>
      ({ type: 'setBlockPolicy', policy: { mode: modeFor(context, isOn) } }),
  }),
]

/**
 * Returns the command of Ganache's `miner_start` and `miner_stop`, which are its automine;
 * undefined where the node's own namespace `miner` answers to these names.
 */
export function ganacheMining(context: Context, isOn: boolean): NodeCommand | undefined {
  const { ethApi } = context.node.settings
  if (ethApi.includes('miner') || !ethApi.includes('dev')) return undefined
  return { type: 'setBlockPolicy', policy: { mode: modeFor(context, isOn) } }
}

function isAutomatic({ mode }: BlockPolicy): boolean {
  return mode === 'auto' || mode === 'mixed'
}

function modeFor({ node }: Context, isOn: boolean): BlockPolicy['mode'] {
  const { mode } = node.chain.policy
  const hasInterval = mode === 'interval' || mode === 'mixed'
  if (isOn) return hasInterval ? 'mixed' : 'auto'
  return hasInterval ? 'interval' : 'manual'
}
