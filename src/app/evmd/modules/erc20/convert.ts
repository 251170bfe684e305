/** Converts tokens of a contract to coins and back (x/erc20 keeper/msg_server.go). */
import { GoPanic, nilPointer } from '../../../../codec/comet.ts'
import { equalBytes } from '../../../../data/bytes.ts'
import { bytesOfHex } from '../../../../codec/hex.ts'
import { accountText } from '../../address.ts'
import { emit, type Context } from '../../context.ts'
import { sdkError, TxError } from '../../txError.ts'
import { getAccount } from '../auth/accounts.ts'
import { getBalance } from '../bank/balances.ts'
import { isBlocked } from '../bank/blocked.ts'
import { isSendEnabled } from '../bank/params.ts'
import { sendFromModule, sendToModule } from '../bank/send.ts'
import { evmCoin } from '../../evmCoin.ts'
import { emptyCodeHash, getCodeHash } from '../evm/store.ts'
import { burnOther, mintOther } from '../precisebank/send.ts'
import { balanceOfToken, erc20Error, erc20Module, transferToken } from './contract.ts'
import { contractOwner, deleteTokenPair, findNamedPair, isErc20Enabled, type TokenPair } from './tokenPairs.ts'

export type Conversion = {
  readonly sender: Uint8Array
  readonly receiver: Uint8Array
  readonly amount: bigint
}

/** `spelled` are the addresses as the message spells them, which its event repeats. */
export type SpelledConversion = Conversion & {
  readonly spelled: { readonly sender: string; readonly receiver: string }
}

/**
 * Returns the pair of a token. Throws the node's errors if conversion to the receiver is not
 * allowed.
 */
function checkedPair(context: Context, token: string, { sender, receiver }: Conversion): TokenPair {
  if (!isErc20Enabled(context)) {
    throw erc20Error(2, 'module is currently disabled by governance: erc20 module is disabled')
  }
  const pair = findNamedPair(context, token)
  if (pair === undefined) {
    throw erc20Error(4, `token '${token}' not registered by id: token pair not found`)
  }
  if (!pair.enabled) {
    throw erc20Error(13, `minting token '${token}' is not enabled by governance: erc20 token pair is disabled`)
  }
  if (isBlocked(receiver)) {
    throw sdkError('unauthorized', `${accountText(context, receiver)} is not allowed to receive transactions`)
  }
  if (equalBytes(sender, receiver)) return pair
  // The node divides an amount that is not there.
  if (pair.denom === evmCoin(context).extendedDenom) {
    throw new GoPanic(nilPointer)
  }
  if (!isSendEnabled(context, pair.denom)) {
    throw new TxError(
      `minting '${token}' coins to an external address is currently disabled: send transactions are disabled`,
      { code: 5, codespace: 'bank' },
    )
  }
  return pair
}

/**
 * Returns the contract of a pair. If the contract no longer exists, deletes the pair and returns
 * undefined.
 */
function contractOf(context: Context, pair: TokenPair): Uint8Array | undefined {
  if (pair.owner !== contractOwner) {
    throw erc20Error(16, 'native coins manual conversion is disabled')
  }
  const token = bytesOfHex(pair.erc20)
  if (getAccount(context, token) !== undefined && !equalBytes(getCodeHash(context, token), emptyCodeHash)) {
    return token
  }
  deleteTokenPair(context, pair, token)
  return undefined
}

/** Locks tokens of a contract and mints the same number of coins. */
export function convertErc20(context: Context, contract: string, asked: SpelledConversion): void {
  const pair = checkedPair(context, contract, asked)
  const token = contractOf(context, pair)
  if (token === undefined) return
  const { sender, receiver, amount, spelled } = asked
  const { denom } = pair
  const coinsBefore = getBalance(context, receiver, denom)
  const held = tokensOf(context, token, erc20Module)
  transferToken(context, { token, from: sender, to: erc20Module, amount }, 'failed to execute transfer')
  checkBalance('token', held + amount, tokensOf(context, token, erc20Module))
  mintOther(context, 'erc20', { denom, amount })
  sendFromModule(context, 'erc20', receiver, [{ denom, amount }])
  checkBalance('coin', coinsBefore + amount, getBalance(context, receiver, denom))
  emit(context, 'convert_erc20', {
    ...spelled,
    amount: amount.toString(),
    cosmos_coin: denom,
    erc20_token: contract,
  })
}

/** Burns coins and releases the same number of locked tokens. */
export function convertCoin(context: Context, denom: string, asked: Conversion): void {
  const pair = checkedPair(context, denom, asked)
  const token = contractOf(context, pair)
  if (token === undefined) return
  const { sender, receiver, amount } = asked
  const coin = { denom: pair.denom, amount }
  const before = tokensOf(context, token, receiver)
  wrapped('failed to escrow coins', () => sendToModule(context, sender, 'erc20', [coin]))
  transferToken(
    context,
    { token, from: erc20Module, to: receiver, amount },
    'failed to execute unescrow tokens from user',
  )
  checkBalance('token', before + amount, tokensOf(context, token, receiver))
  wrapped('failed to burn coins', () => burnOther(context, 'erc20', coin))
}

function tokensOf(context: Context, token: Uint8Array, owner: Uint8Array): bigint {
  const balance = balanceOfToken(context, token, owner)
  if (balance === undefined) {
    throw erc20Error(12, 'failed to retrieve balance: EVM call unexpected error')
  }
  return balance
}

function checkBalance(what: string, expected: bigint, actual: bigint): void {
  if (expected === actual) return
  throw erc20Error(
    7,
    `invalid ${what} balance - expected: ${expected}, actual: ${actual}: post transfer balance invariant failed`,
  )
}

function wrapped(text: string, run: () => void): void {
  try {
    run()
  } catch (error) {
    throw error instanceof TxError ? error.inside(text) : error
  }
}
