/** Sends events to subscribers and applies push faults to them (`mocks.md` §3.3). */
import { addDue } from '../data/agenda.ts'
import { decidePush, judgesPushes, withCuts, type Closing, type PushVerdict } from '../fault/decidePush.ts'
import { isOn, matchesSubject, matchesSubscription } from '../fault/match.ts'
import { noClient, type FaultRule, type FaultSubject } from '../fault/rule.ts'
import type { Push } from '../feed/comet.ts'
import { canceledText } from '../feed/subscriptions.ts'
import { concat, effects, type Effects } from './effects.ts'
import type { Node, HeldEvents, HeldText } from './node.ts'
import { afterDecision } from './faultEnds.ts'
import type { Output } from './output.ts'
import { withoutConnection, withoutSubscription } from './subscribing.ts'
import type { World } from './world.ts'

/** Returns the node after sending events, and the outputs to send now. */
export function push(world: World, node: Node, pushes: readonly Push[]): Effects {
  const start = released(node)
  if (!judgesPushes(start.node.faults)) {
    return concat(start, effects(start.node, pushes.map(outputOf)))
  }
  const each = pushes.flatMap((one) => one.connections.map((connection) => ({ ...one, connection })))
  return each.reduce((before: Effects, one) => concat(before, pushOne(world, before.node, one)), start)
}

function outputOf({ connections, text }: Push): Output {
  const [only] = connections
  return connections.length === 1 && only !== undefined
    ? { kind: 'push', connection: only, text }
    : { kind: 'broadcast', connections, text }
}

type Addressed = Push & { readonly connection: number }

function pushOne(world: World, node: Node, one: Addressed): Effects {
  const { connection, subscription, text, height } = one
  // An earlier event of the same moment may have ended the connection or the subscription.
  if (!isListening(node, one)) return effects(node)
  const { verdict, state } = decidePush(
    node.faults,
    {
      ...subjectOf(node, connection),
      subscription,
      ...(height === undefined ? {} : { ofHeight: height }),
    },
    world.random,
  )
  const judged = afterDecision(node, state)
  if (verdict.close !== undefined) return cut(judged, [connection], verdict.close, 0)
  if (verdict.cancel !== undefined) return cancelled(judged, one, verdict.cancel)
  if (verdict.isDropped || isThrownAway(verdict)) return effects(judged)
  const texts = Array.from({ length: verdict.copies }, () => text)
  if (verdict.hold !== undefined) return hold(world, judged, one, { ...verdict.hold, texts })
  return sent(judged, connection, texts, verdict.delayMs)
}

function isThrownAway({ hold: kept }: PushVerdict): boolean {
  return kept?.how.type === 'wsStall' && kept.how.backlog === 'discard'
}

function isListening({ subscriptions }: Node, { connection, id }: Addressed): boolean {
  const [comet, eth] = [subscriptions.comet.get(connection), subscriptions.eth.get(connection)]
  return comet?.some((one) => one.id === id) === true || eth?.some((one) => one.id === id) === true
}

function subjectOf({ connections, nowMs, chain }: Node, connection: number): FaultSubject {
  const open = connections.get(connection)
  return {
    side: open?.side ?? 'eth',
    transport: 'ws',
    session: open?.session ?? '',
    connection,
    client: open?.client ?? noClient,
    timeMs: nowMs,
    height: chain.height,
  }
}

function sent(node: Node, connection: number, texts: readonly string[], delayMs: bigint): Effects {
  const outputs = texts.map((text) => ({ kind: 'push', connection, text }) as const)
  if (delayMs === 0n) return effects(node, outputs)
  const agenda = outputs.reduce(
    (before, output) => addDue(before, node.nowMs + delayMs, { type: 'deliver', output }),
    node.agenda,
  )
  return effects({ ...node, agenda })
}

/** Maximum number of held events of a subscription; it limits the memory of an endless stall. */
const heldMost = 10_000

type Kept = NonNullable<PushVerdict['hold']> & { readonly texts: readonly string[] }

