/** Executes MsgSend and MsgMultiSend (cosmos-sdk x/bank msg_server). */
import { MsgMultiSend, MsgMultiSendResponse, MsgSend, MsgSendResponse } from '../../../../codec/messages/cosmos.ts'
import { message, repeated } from '../../../../codec/protobuf/message.ts'
import { accountText, addressOf, bech32AddressOf, namedAddress } from '../../address.ts'
import { emit, type Context, type Handler } from '../../context.ts'
import { sdkError, TxError } from '../../txError.ts'
import { coinField } from '../../wire.ts'
import { createAccount, hasAccount } from '../auth/accounts.ts'
import { checkReceiver } from './blocked.ts'
import { areValid, type Coin, coinsOf, coinsText } from '../../coins.ts'
import { checkSendEnabled } from './params.ts'
import { addCoins, emitTransfer, sendCoins, subtractCoins } from './send.ts'

export const bankMessages: Readonly<Record<string, Handler>> = {
  '/cosmos.bank.v1beta1.MsgSend': {
    signers: (value, at) => [addressOf(at, checkedSend(value).fromAddress)],
    run: (context, value) => send(context, MsgSend.decode(value)),
  },
  '/cosmos.bank.v1beta1.MsgMultiSend': {
    signers: (value, at) => MsgMultiSend.decode(value).inputs.map(({ address }) => addressOf(at, address)),
    run: (context, value) => multiSend(context, MsgMultiSend.decode(value)),
  },
}

function checkedSend(value: Uint8Array): MsgSend {
  amountsOf.decode(value)
  return MsgSend.decode(value)
}

// The generated message has amounts as text. This one decodes them as numbers.
const amountsOf = message<{ amount: readonly Coin[] }>({ 3: ['amount', repeated(coinField)] })

/** Moves coins from one account to another. Returns the response. */
export function send(context: Context, { fromAddress, toAddress, amount }: MsgSend): Uint8Array {
  const from = namedAddress(context, 'from', fromAddress)
  const to = namedAddress(context, 'to', toAddress)
  const coins = validCoins(amount)
  checkSendEnabled(context, coins)
  checkReceiver(context, to)
  sendCoins(context, { from, to, coins })
  return MsgSendResponse.encode({})
}

/** Moves coins from one account to several. Returns the response. */
function multiSend(context: Context, { inputs, outputs }: MsgMultiSend): Uint8Array {
  const [input, ...others] = inputs
  if (input === undefined) throw bankError(2, 'no inputs to send transaction')
  if (others.length > 0) throw bankError(9, 'multiple senders not allowed')
  if (outputs.length === 0) throw bankError(3, 'no outputs to send transaction')
  const coins = validCoins(input.coins)
  const shares = outputs.map((output) => ({
    to: namedAddress(context, 'output', output.address, bech32AddressOf),
    coins: validCoins(output.coins),
  }))
  if (coinsText(coins) !== coinsText(sum(shares.flatMap((share) => share.coins)))) {
    throw bankError(4, 'sum inputs != sum outputs')
  }
  checkSendEnabled(context, coins)
  for (const { to } of shares) checkReceiver(context, to)
  distribute(context, { from: addressOf(context, input.address), coins, shares })
  return MsgMultiSendResponse.encode({})
}

type Distribution = {
  readonly from: Uint8Array
  readonly coins: readonly Coin[]
  readonly shares: readonly { readonly to: Uint8Array; readonly coins: readonly Coin[] }[]
}

function distribute(context: Context, { from, coins, shares }: Distribution): void {
  emit(context, 'message', { sender: accountText(context, from) })
  for (const { to } of shares) if (!hasAccount(context, to)) createAccount(context, to)
  subtractCoins(context, from, coins)
  for (const { to, coins: share } of shares) {
    addCoins(context, to, share)
    emitTransfer(context, { from, to, coins: share })
  }
}

function validCoins(wire: readonly { denom: string; amount: string }[]): readonly Coin[] {
  const coins = coinsOf(wire)
  if (coins !== undefined && coins.length > 0 && areValid(coins)) return coins
  throw sdkError('invalidCoins', wire.map(({ denom, amount }) => `${amount}${denom}`).join(','))
}

/** Returns the sum of coins per denomination, sorted. */
function sum(coins: readonly Coin[]): readonly Coin[] {
  const totals = new Map<string, bigint>()
  for (const { denom, amount } of coins) totals.set(denom, (totals.get(denom) ?? 0n) + amount)
  return [...totals].sort(([a], [b]) => (a < b ? -1 : 1)).map(([denom, amount]) => ({ denom, amount }))
}

function bankError(code: number, text: string): TxError {
  return new TxError(text, { code, codespace: 'bank' })
}
