/** Limits on subscribers (`comet-rpc.md` §2.6); the node's indexer counts as a client. */
import type { Context } from '../method.ts'
import { failed } from './errors.ts'

/** Throws if another subscription of this caller would exceed a limit. */
export function checkListenerLimits({ node, caller }: Context): void {
  const { maxSubscriptionClients, maxSubscriptionsPerClient } = node.settings
  const connections = new Set([...node.subscriptions.comet].flatMap(([id, own]) => (own.length === 0 ? [] : [id])))
  const waits = node.owed.filter(({ wait, request }) => request.side === 'comet' && wait.for === 'tx')
  for (const {
    request: { connection },
  } of waits)
    if (connection !== undefined) connections.add(connection)
  const clients = 1 + connections.size + waits.filter(({ request }) => request.connection === undefined).length
  if (clients >= maxSubscriptionClients) {
    throw failed(`max_subscription_clients ${maxSubscriptionClients} reached`)
  }
  const own = caller.connection === undefined ? 0 : (node.subscriptions.comet.get(caller.connection)?.length ?? 0)
  if (own >= maxSubscriptionsPerClient) {
    throw failed(`max_subscriptions_per_client ${maxSubscriptionsPerClient} reached`)
  }
}
