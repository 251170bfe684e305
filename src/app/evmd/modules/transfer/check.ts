/** What makes an IBC transfer invalid, whatever the state (ibc-go MsgTransfer ValidateBasic). */
import { type Coin, coinsText, isDenom } from '../../coins.ts'
import { checkIbcId } from '../../ibcId.ts'
import { TxError } from '../../txError.ts'

type Asked = { readonly port: string; readonly channel: string; readonly token: Coin; readonly receiver: string }

/** Throws for a transfer that is invalid whatever the state. */
export function checkTransfer({ port, channel, token, receiver }: Asked): void {
  inside(`invalid source port ID ${port}`, () => checkIbcId('port', port))
  inside(`invalid source channel ID ${channel}`, () => checkIbcId('channel', channel))
  if (!isDenom(token.denom) || token.amount <= 0n) {
    throw ibcError(6, `${coinsText([token])}: invalid coins`, 'ibc')
  }
  if (receiver.trim() === '') {
    throw ibcError(5, 'missing recipient address: invalid address', 'ibc')
  }
}

function inside(text: string, run: () => void): void {
  try {
    run()
  } catch (error) {
    throw error instanceof TxError ? error.inside(text) : error
  }
}

/** Returns an error of IBC. */
export function ibcError(code: number, text: string, codespace: string): TxError {
  return new TxError(text, { code, codespace })
}
