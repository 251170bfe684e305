/** Subscriptions on CometBFT RPC and Ethereum JSON-RPC. */
import type { CometQuery } from './cometQuery.ts'

/**
 * `id` is the JSON text of the subscribe request's id, which every event repeats (`comet-rpc.md`
 * §2.6).
 */
export type CometSubscription = {
  readonly id: string
  readonly text: string
  readonly query: CometQuery
}

export type EthSubscriptionKind =
  | { readonly kind: 'newHeads' }
  | { readonly kind: 'newPendingTransactions'; readonly full: boolean }
  | { readonly kind: 'logs'; readonly filter: LogFilter }

export type EthSubscription = EthSubscriptionKind & { readonly id: string }

/**
 * A log filter (`cosmos-evm-rpc.md` §5.2). Addresses are alternatives. Each topic position is a
 * list of alternatives; an empty list matches all. Heights are inclusive; `undefined` is open.
 */
export type LogFilter = {
  readonly from: bigint | undefined
  readonly to: bigint | undefined
  readonly blockHash: Uint8Array | undefined
  readonly addresses: readonly Uint8Array[]
  readonly topics: readonly (readonly Uint8Array[])[]
}

export type Subscriptions = {
  readonly comet: ReadonlyMap<number, readonly CometSubscription[]>
  readonly eth: ReadonlyMap<number, readonly EthSubscription[]>
}

/** Returns the message that CometBFT sends when it ends a subscription; `id` is JSON (`comet-rpc.md` §3). */
export function canceledText(id: string, reason: string): string {
  return (
    `{"jsonrpc":"2.0","id":${id},"error":{"code":-32000,"message":"Server error",` +
    `"data":${JSON.stringify(`subscription was canceled (reason: ${reason})`)}}}`
  )
}
