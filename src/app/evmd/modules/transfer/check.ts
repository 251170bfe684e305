/** What makes an IBC transfer invalid, whatever the state (ibc-go MsgTransfer ValidateBasic). */
import { utf8Of } from '../../../../data/utf8.ts'
import { type Coin, coinsText, isDenom } from '../../coins.ts'
import { checkIbcId } from '../../ibcId.ts'
import { TxError } from '../../txError.ts'
import { type Denom, readDenomHash } from './denoms.ts'

type Asked = {
  readonly port: string
  readonly channel: string
  readonly token: Coin
  readonly receiver: string
  readonly memo: string
}

const receiverMax = 2048
const memoMax = 32_768

/** Throws for a transfer that is invalid whatever the state. */
export function checkTransfer({ port, channel, token, receiver, memo }: Asked): void {
  inside(`invalid source port ID ${port}`, () => checkIbcId('port', port))
  inside(`invalid source channel ID ${channel}`, () => checkIbcId('channel', channel))
  if (!isDenomOfIbc(token.denom) || token.amount <= 0n) {
    throw ibcError(6, `${coinsText([token])}: invalid coins`, 'ibc')
  }
  if (receiver.trim() === '') {
    throw ibcError(5, 'missing recipient address: invalid address', 'ibc')
  }
  if (utf8Of(receiver).length > receiverMax) {
    throw ibcError(5, `recipient address must not exceed ${receiverMax} bytes: invalid address`, 'ibc')
  }
  if (utf8Of(memo).length > memoMax) {
    throw ibcError(11, `memo must not exceed ${memoMax} bytes: invalid memo`, 'transfer')
  }
}

/** A denomination that begins with `ibc/` goes on with a hash. */
function isDenomOfIbc(denom: string): boolean {
  if (!isDenom(denom) || denom === 'ibc' || denom === 'ibc/') return false
  return !denom.startsWith('ibc/') || typeof readDenomHash(denom) !== 'string'
}

/** Throws if a coin of another chain has a blank name or an invalid channel (ibc-go Denom Validate). */
export function checkDenom({ base, trace }: Denom): void {
  if (base.trim() === '') {
    const text = 'base denomination cannot be blank: invalid denomination for cross-chain transfer'
    throw ibcError(3, text, 'transfer')
  }
  inside('invalid trace', () => {
    for (const { port, channel } of trace) {
      inside(`invalid hop source port ID ${port}`, () => checkIbcId('port', port))
      inside(`invalid hop source channel ID ${channel}`, () => checkIbcId('channel', channel))
    }
  })
}

/** Runs a check. A refusal gets a text in front. */
export function inside(text: string, run: () => void): void {
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
