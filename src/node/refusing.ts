/** Connections that faults refuse, by rejecting the handshake or closing the listener. */
import { decideHandshake } from '../fault/decidePush.ts'
import { closesListeners, isOn } from '../fault/match.ts'
import { afterDecision } from './faultEnds.ts'
import type { NodeInput, Stamp } from './input.ts'
import type { Node } from './node.ts'
import type { Listening, Output } from './output.ts'
import type { World } from './world.ts'
import { sideNames } from '../settings/side.ts'

export type Handshaken = {
  readonly node: Node
  readonly output: Output
  /** The name of the fault that refused the handshake. */
  readonly refusedBy: string | undefined
}

/** Returns the response to a WebSocket handshake. Only the status counts: 101 accepts it. */
export function handshaken(
  world: World,
  node: Node,
  { seq, side, session, client }: Stamp & Extract<NodeInput, { kind: 'handshake' }>,
): Handshaken {
  const { refused, state } = decideHandshake(
    node.faults,
    {
      side,
      transport: 'ws',
      session,
      connection: undefined,
      client,
      timeMs: node.nowMs,
      height: node.chain.height,
    },
    world.random,
  )
  return {
    node: afterDecision(node, state),
    output: {
      kind: 'reply',
      seq,
      status: refused?.status ?? 101,
      headers: [],
      body: '',
      wire: undefined,
    },
    refusedBy: refused?.by,
  }
}

/** Returns the output that opens and closes listeners, if the set of closed listeners changed. */
export function listenersChanged(before: Node, after: Node): readonly Output[] {
  if (before.faults.active.length === 0 && after.faults.active.length === 0) return []
  const [old, closed] = [closedListeners(before), closedListeners(after)]
  return old.join() === closed.join() ? [] : [{ kind: 'listen', closed }]
}

/** Returns the closed listeners. */
function closedListeners({ faults, nowMs, chain }: Node): readonly Listening[] {
  const now = { timeMs: nowMs, height: chain.height }
  const closed = faults.active.flatMap((one): readonly Listening[] => {
    if (!closesListeners(one.rule) || !isOn(one, now)) return []
    const { sides = sideNames, transport } = one.rule.match
    const hasSockets = sides.includes('eth') && transport !== 'http'
    return hasSockets ? [...sides, 'ethWs'] : sides
  })
  return [...new Set(closed)].sort()
}
