import test from 'ava'
import type { CometSubscription } from '../../../src/feed/subscriptions.ts'
import { createOutbox, type OutboxLimits } from '../../../src/shell/transport/outbox.ts'

const limits: OutboxLimits = { queueMost: 3, bufferMost: 2, closesSlow: false, patienceMs: 60_000 }
const subscriptionOf = (id: string): CometSubscription => ({ id, text: 'q', query: { conditions: [] } })
const reasonOf = (text: string) => /reason: ([^)]*)\)/.exec(text)?.[1] ?? text

/**
 * A reader who takes a frame when told to; until then one frame is on its way and the others wait.
 */
function reader(given: Partial<OutboxLimits> = {}) {
  const read: string[] = []
  let onWay: { text: string; sent: () => void } | undefined
  let cuts = 0
  const wire = {
    get writableLength() {
      return onWay === undefined ? 0 : 1
    },
    write: (frame: Buffer, sent: () => void) => {
      if (onWay !== undefined) throw new Error('two frames on the way')
      onWay = { text: frame.toString(), sent }
    },
  }
  const outbox = createOutbox(wire, { ...limits, ...given }, () => {
    cuts += 1
  })
  const take = (count = 1) => {
    for (let taken = 0; taken < count && onWay !== undefined; taken++) {
      const { text, sent } = onWay
      read.push(text)
      onWay = undefined
      sent()
    }
  }
  const events = (subscription: CometSubscription, from: number, to: number) => {
    for (let event = from; event <= to; event++) {
      outbox.event(Buffer.from(`${subscription.id}${event}`), () => subscription)
    }
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

type Timer = { atMs: number; readonly everyMs: number; readonly run: () => void; readonly unref: () => Timer }

/** A clock: `pass` moves it while nothing else happens, `work` at once, as a busy process finds it afterwards. */
type Clock = { readonly pass: (ms: number) => void; readonly work: (ms: number) => void }

/** Runs with a clock of its own. */
function withClock<Result>(body: (clock: Clock) => Result): Result {
  const { setInterval: set, clearInterval: clear } = globalThis
  const timers = new Set<Timer>()
  let nowMs = 0
  const start = (run: () => void, everyMs: number): Timer => {
    const timer: Timer = { atMs: nowMs + everyMs, everyMs, run, unref: () => timer }
    timers.add(timer)
    return timer
  }
  const work = (ms: number): void => {
    nowMs += ms
    for (const timer of [...timers].filter(({ atMs }) => atMs <= nowMs)) {
      timer.atMs = nowMs + timer.everyMs
      timer.run()
    }
  }
  const pass = (ms: number): void => {
    for (let passed = 0; passed < ms; passed++) work(1)
  }
  Object.assign(globalThis, { setInterval: start, clearInterval: (timer: Timer) => timers.delete(timer) })
  try {
    return body({ pass, work })
  } finally {
    Object.assign(globalThis, { setInterval: set, clearInterval: clear })
  }
}

test('a frame that does not leave in time ends the connection', (t) => {
  const { events, cuts } = reader({ patienceMs: 100 })
  withClock(({ pass }) => {
    events(subscriptionOf('a'), 1, 1)
    pass(99)
    t.is(cuts(), 0)
    pass(1)
    t.is(cuts(), 1)
  })
})

test('time in which a busy process sends nothing does not count', (t) => {
  const { events, take, cuts } = reader({ patienceMs: 100 })
  withClock(({ pass, work }) => {
    events(subscriptionOf('a'), 1, 1)
    pass(50)
    work(10_000)
    pass(40)
    take()
    pass(100)
  })
  t.is(cuts(), 0)
})

/** Frames leave one by one, each in time, while the queue stays full longer than the patience. */
function trickle(closesSlow: boolean): string[] {
  const a = subscriptionOf('a')
  const { outbox, events, take, read, cuts } = reader({ patienceMs: 100, closesSlow })
  withClock(({ pass }) => {
    events(a, 1, 6)
    for (let more = 0; more < 6; more++) outbox.reply(Buffer.from(`r${more}`))
    for (let taken = 0; taken < 3; taken++) {
      pass(60)
      take()
    }
    take(100)
    events(a, 7, 7)
    take(100)
    outbox.end()
  })
  return cuts() === 0 ? read().filter((text) => !text.startsWith('r')) : ['cut']
}

test('an event for which there is no room in time is dropped, and the next ones come', (t) => {
  t.deepEqual(trickle(false), ['a1', 'a2', 'a3', 'a4', 'a6', 'a7'])
})

test('with close_on_slow_client nothing of the subscription comes any more', (t) => {
  t.deepEqual(trickle(true), ['a1', 'a2', 'a3', 'a4'])
})
