/**
 * Controls with the names of Tenderly's virtual environments (`peers.md` §2.3). They answer null
 * where Tenderly returns a transaction hash, because no transaction makes these changes.
 */
import { maxUint256 } from '../../codec/goIntegers.ts'
import { array, type Codec } from '../../codec/codec.ts'
import { address, hexOf } from '../../codec/hex.ts'
import type { NodeCommand } from '../../node/command.ts'
import { latestBlock } from '../../chain/view.ts'
import { ethHashOf } from '../../chain/ethIds.ts'
import { deployedToken, someone, tokenAddress } from '../exampleCalls.ts'
import { inRole, param, type Context, type Method } from '../method.ts'
import { edit, slot, word } from './accounts.ts'
import { control } from './control.ts'
import { blocks, seconds, wei, whole } from './integers.ts'
import { produce } from './mining.ts'
import { nextBlockTime } from './time.ts'
import { balanceOf, deal, tokenBalance } from './tokens.ts'

/** One address or a list of addresses. */
const addresses: Codec<readonly Uint8Array[]> = {
  schema: { anyOf: [address.schema, { type: 'array', items: address.schema }] },
  decode: (wire, path) =>
    wire.type === 'array' ? array(address, '[]common.Address').decode(wire, path) : [address.decode(wire, path)],
  encode: (value) => value.map(hexOf),
}

const owners = param('address', addresses)
const token = param('token', address)
const amount = param('amount', whole('smallest units of the token'))

export const tenderly: readonly Method[] = [
  ...control({
    names: { tenderly_setBalance: null },
    summary: 'Sets the balance of one or more accounts, in wei.',
    params: [owners, param('wei', wei)],
    examples: [
      [someone, '0xff'],
      [[someone], '0xff'],
    ],
    command: (_context, [who, value]) =>
      edit(...who.map((one) => ({ type: 'setBalance', address: one, amount: value }) as const)),
  }),
  ...control({
    names: { tenderly_addBalance: null },
    summary: 'Increases the balance of one or more accounts by an amount in wei.',
    params: [owners, param('wei', wei)],
    examples: [[someone, '0xff']],
    command: (_context, [who, value]) =>
      edit(...who.map((one) => ({ type: 'addBalance', address: one, amount: value }) as const)),
  }),
  ...control({
    names: { tenderly_setErc20Balance: null },
    summary: 'Sets the ERC-20 balance of one or more accounts.',
    params: [token, owners, amount],
    examples: [{ before: deployedToken, params: [tokenAddress, someone, '0x5'] }],
    command: (context, [contract, who, value]) => dealt(context, { contract, who, amountOf: () => value }),
  }),
  ...control({
    names: { tenderly_addErc20Balance: null },
    summary: 'Increases the ERC-20 balance of one or more accounts.',
    params: [token, owners, amount],
    examples: [{ before: deployedToken, params: [tokenAddress, someone, '0x5'] }],
    command: (context, [contract, who, value]) =>
      dealt(context, { contract, who, amountOf: (one) => tokenBalance(context, contract, one) + value }),
  }),
  ...control({
    names: { tenderly_setMaxErc20Balance: null },
    summary: 'Sets the ERC-20 balance of one or more accounts to the largest 32-byte number.',
    params: [token, owners],
    examples: [{ before: deployedToken, params: [tokenAddress, someone] }],
    command: (context, [contract, who]) => dealt(context, { contract, who, amountOf: () => maxUint256 }),
  }),
  ...control({
    names: { tenderly_setStorageAt: null },
    summary: 'Sets a storage word of a contract.',
    params: [param('address', address), param('slot', slot), param('value', word)],
    examples: [[someone, '0x2', `0x${'11'.repeat(32)}`]],
    command: (_context, [who, key, value]) => edit({ type: 'setStorage', address: who, slot: key, value }),
  }),
  ...control({
    names: { tenderly_setNextBlockTimestamp: null },
    summary: 'Sets the timestamp of the next block, in seconds since 1970, without mining a block.',
    params: [param('timestamp', seconds)],
    examples: [['0x773594000']],
    command: (context, [value]) => nextBlockTime(context, value),
  }),
  ...control({
    names: { evm_increaseBlocks: headHash },
    traits: ['mines'],
    summary: 'Mines blocks and returns the hash of the last one.',
    params: [inRole('count', param('blocks', blocks))],
    examples: [['0x2']],
    command: (_context, [count]) => produce(count),
  }),
]

type Dealt = {
  readonly contract: Uint8Array
  readonly who: readonly Uint8Array[]
  readonly amountOf: (who: Uint8Array) => bigint
}

function dealt(context: Context, { contract, who, amountOf }: Dealt): NodeCommand {
  const commands = who.map((one) => deal(context, { contract, question: balanceOf, keys: [one], value: amountOf(one) }))
  return { type: 'sequence', commands }
}

function headHash({ node }: Context): string | null {
  const head = latestBlock(node.chain)
  return head === undefined ? null : hexOf(ethHashOf(head))
}
