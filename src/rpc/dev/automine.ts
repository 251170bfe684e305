/** Turns automine on and off. */
import { type BlockPolicy, minesPerTx } from '../../chain/command.ts'
import { bool } from '../../codec/codec.ts'
import { param, type Context, type Method } from '../method.ts'
import { control, question } from './control.ts'
import { dialectOf, perDialect } from '../devDialects.ts'
import { modeFor } from '../ganacheMining.ts'

export const automine: readonly Method[] = [
  ...question({
    names: ['anvil_getAutomine', 'hardhat_getAutomine', 'eth_mining'],
    summary: 'Returns whether automine is on.',
    params: [],
    read: ({ node }) => minesPerTx(node.chain.policy),
  }),
  ...control({
    names: {
      evm_setAutomine: perDialect({ anvil: null, hardhat: true, ganache: null }),
      anvil_setAutomine: null,
    },
    summary: 'Turns automine (a block for each transaction) on or off. In Anvil, it ends interval mining.',
    params: [param('on', bool)],
    examples: [[true]],
    command: (context, [isOn]) => ({ type: 'setBlockPolicy', policy: { mode: automineMode(context, isOn) } }),
  }),
]

/** Anvil mines in one way at a time: automine ends interval mining. */
function automineMode(context: Context, isOn: boolean): BlockPolicy['mode'] {
  return isOn && dialectOf(context) === 'anvil' ? 'auto' : modeFor(context, isOn)
}
