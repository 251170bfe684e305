/** The context of transactions made by a scenario or by the node itself. */
import type { Context } from '../rpc/method.ts'
import type { Node } from '../node/node.ts'
import type { World } from '../node/world.ts'

/** Returns the context of a client that may use the node's keys. */
export function trustedContext(world: World, node: Node): Context {
  return {
    world,
    node: { ...node, settings: { ...node.settings, allowInsecureUnlock: true } },
    woken: undefined,
    caller: {
      side: 'eth',
      transport: 'post',
      connection: undefined,
      id: '1',
      trusted: true,
      seq: 0,
      timeMs: node.nowMs,
    },
  }
}
