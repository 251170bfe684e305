import test from 'ava'
import type { CometSubscription } from '../../src/feed/subscriptions.ts'
import { createOutbox, type OutboxLimits } from '../../src/shell/outbox.ts'
import { eventually } from '../helpers/server.ts'

const limits: OutboxLimits = { queueMost: 3, bufferMost: 2, closesSlow: false, patienceMs: 60_000 }
const subscriptionOf = (id: string): CometSubscription => ({ id, text: 'q', query: { conditions: [] } })
const reasonOf = (text: string) => /reason: ([^)]*)\)/.exec(text)?.[1] ?? text

/** A reader who takes a frame when told to; until then one frame is on its way and the others wait. */
function reader(given: Partial<OutboxLimits> = {}) {
  const read: string[] = []
  let onWay: { text: string; sent: () => void } | undefined
  let cuts = 0
  const wire = {
    get writableLength() { return onWay === undefined ? 0 : 1 },
    write: (frame: Buffer, sent: () => void) => {
      if (onWay !== undefined) throw new Error('two frames on the way')
      onWay = { text: frame.toString(), sent }
    },
  }
  const outbox = createOutbox(wire, { ...limits, ...given }, () => { cuts += 1 })
  const take = (count = 1) => {
    for (let taken = 0; taken < count && onWay !== undefined; taken++) {
      const { text, sent } = onWay
      read.push(text)
      onWay = undefined
      sent()
    }
  }
  const events = (subscription: CometSubscription, from: number, to: number) => {
    for (let event = from; event <= to; event++) outbox.event(Buffer.from(`${subscription.id}${event}`), () => subscription)
  }
  return { outbox, events, take, read: () => read.map(reasonOf), cuts: () => cuts }
}

test('a reader in time gets every event', (t) => {
  const a = subscriptionOf('a')
  const { events, take, read } = reader()
  for (let event = 1; event <= 20; event++) {
    events(a, event, event)
    take()
  }
  t.is(read().length, 20)
})

test('what the queue and the buffer hold is kept in order', (t) => {
  const [a, b] = [subscriptionOf('a'), subscriptionOf('b')]
  const { outbox, events, take, read } = reader()
  // One on its way, three in the queue, one that tries and two in its buffer.
  events(a, 1, 7)
  outbox.reply(Buffer.from('answer'))
  events(b, 1, 2)
  take(100)
  t.deepEqual(read(), ['a1', 'a2', 'a3', 'a4', 'answer', 'a5', 'b1', 'a6', 'b2', 'a7'])
})

test('one event more cancels the subscription, and the reader hears of it when he reads again', (t) => {
  const [a, b] = [subscriptionOf('a'), subscriptionOf('b')]
  const { outbox, events, take, read, cuts } = reader()
  events(a, 1, 12)
  take(100)
  const reason = 'internal subscription event buffer is out of capacity'
  t.deepEqual(read(), ['a1', 'a2', 'a3', 'a4', 'a5', reason])
  events(a, 13, 14)
  events(b, 1, 1)
  outbox.reply(Buffer.from('answer'))
  take(100)
  t.deepEqual(read().slice(6), ['b1', 'answer'])
  t.is(cuts(), 0)
})

test('who subscribes again is told again', (t) => {
  const { events, take, read } = reader()
  events(subscriptionOf('a'), 1, 12)
  take(100)
  events(subscriptionOf('a'), 13, 13)
  take(100)
  t.is(read().at(-1), 'a13')
})

test('a frame that does not leave in time ends the connection', async (t) => {
  const { outbox, events, cuts } = reader({ patienceMs: 20 })
  events(subscriptionOf('a'), 1, 1)
  await eventually(() => cuts() === 1)
  outbox.end()
  t.pass()
})

/** Frames leave one by one, each in time, while the queue stays full longer than the patience. */
async function trickle(closesSlow: boolean): Promise<string[]> {
  const a = subscriptionOf('a')
  const { outbox, events, take, read } = reader({ patienceMs: 120, closesSlow })
  events(a, 1, 6)
  for (let more = 0; more < 6; more++) outbox.reply(Buffer.from(`r${more}`))
  for (let taken = 0; taken < 3; taken++) {
    await new Promise((next) => { setTimeout(next, 60) })
    take()
  }
  take(100)
  events(a, 7, 7)
  take(100)
  outbox.end()
  return read()
}

test('an event for which there is no room in time is dropped, and the next ones come', async (t) => {
  t.deepEqual((await trickle(false)).filter((text) => text.startsWith('a')), ['a1', 'a2', 'a3', 'a4', 'a6', 'a7'])
})

test('with close_on_slow_client nothing of the subscription comes any more', async (t) => {
  t.deepEqual((await trickle(true)).filter((text) => text.startsWith('a')), ['a1', 'a2', 'a3', 'a4'])
})
