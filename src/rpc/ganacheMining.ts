/** Ganache's automine, which uses method names of geth's namespace `miner`. */
import { type BlockPolicy, minesAtInterval } from '../chain/command.ts'
import type { Context } from './method.ts'
import type { NodeCommand } from '../node/command.ts'

/**
 * Returns the automine command for Ganache's `miner_start` and `miner_stop`. Returns undefined if
 * the node's own `miner` namespace answers these names.
 */
export function ganacheMining(context: Context, isOn: boolean): NodeCommand | undefined {
  const { ethApi } = context.node.settings
  if (ethApi.includes('miner') || !ethApi.includes('dev')) return undefined
  return { type: 'setBlockPolicy', policy: { mode: modeFor(context, isOn) } }
}

/** Returns the mode that keeps the interval of the current one, with automine on or off. */
export function modeFor({ node }: Context, isOn: boolean): BlockPolicy['mode'] {
  const hasInterval = minesAtInterval(node.chain.policy)
  if (isOn) return hasInterval ? 'mixed' : 'auto'
  return hasInterval ? 'interval' : 'manual'
}
