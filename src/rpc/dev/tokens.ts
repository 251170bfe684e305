/** Sets ERC-20 balances and allowances: finds their storage slot by trial. */
import type { AppState } from '../../app/state.ts'
import { address, hexOf, bytesOfHex } from '../../codec/hex.ts'
import { keccak256 } from '../../crypto/hash.ts'
import { concatBytes, equalBytes } from '../../data/bytes.ts'
import type { NodeCommand } from '../../node/command.ts'
import { RpcError } from '../errors.ts'
import { callOf } from '../eth/calls.ts'
import { codes } from '../eth/errors.ts'
import { ethereumOf } from '../eth/lookup.ts'
import type { TxArgs } from '../../app/txArgs.ts'
import { deployedToken, owner as holder, stranger, tokenAddress } from '../exampleCalls.ts'
import { param, type Context, type Method } from '../method.ts'
import { edit } from './accounts.ts'
import { control } from './control.ts'
import { whole } from './integers.ts'
import { wordOf, addressWord, bigOf } from '../../data/bigEndian.ts'

const owner = param('address', address)
const token = param('token', address)
const amount = param('amount', whole('smallest units of the token'))

/** The selectors of ERC-20's `balanceOf(address)` and `allowance(address,address)`. */
export const balanceOf = bytesOfHex('0x70a08231')
const allowance = bytesOfHex('0xdd62ed3e')

export const tokens: readonly Method[] = [
  ...control({
    names: { anvil_dealERC20: null, hardhat_dealERC20: true, anvil_setERC20Balance: null },
    summary: 'Sets the ERC-20 balance of an account, in the smallest unit of the token.',
    params: [owner, token, amount],
    examples: [{ before: deployedToken, params: [holder, tokenAddress, '0x5'] }],
    command: (context, [who, contract, value]) => deal(context, { contract, question: balanceOf, keys: [who], value }),
  }),
  ...control({
    names: { anvil_setERC20Allowance: null },
    summary: 'Sets the ERC-20 allowance that an owner grants a spender, in the smallest unit of the token.',
    params: [owner, param('spender', address), token, amount],
    examples: [
      {
        before: deployedToken,
        params: [holder, stranger, tokenAddress, '0x5'],
        error: `found no storage slot for this value among the first 64 of token ${tokenAddress}`,
      },
    ],
    command: (context, [who, spender, contract, value]) =>
      deal(context, { contract, question: allowance, keys: [who, spender], value }),
  }),
]

export type Deal = {
  readonly contract: Uint8Array
  /** The selector of the function that returns the value. */
  readonly question: Uint8Array
  /** The keys of the mapping, outermost first. */
  readonly keys: readonly Uint8Array[]
  readonly value: bigint
}

/**
 * Mappings are usually among the first state variables; tokens with many base contracts have more.
 */
const slotsTried = 64n

/** An amount that no storage word contains by chance. */
const probe = wordOf((1n << 200n) + 0x5afe_c0ffeen)

/** Returns the command that makes a token return a value. Throws if no storage slot is found. */
export function deal(context: Context, wanted: Deal): NodeCommand {
  const state = context.node.chain.app
  for (let base = 0n; base < slotsTried; base++) {
    for (const slot of [soliditySlot(wanted.keys, base), vyperSlot(wanted.keys, base)]) {
      if (!showsProbe(context, state, { ...wanted, slot })) continue
      return edit({
        type: 'setStorage',
        address: wanted.contract,
        slot,
        value: wordOf(wanted.value),
      })
    }
  }
  throw new RpcError(
    codes.internal,
    `found no storage slot for this value among the first ${slotsTried} of token ${hexOf(wanted.contract)}`,
  )
}

/** Returns the ERC-20 balance of an account; 0 if the token does not return one. */
export function tokenBalance(context: Context, contract: Uint8Array, who: Uint8Array): bigint {
  const state = context.node.chain.app
  const args = { to: contract, data: concatBytes([balanceOf, addressWord(who)]) } as TxArgs
  const { status, output } = ethereumOf(context).call(state, callOf(context, state, { args }))
  return status === 'success' && output.length === 32 ? bigOf(output) : 0n
}

function showsProbe(
  context: Context,
  state: AppState,
  { contract, question, keys, slot }: Deal & { slot: Uint8Array },
): boolean {
  const args = {
    to: contract,
    data: concatBytes([question, ...keys.map(addressWord)]),
  } as TxArgs
  const override = {
    address: contract,
    stateDiff: [[slot, probe] as const],
    balance: undefined,
    nonce: undefined,
    code: undefined,
    state: undefined,
    movePrecompileTo: undefined,
  }
  const result = ethereumOf(context).call(state, callOf(context, state, { args, overrides: [override] }))
  return result.status === 'success' && equalBytes(result.output, probe)
}

function soliditySlot(keys: readonly Uint8Array[], base: bigint): Uint8Array {
  return keys.reduce((slot, key) => keccak256(concatBytes([addressWord(key), slot])), wordOf(base))
}

function vyperSlot(keys: readonly Uint8Array[], base: bigint): Uint8Array {
  return keys.reduce((slot, key) => keccak256(concatBytes([slot, addressWord(key)])), wordOf(base))
}
