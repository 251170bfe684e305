/**
 * Precompile 0x804: balances and supply of coins that have an ERC-20 token (cosmos/evm
 * precompiles/bank).
 */
import type { AbiValue } from './abi.ts'
import { bytesArgument } from './arguments.ts'
import { bytesOfHex } from '../../../codec/hex.ts'
import { allBalances, getSupply, totalSupply } from '../modules/bank/balances.ts'
import type { Coin } from '../coins.ts'
import { findTokenPair } from '../modules/erc20/tokenPairs.ts'
import { type Frame, methodsOf, type MethodTable, reads } from './precompile.ts'

const balancesGas = 2_851n
const supplyGas = 2_477n

/** The methods. Each coin in a list costs the method's gas, the first as its base gas. */
export const bankPrecompile: MethodTable = {
  kind: 'methods',
  isMetered: false,
  methods: methodsOf({
    'balances(address)': reads(
      '(address,uint256)[]',
      (frame, [account]) => [tokens(frame, allBalances(frame.context, bytesArgument(account)), balancesGas)],
      balancesGas,
    ),
    'totalSupply()': reads(
      '(address,uint256)[]',
      (frame) => [tokens(frame, totalSupply(frame.context), supplyGas)],
      supplyGas,
    ),
    'supplyOf(address)': reads(
      'uint256',
      ({ context }, [token]) => {
        const pair = findTokenPair(context, bytesArgument(token))
        return [pair === undefined ? 0n : getSupply(context, pair.denom)]
      },
      supplyGas,
    ),
  }),
}

function tokens({ context }: Frame, coins: readonly Coin[], gas: bigint): readonly AbiValue[] {
  return coins.flatMap(({ denom, amount }, index) => {
    if (index > 0) context.gas.consume(gas, 'ERC-20 extension method')
    const pair = findTokenPair(context, denom)
    return pair === undefined ? [] : [[bytesOfHex(pair.erc20), amount]]
  })
}
