/**
 * Messages of IBC's transfer, on a chain without clients: each is checked and refused (ibc-go v10).
 */
import { message, text, uint64 } from '../../../../codec/protobuf/message.ts'
import { addressOf } from '../../address.ts'
import type { Context } from '../../context.ts'
import { checkIbcId } from '../../ibcId.ts'
import { handler, type Handler, validated } from '../../tx/handler.ts'
import { TxError } from '../../txError.ts'
import { coinField } from '../../wire.ts'
import { type Coin, coinsText, isDenom } from '../bank/coins.ts'

type Transfer = {
  port: string; channel: string; token: Coin; sender: string; receiver: string; timeout: bigint
}
const msgTransfer = message<Transfer>({
  1: ['port', text], 2: ['channel', text], 3: ['token', coinField], 4: ['sender', text],
  5: ['receiver', text], 7: ['timeout', uint64],
})

export const transferMessages: Readonly<Record<string, Handler>> = {
  '/ibc.applications.transfer.v1.MsgTransfer': validated(
    msgTransfer, check, handler(msgTransfer, ({ sender }) => addressOf(sender), refuse),
  ),
}

function check({ port, channel, token, receiver }: Transfer): void {
  inside(`invalid source port ID ${port}`, () => checkIbcId('port', port))
  inside(`invalid source channel ID ${channel}`, () => checkIbcId('channel', channel))
  if (!isDenom(token.denom) || token.amount <= 0n) {
    throw ibcError(6, `${coinsText([token])}: invalid coins`, 'ibc')
  }
  if (receiver.trim() === '') {
    throw ibcError(5, 'missing recipient address: invalid address', 'ibc')
  }
}

/** A channel that is not there is taken for a client of IBC v2, which is not there either. */
function refuse(context: Context, { channel, timeout }: Transfer): void {
  if (context.store('transfer').get(new TextEncoder().encode('params'))?.[0] !== 0x08) {
    throw ibcError(7, 'fungible token transfers from this chain are disabled', 'transfer')
  }
  if (timeout === 0n) {
    throw ibcError(8, 'timeout must not be 0: invalid packet timeout', 'channelv2')
  }
  throw ibcError(35, `send packet failed for source id: ${channel}: counterparty not found for `
    + `client: ${channel}: counterparty not found`, 'clientv2')
}

function inside(text: string, run: () => void): void {
  try {
    run()
  } catch (error) {
    throw error instanceof TxError ? error.inside(text) : error
  }
}

function ibcError(code: number, text: string, codespace: string): TxError {
  return new TxError(text, { code, codespace })
}
