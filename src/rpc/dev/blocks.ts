/** Sets properties of the next blocks: base fee, gas limit, COINBASE and PREVRANDAO. */
import { maxInt64 } from '../../codec/goIntegers.ts'
import { anyJson, optional } from '../../codec/codec.ts'
import { address, fixedData } from '../../codec/hex.ts'
import { invalidParams } from '../eth/errors.ts'
import { param, type Method } from '../method.ts'
import { edit } from './accounts.ts'
import { control, setter, under } from './control.ts'
import { wei, whole } from './integers.ts'

export const blockControls: readonly Method[] = [
  ...control({
    names: setter('setNextBlockBaseFeePerGas'),
    summary: 'Sets the base fee of the next block, in wei per unit of gas; later base fees follow from it.',
    params: [param('wei', wei)],
    examples: [['0x14']],
    command: (_context, [baseFee]) => edit({ type: 'setBaseFee', baseFee }),
  }),
  ...control({
    names: { evm_setBlockGasLimit: true, anvil_setBlockGasLimit: true },
    summary: 'Sets the block gas limit (the consensus parameter max_gas), from 1 to 2^63 - 1.',
    params: [param('gas', whole('gas'))],
    examples: [['0x989680']],
    command: ({ node }, [maxGas]) => {
      checkGasLimit(maxGas)
      const { maxBytes } = node.chain.consensusParams.block
      return edit({ type: 'setConsensusParams', params: { block: { maxBytes, maxGas } } })
    },
  }),
  ...control({
    names: setter('setCoinbase'),
    summary: 'Sets the value of COINBASE and `miner` in the next blocks; null restores the proposer.',
    params: [param('address', optional(address), undefined)],
    examples: [['0x70997970c51812dc3a010c7d01b50e0d17dc79c8'], [null]],
    command: (_context, [who]) => edit({ type: 'setCoinbase', address: who }),
  }),
  ...control({
    names: { ...setter('setPrevRandao'), anvil_setNextBlockPrevRandao: null },
    summary: 'Sets the value of PREVRANDAO and `mixHash` in the next block.',
    params: [param('value', fixedData(32, 'common.Hash'))],
    examples: [[`0x${'11'.repeat(32)}`]],
    command: (_context, [value]) => edit({ type: 'setPrevRandao', value }),
  }),
  ...control({
    names: { ...setter('setLoggingEnabled'), ...under(['ganache'], 'setVerbose', null) },
    summary: 'Does nothing, because logging is a setting of the server.',
    params: [param('on', optional(anyJson), undefined)],
    examples: [[true]],
    command: () => ({ type: 'none' }),
  }),
]

/** Throws for a limit below 1, and for one that the consensus parameter max_gas, an int64, cannot hold. */
function checkGasLimit(gas: bigint): void {
  if (gas >= 1n && gas <= maxInt64) return
  throw invalidParams(`expected a gas limit from 1 to ${maxInt64}, received ${gas}`)
}
