import type { Socket } from 'node:net'
import test from 'ava'
import { SimError } from '../../src/errors.ts'
import type { Input } from '../../src/plan/input.ts'
import type { Output, ReplyOutput } from '../../src/node/output.ts'
import { holdResponse } from '../../src/shell/heldResponses.ts'
import { createQueue, type Keeper, type Learning, type Sinks, type Turned } from '../../src/shell/queue.ts'
import type { Simulation } from '../../src/simulation/turn.ts'
import { requestWith } from '../helpers/requests.ts'

/** Stands for a simulation: the queue only hands it on. */
const value = (name: string) => ({ name, node: { nowMs: 0n } }) as unknown as Simulation

const request = (body: string) => requestWith({ body })

const reply = (seq: number, body: string): Output => ({
  kind: 'reply',
  seq,
  status: 200,
  headers: [],
  body,
  wire: undefined,
})

function setUp(
  simulate: (simulation: Simulation, input: Input) => Turned,
  sinks: Partial<Sinks> = {},
  learning?: Learning,
  keeper?: Keeper,
) {
  const logged: string[] = []
  const recorded: Input[] = []
  let now = 0n
  const queue = createQueue({
    simulation: value('first'),
    simulate,
    nowMs: () => now++,
    ...(learning && { learning }),
    ...(keeper && { keeper }),
    sinks: {
      push: () => {},
      close: () => {},
      listen: () => {},
      perform: () => {},
      wake: () => {},
      log: (_level, text) => {
        logged.push(text)
      },
      record: (input) => {
        recorded.push(input)
      },
      ...sinks,
    },
  })
  return { queue, logged, recorded }
}

test('inputs are numbered from 1 and stamped with the time', (t) => {
  const { queue, recorded } = setUp((simulation) => ({ simulation, outputs: [] }))
  queue.enter({ kind: 'tick' })
  queue.enter(request('x'))
  t.deepEqual(
    recorded.map(({ seq, timeMs, kind }) => [seq, timeMs, kind]),
    [
      [1, 0n, 'tick'],
      [2, 1n, 'request'],
    ],
  )
})

test('held responses are sent before work that is no request', (t) => {
  const heard: string[] = []
  const { queue } = setUp((simulation, { kind }) => {
    heard.push(kind)
    return { simulation, outputs: [] }
  })
  const socket = { cork: () => {}, uncork: () => heard.push('sent') } as unknown as Socket
  holdResponse(socket)
  queue.enter({ kind: 'tick' })
  queue.enter({ kind: 'tick' })
  t.deepEqual(heard, ['sent', 'tick', 'tick'])
})

test('a reply goes to whoever asked, however much later it comes', (t) => {
  const { queue } = setUp((simulation, input) => ({
    simulation,
    outputs: input.kind === 'tick' ? [reply(1, 'late')] : [],
  }))
  const got: ReplyOutput[] = []
  queue.enter(request('x'), (one) => got.push(one))
  t.deepEqual(got, [])
  queue.enter({ kind: 'tick' })
  t.deepEqual(
    got.map(({ body }) => body),
    ['late'],
  )
})

test('an output that cannot be carried out does not hold up the others', (t) => {
  const pushed: string[] = []
  const { queue, logged } = setUp(
    (simulation) => ({
      simulation,
      outputs: [
        { kind: 'push', connection: 1, text: 'a' },
        { kind: 'push', connection: 2, text: 'b' },
      ],
    }),
    {
      push: ([connection], text) => {
        if (connection === 1) throw new Error('planted')
        pushed.push(text)
      },
    },
  )
  queue.enter({ kind: 'tick' })
  t.deepEqual(pushed, ['b'])
  t.is(logged.length, 1)
})

test('an input that enters while outputs are carried out waits for its turn', (t) => {
  const order: string[] = []
  const { queue } = setUp(
    (simulation, input) => {
      order.push(`in ${input.seq}`)
      return {
        simulation,
        outputs:
          input.seq === 1
            ? [
                { kind: 'push', connection: 1, text: 'a' },
                { kind: 'push', connection: 1, text: 'b' },
              ]
            : [],
      }
    },
    {
      push: (_connections, text) => {
        order.push(text)
        if (text === 'a') queue.enter({ kind: 'tick' })
      },
    },
  )
  queue.enter({ kind: 'tick' })
  t.deepEqual(order, ['in 1', 'a', 'b', 'in 2'])
})

test('a stopped queue takes nothing', (t) => {
  const { queue, recorded } = setUp((simulation) => ({ simulation, outputs: [] }))
  queue.stop()
  queue.enter({ kind: 'tick' })
  t.deepEqual(recorded, [])
})

const wanted = [{ type: 'account', address: new Uint8Array(20) }] as const

