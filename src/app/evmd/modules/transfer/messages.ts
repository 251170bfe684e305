/**
 * Messages of IBC transfers, on a chain without clients. Each is validated and then rejected
 * (ibc-go v10).
 */
import { message, text, uint64 } from '../../../../codec/protobuf/message.ts'
import { checksumAddress } from '../../../../crypto/checksumAddress.ts'
import { accountText, addressOf } from '../../address.ts'
import { type Context, withFreeStores, type Handler } from '../../context.ts'
import { handler, validated } from '../../tx/handler.ts'
import { coinField } from '../../wire.ts'
import type { Coin } from '../../coins.ts'
import { getSpendable } from '../bank/spendable.ts'
import { convertErc20 } from '../erc20/convert.ts'
import { contractOwner, findNamedPair, isErc20Enabled } from '../erc20/tokenPairs.ts'
import { checkTransfer } from './check.ts'
import { refuse } from './refuse.ts'

type Transfer = {
  port: string
  channel: string
  token: Coin
  sender: string
  receiver: string
  timeout: bigint
  memo: string
}
const msgTransfer = message<Transfer>({
  1: ['port', text],
  2: ['channel', text],
  3: ['token', coinField],
  4: ['sender', text],
  5: ['receiver', text],
  7: ['timeout', uint64],
  8: ['memo', text],
})

export const transferMessages: Readonly<Record<string, Handler>> = {
  '/ibc.applications.transfer.v1.MsgTransfer': validated(
    msgTransfer,
    checkTransfer,
    handler(msgTransfer, ({ sender }, at) => addressOf(at, sender), transfer),
  ),
}

/** Rejects a transfer. The node charges no store gas for transfers, as for relayers' messages. */
function transfer(context: Context, asked: Transfer): void {
  const free = withFreeStores(context)
  refuse(free, { ...asked, sender: addressOf(context, asked.sender), token: converted(free, asked) })
}

/**
 * Returns the coin to transfer. If it belongs to a token contract, missing coins are converted from
 * tokens first.
 */
function converted(context: Context, { sender, token }: Transfer): Coin {
  const named = token.denom.replace(/^erc20:/, '')
  const pair = findNamedPair(context, named)
  if (pair?.enabled !== true || !isErc20Enabled(context)) return token
  const coin = { denom: pair.denom, amount: token.amount }
  if (pair.owner !== contractOwner) return coin
  const owner = addressOf(context, sender)
  const missing = token.amount - getSpendable(context, owner, pair.denom)
  if (missing > 0n) {
    const spelled = { sender: checksumAddress(owner), receiver: accountText(context, owner) }
    convertErc20(context, pair.erc20, { sender: owner, receiver: owner, amount: missing, spelled })
  }
  return coin
}
