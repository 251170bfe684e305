/** Why a valid IBC transfer fails, on a chain without clients (ibc-go v10 Transfer). */
import { maxUint256 } from '../../../../codec/goIntegers.ts'
import type { Coin } from '../../coins.ts'
import type { Context } from '../../context.ts'
import { getSpendable } from '../bank/spendable.ts'
import { checkDenom, ibcError, inside } from './check.ts'
import { denomOfPath, findDenom, readDenomHash } from './denoms.ts'

type Asked = {
  readonly channel: string
  readonly token: Coin
  readonly sender: Uint8Array
  readonly timeout: bigint
}

/** Throws unless the coin is known, or can have come from another chain. */
function checkKnown(context: Context, { denom }: Coin): void {
  if (!denom.startsWith('ibc/')) {
    inside('failed to validate ics20-1 packet data', () => checkDenom(denomOfPath(denom)))
    return
  }
  const hash = readDenomHash(denom)
  if (typeof hash === 'string' || findDenom(context, hash) === undefined) {
    throw ibcError(6, `${denom.slice('ibc/'.length)}: denomination not found`, 'transfer')
  }
}

/** The amount 2^256 - 1 means everything that the sender can spend. */
const everything = maxUint256

function checkAnything(context: Context, sender: Uint8Array, { denom, amount }: Coin): void {
  if (amount !== everything || getSpendable(context, sender, denom) > 0n) return
  throw ibcError(5, `empty spendable balance for ${denom}: invalid token amount`, 'transfer')
}

/**
 * Rejects a transfer. As on the node, an unknown channel is treated as an IBC v2 client, which does
 * not exist either.
 */
export function refuse(context: Context, { channel, timeout, token, sender }: Asked): void {
  if (context.store('transfer').get(new TextEncoder().encode('params'))?.[0] !== 0x08) {
    throw ibcError(7, 'fungible token transfers from this chain are disabled', 'transfer')
  }
  checkAnything(context, sender, token)
  checkKnown(context, token)
  if (timeout === 0n) {
    throw ibcError(8, 'timeout must not be 0: invalid packet timeout', 'channelv2')
  }
  throw ibcError(
    35,
    `send packet failed for source id: ${channel}: counterparty not found for ` +
      `client: ${channel}: counterparty not found`,
    'clientv2',
  )
}