/** Answers requests once `learned` has entered. */
function forgetful() {
  let isTold = false
  return (simulation: Simulation, input: Input): Turned => {
    if (input.kind === 'learned') isTold = true
    if (input.kind !== 'request' || input.recorded !== undefined) {
      return { simulation, outputs: input.kind === 'request' ? [reply(input.seq, 'refused')] : [] }
    }
    return isTold ? { simulation, outputs: [reply(input.seq, input.body)] } : { simulation, outputs: [], wanted }
  }
}

test('an input that wants something waits for it, and what comes meanwhile waits behind it', async (t) => {
  let told = () => {}
  const asked = new Promise<readonly []>((done) => {
    told = () => done([])
  })
  const { queue, recorded } = setUp(forgetful(), {}, { learn: () => asked, refused: () => undefined })
  const got: string[] = []
  const both = ['first', 'second'].map(
    (body) =>
      new Promise<void>((done) => {
        queue.enter(request(body), (one) => {
          got.push(one.body)
          done()
        })
      }),
  )
  t.deepEqual([got, recorded], [[], []])
  told()
  await Promise.all(both)
  t.deepEqual(got, ['first', 'second'])
  t.deepEqual(
    recorded.map(({ seq, kind }) => [seq, kind]),
    [
      [1, 'learned'],
      [2, 'request'],
      [3, 'request'],
    ],
  )
})

test('what cannot be learned is an answer, and the next input is carried out', async (t) => {
  const { queue, recorded, logged } = setUp(
    forgetful(),
    {},
    {
      learn: () => Promise.reject(new SimError('AWAY', 'away')),
      refused: (body) => ({ ...body, ...(body.kind === 'request' ? { recorded: [] } : {}) }),
    },
  )
  const answer = new Promise<string>((done) => {
    queue.enter(request('x'), ({ body }) => done(body))
  })
  t.is(await answer, 'refused')
  t.deepEqual(logged, ['request was not executed: away'])
  queue.enter({ kind: 'tick' })
  await new Promise((done) => {
    setImmediate(done)
  })
  t.deepEqual(
    recorded.map(({ seq, kind, timeMs }) => [seq, kind, timeMs]),
    [
      [1, 'request', 0n],
      [2, 'tick', 0n],
    ],
    'time stands still',
  )
})

/** A queue whose inputs with the text `lacks` wait for facts, and whose others are answered by the next tick. */
function setUpWaiting() {
  const learning: Learning = { learn: () => new Promise(() => {}), refused: () => undefined }
  return setUp(
    (simulation, input) =>
      input.kind === 'request' && input.body === 'lacks'
        ? { simulation, outputs: [], wanted: [{ type: 'account', address: new Uint8Array(20) }] }
        : { simulation, outputs: input.kind === 'tick' ? [reply(1, 'late')] : [] },
    {},
    learning,
  )
}

test('whoever waits for a response when the queue stops is answered once, like those who ask later', (t) => {
  const { queue } = setUpWaiting()
  const heard: string[] = []
  const ask = (body: string, as: string) =>
    queue.enter(request(body), ({ status }) => {
      heard.push(`${as} ${status}`)
    })
  ask('owed', 'owed')
  ask('lacks', 'fetching')
  ask('x', 'in line')
  const cancel = queue.onStop(() => heard.push('cancelled'))
  queue.onStop(() => heard.push('stops'))
  cancel()
  queue.stop()
  queue.stop()
  ask('x', 'later')
  queue.onStop(() => heard.push('has stopped'))
  queue.enter({ kind: 'tick' })
  t.deepEqual(heard, ['stops', 'fetching 503', 'in line 503', 'owed 503', 'later 503', 'has stopped'])
})

test('a response whose input is being saved when the queue stops leaves as it is', (t) => {
  const held: (() => void)[] = []
  const keeper = { entered: () => {}, replaced: () => {}, whenKept: (work: () => void) => void held.push(work) }
  const { queue } = setUp(
    (simulation, { seq }) => ({ simulation, outputs: seq === 1 ? [reply(1, 'saved')] : [] }),
    {},
    undefined,
    keeper,
  )
  const heard: string[] = []
  for (const body of ['a', 'b']) queue.enter(request(body), (one) => heard.push(`${body} ${one.status}`))
  queue.stop()
  t.deepEqual(heard, [])
  for (const work of held) work()
  t.deepEqual(heard, ['a 200', 'b 503'])
})

test('nobody waits any more for the response to a request of a connection that has closed', (t) => {
  const { queue } = setUp((simulation) => ({ simulation, outputs: [] }))
  const heard: string[] = []
  for (const connection of [1, 2]) {
    queue.enter(requestWith({ connection }), ({ status }) => heard.push(`${connection} ${status}`))
  }
  queue.enter({ kind: 'disconnected', connection: 1 })
  queue.stop()
  t.deepEqual(heard, ['2 503'], 'the queue would hold the other one, and its socket, until it stops')
})
