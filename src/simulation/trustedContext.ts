/** Who asks when a scenario or the node itself makes a transaction. */
import type { Context } from '../rpc/method.ts'
import type { Node } from '../node/node.ts'
import type { World } from '../node/world.ts'

/** Returns who asks: a client that the node trusts with its keys. */
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