function hold(world: World, node: Node, { connection, id, height }: Addressed, { rule, how, texts }: Kept): Effects {
  const isIt = (held: HeldEvents) => held.rule === rule && held.connection === connection && held.id === id
  const known = node.held.find(isIt)
  const others = node.held.filter((held) => !isIt(held))
  const due = how.type === 'stale' ? { dueAt: (height ?? 0n) + how.lag.count } : {}
  const fresh = texts.map((text) => ({ text, ...due }))
  const all = [...(known?.texts ?? []), ...fresh].slice(-heldMost)
  const next = { rule, connection, id, how, texts: all }
  if (how.type !== 'wsReorder' || all.length < how.window) {
    return effects({ ...node, held: [...others, next] })
  }
  const count = node.faults.counts.get(rule)?.applied ?? 0
  const order = shuffled(
    all.map(({ text }) => text),
    (n) => world.random.below(`reorder:${rule}`, count * 128 + n, n),
  )
  return sent({ ...node, held: others }, connection, order, 0n)
}

/** Returns the texts in a drawn order; if that is the original order, reverses it. */
function shuffled(texts: readonly string[], below: (n: number) => number): readonly string[] {
  const left = [...texts]
  const order: string[] = []
  while (left.length > 0) order.push(...left.splice(below(left.length), 1))
  return order.every((text, index) => text === texts[index]) ? texts.toReversed() : order
}

/** Returns the node after sending events whose rules are no longer on, and events that are due. */
export function released(node: Node): Effects {
  const now = { timeMs: node.nowMs, height: node.chain.height }
  const isKept = ({ rule }: HeldEvents) => node.faults.active.some((one) => one.rule.name === rule && isOn(one, now))
  const isDue = ({ dueAt }: HeldText) => dueAt !== undefined && dueAt <= now.height
  const over = node.held.flatMap((held) => {
    const texts = isKept(held) ? held.texts.filter(isDue) : held.texts
    return texts.length === 0 ? [] : [{ ...held, texts }]
  })
  if (over.length === 0) return effects(node)
  const outputs = over
    .filter(({ connection }) => node.connections.has(connection))
    .flatMap(
      ({ connection, texts }) =>
        sent(
          node,
          connection,
          texts.map(({ text }) => text),
          0n,
        ).outputs,
    )
  const held = node.held
    .filter(isKept)
    .map((one) => ({ ...one, texts: one.texts.filter((text) => !isDue(text)) }))
    .filter(({ texts }) => texts.length > 0)
  return effects({ ...node, held }, outputs)
}

type Cutting = NonNullable<PushVerdict['close']>

/**
 * Returns the node after a rule has cut connections; `cuts` is the number of cuts not yet counted.
 */
function cut(node: Node, connections: readonly number[], close: Cutting, cuts: number): Effects {
  const { code, reason, midFrame } = close.how
  const faults = withCuts(node.faults, close, { timeMs: node.nowMs, height: node.chain.height, cuts })
  const left = connections.reduce(withoutConnection, { ...node, faults })
  return effects(
    left,
    connections.map(
      (connection) => ({ kind: 'close', connection, code, reason, ...(midFrame ? { midFrame } : {}) }) as const,
    ),
  )
}

/** Returns the node after a closing rule was turned on: matching connections are closed at once. */
export function cutAtOnce(node: Node, rule: FaultRule): Effects {
  const how = rule.effects.find((effect): effect is Closing => effect.type === 'wsClose')
  const isAtOnce = rule.select.type === 'all' && rule.match.methods === undefined
  if (how === undefined || !isAtOnce) return effects(node)
  const hit = [...node.connections.keys()].filter((connection) => isMeant(node, rule, connection))
  return hit.length === 0 ? effects(node) : cut(node, hit, { rule, how }, hit.length)
}

function isMeant(node: Node, { match }: FaultRule, connection: number): boolean {
  if (!matchesSubject(match, subjectOf(node, connection))) return false
  const { subscriptions } = match
  if (subscriptions === undefined) return true
  const { comet, eth } = node.subscriptions
  const kinds = [
    ...(comet.get(connection) ?? []).map(({ text }) => text),
    ...(eth.get(connection) ?? []).map(({ kind }) => kind),
  ]
  return kinds.some((kind) => matchesSubscription(subscriptions, kind))
}

/**
 * Ends a subscription. CometBFT sends a message about it (`comet-rpc.md` §3), Ethereum JSON-RPC
 * does not.
 */
function cancelled(node: Node, { connection, id }: Addressed, reason: string): Effects {
  const isComet = node.connections.get(connection)?.side === 'comet'
  const outputs: readonly Output[] = isComet ? [{ kind: 'push', connection, text: canceledText(id, reason) }] : []
  return effects(withoutSubscription(node, connection, id), outputs)
}
