/** Maps the EVM's state reads and changes to modules (x/vm statedb). */
import { concatBytes, equalBytes } from '../../../../data/bytes.ts'
import type { EvmAccount, EvmAccountDiff, EvmRead } from '../../../../evm/types.ts'
import { type Context, withFreeStores } from '../../context.ts'
import { getAccount, newAccount, removeAccount, setAccount } from '../auth/accounts.ts'
import { getBalance } from '../bank/balances.ts'
import { checkReceiver } from '../bank/blocked.ts'
import { spendableOf } from '../bank/spendable.ts'
import { weiOf } from '../precisebank/fractions.ts'
import { burnFrom, mintTo, readSpendableWei } from '../precisebank/send.ts'
import type { EvmCoin } from '../../../evmCoin.ts'
import { goError, TxError } from '../../txError.ts'
import {
  allSlots,
  deleteSlot,
  emptyCodeHash,
  getCode,
  getCodeHash,
  getEvmParams,
  getSlot,
  setCode,
  setCodeHash,
  setSlot,
} from './store.ts'
import { checksumAddress } from '../../../../crypto/checksumAddress.ts'

/** Returns an account as the EVM sees it, or undefined if it does not exist. */
export function getEvmAccount(context: Context, address: Uint8Array, coin: EvmCoin): EvmAccount | undefined {
  const { denom } = coin
  const account = getAccount(context, address)
  const amount = getBalance(context, address, denom)
  const balance = weiOf(context, address, coin, spendableOf(context, account, { denom, amount }))
  if (account === undefined && balance === 0n) return undefined
  return { balance, nonce: account?.sequence ?? 0n, codeHash: getCodeHash(context, address) }
}

/** Returns the EVM's reader of the state. */
export function evmRead(context: Context, coin: EvmCoin): EvmRead {
  return {
    account: (address) => getEvmAccount(context, address, coin),
    slot: (address, slot) => getSlot(context, address, slot),
    code: (hash) => getCode(context, hash),
    blockHash: (height) => historyHash(context, height),
  }
}

/** Returns a reader in which one account is changed; `change` also receives an account that is missing. */
export function withAccount(
  read: EvmRead,
  address: Uint8Array,
  change: (account: EvmAccount | undefined) => EvmAccount | undefined,
): EvmRead {
  return {
    ...read,
    account: (asked) => (equalBytes(asked, address) ? change(read.account(asked)) : read.account(asked)),
  }
}

/** The EIP-2935 contract. If it is installed, its storage holds the hashes of recent blocks. */
const historyContract = Uint8Array.from([
  0x00, 0x00, 0xf9, 0x08, 0x27, 0xf1, 0xc5, 0x3a, 0x10, 0xcb, 0x7a, 0x02, 0x33, 0x5b, 0x17, 0x53, 0x20, 0x00, 0x29,
  0x35,
])

/** Stores the hash of the block that begins, if the history contract is installed (§7.5). */
export function beginEvm(context: Context): void {
  if (equalBytes(getCodeHash(context, historyContract), emptyCodeHash)) return
  const slot = historySlot(context, context.block.height)
  setSlot(context, historyContract, { key: slot, value: context.block.hash })
}

/**
 * Applies the changes of a transaction. Balances change by minting and burning through the module.
 */
export function applyDiff(context: Context, diff: readonly EvmAccountDiff[], coin: EvmCoin): void {
  for (const change of diff) applyAccount(context, change, coin)
}

function applyAccount(context: Context, change: EvmAccountDiff, coin: EvmCoin): void {
  const { address, codeHash, code } = change
  if (change.destroyed || change.created) {
    const free = withFreeStores(context)
    for (const { key } of allSlots(free, address)) deleteSlot(free, address, key)
  }
  if (change.destroyed) return destroy(context, change, coin)
  if (code !== undefined) setCode(context, codeHash, code)
  const account = getAccount(context, address) ?? newAccount(context, address)
  setCodeHash(context, address, codeHash)
  setAccount(context, { ...account, sequence: change.nonce })
  changeBalance(context, { address, coin, balance: change.balance })
  for (const slot of change.slots) setSlot(context, address, slot)
}

/**
 * Deletes an account that the engine removed. For an account without code, nonce and balance, the
 * node writes nothing, so it costs no gas. An account that was created in the same execution may have
 * been stored for a precompile, without its code.
 */
function destroy(context: Context, change: EvmAccountDiff, coin: EvmCoin): void {
  const { address, created, nonce, codeHash } = change
  const free = withFreeStores(context)
  // Only a contract has a nonce and no code here: it ended before its constructor returned any.
  const isUnborn = nonce > 0n && equalBytes(codeHash, emptyCodeHash)
  if (context.fixed.keepsFundedAccounts && isUnborn && getAccount(free, address) !== undefined) {
    const name = checksumAddress(address)
    throw goError(`failed to delete account ${name}: only smart contracts can be self-destructed`)
  }
  changeBalance(free, { address, coin, balance: 0n })
  if (!created && equalBytes(getCodeHash(free, address), emptyCodeHash)) return
  setCodeHash(context, address, emptyCodeHash)
  const account = getAccount(context, address)
  if (account !== undefined) removeAccount(context, account)
}

/** `balance` is in wei. */
type Target = { readonly address: Uint8Array; readonly coin: EvmCoin; readonly balance: bigint }

/**
 * Sets a balance to the EVM's value, by minting or burning through its module. Throws the SDK's
 * `unauthorized` if coins are added to an address that must not receive any.
 */
export function changeBalance(context: Context, { address, coin, balance }: Target): void {
  const before = readSpendableWei(context, address, coin)
  if (balance > before) {
    try {
      checkReceiver(context, address)
    } catch (error) {
      throw error instanceof TxError ? error.inside('failed to set account') : error
    }
    mintTo(context, address, balance - before, coin)
  } else if (balance < before) burnFrom(context, address, before - balance, coin)
}

function historyHash(context: Context, height: bigint): Uint8Array | undefined {
  return getSlot(context, historyContract, historySlot(context, height))
}

function historySlot(context: Context, height: bigint): Uint8Array {
  const window = getEvmParams(context).historyServeWindow
  const slot = new Uint8Array(8)
  new DataView(slot.buffer).setBigUint64(0, window === 0n ? 0n : height % window)
  return concatBytes([new Uint8Array(24), slot])
}
