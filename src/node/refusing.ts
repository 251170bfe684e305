/** Connections that faults refuse: at the door, or by taking the door away. */
import { decideHandshake } from '../fault/decidePush.ts'
import { isOn } from '../fault/match.ts'
import type { Input } from './input.ts'
import type { Node } from './node.ts'
import type { Listening, Output } from './output.ts'
import type { World } from './world.ts'
import { sideNames } from '../settings/side.ts'

export type Handshaken = {
  readonly node: Node
  readonly output: Output
  /** The fault that refused it. */
  readonly refusedBy: string | undefined
}

/** Returns the answer to a WebSocket handshake, of which only the status counts: 101 lets it in. */
export function handshaken(
  world: World,
  node: Node,
  { seq, side, session, client }: Extract<Input, { kind: 'handshake' }>,
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
    node: { ...node, faults: state },
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

/**
 * Returns the outputs that open and close listeners, where a turn of the simulation changed them.
 */
export function listenersChanged(before: Node, after: Node): readonly Output[] {
  if (before.faults.active.length === 0 && after.faults.active.length === 0) return []
  const [old, closed] = [closedListeners(before), closedListeners(after)]
  return old.join() === closed.join() ? [] : [{ kind: 'listen', closed }]
}

/** A rule about a session or about single clients cannot close what others use too. */
function closedListeners({ faults, nowMs, chain }: Node): readonly Listening[] {
  const now = { timeMs: nowMs, height: chain.height }
  const closed = faults.active.flatMap((one): readonly Listening[] => {
    const { match, effects } = one.rule
    const { sides = sideNames, transport, session } = match
    const isClosing =
      effects.some(({ type }) => type === 'refuse') && isOn(one, now) && transport !== 'ws' && session === undefined
    if (!isClosing) return []
    const hasSockets = sides.includes('eth') && transport !== 'http'
    return hasSockets ? [...sides, 'ethWs'] : sides
  })
  return [...new Set(closed)].sort()
}
