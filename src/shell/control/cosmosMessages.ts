/** The messages of Cosmos transactions in brief: an action, a recipient and coins for lists. */
import { txBodyOf } from '../../codec/messages/cosmos.ts'
import { namedCodec } from '../../codec/schema/codecs.ts'
import { isRegistered } from '../../codec/schema/files.ts'

export type Coin = { readonly denom: string; readonly amount: string }

/** `to` is the bech32 address that the first message names. */
export type Brief = { readonly action: string; readonly to: string | null; readonly coins: readonly Coin[] }

/** Members of messages that hold the recipient, the most telling first. */
const recipients = ['toAddress', 'validatorDstAddress', 'validatorAddress', 'receiver', 'recipient', 'grantee']
/** Members of messages that hold coins. */
const amounts = ['amount', 'token', 'coin', 'initialDeposit', 'value']

/**
 * Returns the first message of a Cosmos transaction in brief; `action` is its name without `Msg`, and
 * says how many messages follow. Bytes that are no such transaction give an empty brief.
 */
export function briefOf(raw: Uint8Array): Brief {
  try {
    const [first, ...rest] = txBodyOf(raw).messages
    if (first === undefined || !isRegistered(first.typeUrl)) return nothing
    const value = namedCodec(first.typeUrl.slice(1)).decode(first.value)
    const to = recipients.map((name) => value[name]).find((one) => typeof one === 'string' && one !== '')
    return {
      action: `${nameOf(first.typeUrl)}${rest.length === 0 ? '' : ` +${rest.length}`}`,
      to: (to as string | undefined) ?? null,
      coins: amounts.flatMap((name) => coinsIn(value[name])),
    }
  } catch {
    return nothing
  }
}

const nothing: Brief = { action: '', to: null, coins: [] }

/** Returns `Send` for `/cosmos.bank.v1beta1.MsgSend`. */
function nameOf(typeUrl: string): string {
  return (typeUrl.split('.').at(-1) ?? '').replace(/^Msg/, '')
}

function coinsIn(value: unknown): readonly Coin[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  return list.flatMap((one) => {
    if (typeof one !== 'object' || one === null || !('denom' in one) || !('amount' in one)) return []
    return [{ denom: String(one.denom), amount: String(one.amount) }]
  })
}
