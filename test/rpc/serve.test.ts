import test from 'ava'
import { agendaEntries } from '../../src/data/agenda.ts'
import { assert as sure } from '../../src/errors.ts'
import type { FaultRule } from '../../src/fault/rule.ts'
import type { Answer } from '../../src/node/answer.ts'
import { apply } from '../../src/node/apply.ts'
import type { Node } from '../../src/node/node.ts'
import type { Output } from '../../src/node/output.ts'
import type { Dialect } from '../../src/rpc/dialect.ts'
import { RpcError } from '../../src/rpc/errors.ts'
import { action, query, WaitingReply } from '../../src/rpc/method.ts'
import { shaped } from '../../src/rpc/result.ts'
import { resume, serve } from '../../src/rpc/serve.ts'
import { table } from '../../src/rpc/table.ts'
import type { Call, Side } from '../../src/rpc/transport.ts'
import { CometNode } from '../helpers/cometNode.ts'
import { cometRequest } from '../helpers/requests.ts'

const plain = { spec: 'none', params: [], result: shaped({}), examples: [] } as const

const wait = action({
  name: 'wait',
  summary: 'Submits its text and waits once.',
  ...plain,
  command: () => ({ type: 'submitTx', tx: new TextEncoder().encode('w=1'), mode: 'admit' }),
  reply: ({ woken }, outcome) => {
    sure(outcome.type === 'submitted', 'a submission')
    return woken === undefined
      ? new WaitingReply({ for: 'tx', hash: outcome.hash }, 5000n)
      : `${String(woken)}: ${outcome.admitted}`
  },
})

const echo = query({
  name: 'echo',
  summary: 'Answers.',
  ...plain,
  read: ({ caller, node }) => `${caller.id} at ${node.chain.height}`,
})

const bug = action({
  name: 'bug',
  summary: 'Has a bug after its command.',
  ...plain,
  command: () => ({ type: 'produceBlock' }),
  reply: () => sure(false, 'this is wrong') ?? null,
})

const panic = query({
  name: 'panic',
  summary: 'Panics.',
  ...plain,
  read: () => {
    throw new RpcError(-1, 'panic')
  },
})

const control = action({
  name: 'control',
  summary: 'Changes the world.',
  ...plain,
  traits: ['changesWorld'],
  command: () => ({ type: 'produceBlock' }),
  reply: () => true,
})

const dialect: Dialect = {
  side: 'comet',
  table: table([wait, echo, bug, panic, control]),
  allows: () => true,
  decodeParams: () => [],
  errorOf: (error) => {
    const message = error instanceof Error ? error.message : 'unknown'
    return { code: -1, message, data: undefined, ...(message === 'panic' ? { isFatal: true } : {}) }
  },
  unknownMethod: (name) => ({ code: -32601, message: `no ${name}`, data: undefined }),
}

/** Messages are names joined by blanks, answers are joined by bars. */
const toy: Side = {
  dialect,
  transportOf: () => 'ws',
  isSerial: true,
  read: ({ body }) => {
    sure(body !== 'broken', 'broken messages are a bug')
    if (body === '')
      return {
        kind: 'response',
        framed: { status: 400, headers: [], body: 'nothing' },
      }
    const calls = body
      .split(' ')
      .map((name, index): Call => ({ name, id: String(index + 1), params: { form: 'absent' } }))
    return {
      kind: 'calls',
      calls,
      frame: (answers) => ({ status: 200, headers: [], body: answers.map(textOf).join('|') }),
    }
  },
}

function textOf(answer: Answer): string {
  if (answer.ok === undefined) return '-'
  return answer.ok ? answer.text : `error ${answer.error.message}`
}

let seq = 0

/** A server that is lazy: the block comes later, so that a call has something to wait for. */
class Toy {
  readonly #comet = new CometNode({ lazy: true })
  node: Node = this.#comet.node

  ask(body: string, given: { connection?: number; trusted?: boolean } = {}): readonly Output[] {
    seq += 1
    const { node, outputs } = serve({ world: this.#comet.world, side: toy }, this.node, {
      ...cometRequest({ transport: 'ws', ...given, body }),
      seq,
      timeMs: 0n,
      session: '',
    })
    this.node = node
    return outputs
  }

  wake(woken: 'event' | 'timeout'): readonly Output[] {
    const owed = this.node.owed.find((one) => one.wait.for === 'tx')
    sure(owed !== undefined, 'something waits')
    const { node, outputs } = resume({ world: this.#comet.world, side: toy }, { node: this.node, owed, woken })
    this.node = node
    return outputs
  }

  fault(rule: Partial<FaultRule>): void {
    const full: FaultRule = {
      name: 'f',
      match: {},
      select: { type: 'all' },
      at: 'before',
      effects: [],
      cors: 'keep',
      ...rule,
    }
    this.node = apply(this.#comet.world, this.node, { type: 'setFault', fault: { rule: full } }).node
  }

  gaveUp(): number {
    return [...agendaEntries(this.node.agenda)].filter(({ item }) => item.type === 'giveUp').length
  }
}

const bodies = (outputs: readonly Output[]): readonly string[] =>
  outputs.flatMap((output) => (output.kind === 'reply' ? [output.body] : []))

test('calls of a message are answered in order', (t) => {
  t.deepEqual(bodies(new Toy().ask('echo none echo')), ['"1 at 0"|error no none|"3 at 0"'])
})

test('a message without calls is answered at once', (t) => {
  t.deepEqual(bodies(new Toy().ask('')), ['nothing'])
})

test('a batch waits as a whole, and waking it repeats no command', (t) => {
  const server = new Toy()
  t.deepEqual(bodies(server.ask('echo wait echo')), [])
  t.is(server.node.owed.length, 1)
  t.is(server.gaveUp(), 1)
  const { nextSeq } = server.node.chain.mempool
  t.deepEqual(bodies(server.wake('event')), ['"1 at 0"|"event: true"|"3 at 0"'])
  t.is(server.node.chain.mempool.nextSeq, nextSeq)
  t.deepEqual([server.node.owed.length, server.gaveUp()], [0, 0])
})

test('who waits too long is told so', (t) => {
  const server = new Toy()
  server.ask('wait')
  const due = [...agendaEntries(server.node.agenda)].filter(({ item }) => item.type === 'giveUp')
  t.deepEqual(
    due.map(({ timeMs }) => timeMs),
    [5000n],
  )
  t.deepEqual(bodies(server.wake('timeout')), ['"timeout: true"'])
})

test('a fatal answer ends a batch', (t) => {
  t.deepEqual(bodies(new Toy().ask('echo panic echo')), ['"1 at 0"|error panic'])
})

test('a bug answers with an incident, is logged, and leaves the node as it was', (t) => {
  const server = new Toy()
  const outputs = server.ask('bug echo')
  t.is(server.node.chain.height, 0n)
  t.deepEqual(bodies(outputs), ['error Internal error|"2 at 0"'])
  t.true(
    outputs.some(
      (one) => one.kind === 'log' && one.text.startsWith('incident 1: comet bug') && one.text.includes('this is wrong'),
    ),
  )
  t.is(server.node.counters.incident, 2)
})

test('a connection is answered in turn: what comes behind a call that waits, waits', (t) => {
  const server = new Toy()
  t.deepEqual(bodies(server.ask('wait', { connection: 1 })), [])
  t.deepEqual(bodies(server.ask('echo', { connection: 1 })), [])
  t.deepEqual(bodies(server.ask('echo', { connection: 2 })), ['"1 at 0"'])
  t.deepEqual(bodies(server.ask('echo echo', { connection: 1 })), [])
  t.deepEqual(bodies(server.wake('event')), ['"event: true"', '"1 at 0"', '"1 at 0"|"2 at 0"'])
  t.is(server.node.owed.length, 0)
})

test('however many messages wait behind a call, each is answered once, in turn', (t) => {
  const server = new Toy()
  server.ask('wait', { connection: 1 })
  for (let count = 0; count < 5000; count++) server.ask('echo', { connection: 1 })
  const answers = bodies(server.wake('event'))
  t.deepEqual(answers, ['"event: true"', ...Array.from({ length: 5000 }, () => '"1 at 0"')])
  t.is(server.node.owed.length, 0)
})

test('a bug in a message that waited is an incident, and those behind it are answered', (t) => {
  const server = new Toy()
  for (const body of ['wait', 'broken', 'echo']) server.ask(body, { connection: 1 })
  const outputs = server.wake('event')
  t.deepEqual(
    outputs.flatMap((one) => (one.kind === 'reply' ? [one.status] : [])),
    [200, 500, 200],
  )
  t.true(outputs.some((one) => one.kind === 'log' && one.text.includes('broken messages are a bug')))
  t.is(server.node.owed.length, 0)
})

test('pages of foreign origins may not change the world', (t) => {
  const server = new Toy()
  t.deepEqual(bodies(server.ask('control', { trusted: false })), [
    'error control is not allowed from web pages of other origins: allow them with --allowed-origins',
  ])
  t.is(server.node.chain.height, 0n)
  t.deepEqual(bodies(server.ask('control')), ['true'])
  t.is(server.node.chain.height, 1n)
})

test('latency puts the reply on the agenda', (t) => {
  const server = new Toy()
  server.fault({ effects: [{ type: 'latency', minMs: 700n, maxMs: 700n }] })
  t.deepEqual(bodies(server.ask('echo')), [])
  const due = [...agendaEntries(server.node.agenda)]
    .filter(({ item }) => item.type !== 'command')
    .map(({ timeMs, item }) => [timeMs, item.type])
  t.deepEqual(due, [[700n, 'deliver']])
})

test('latency of a call that waits counts when it is answered', (t) => {
  const server = new Toy()
  server.fault({ match: { methods: ['wait'] }, effects: [{ type: 'latency', minMs: 700n, maxMs: 700n }] })
  server.ask('wait')
  t.deepEqual(bodies(server.wake('event')), [])
  t.true([...agendaEntries(server.node.agenda)].some(({ timeMs, item }) => timeMs === 700n && item.type === 'deliver'))
})

test('a fault before the call loses it, one after it loses its answer only', (t) => {
  const before = new Toy()
  const effects = [{ type: 'http', status: 429, headers: [['Retry-After', '1']], body: '{"id":"$id"}' }] as const
  before.fault({ match: { methods: ['control'] }, effects })
  t.like(before.ask('echo control')[0], { kind: 'reply', status: 429, body: '{"id":2}' })
  t.is(before.node.chain.height, 0n)
  const after = new Toy()
  after.fault({ match: { methods: ['control'] }, effects, at: 'after' })
  t.like(after.ask('control')[0], { kind: 'reply', status: 429 })
  t.is(after.node.chain.height, 1n)
})

test('a fault that speaks JSON-RPC hits one call of a batch', (t) => {
  const server = new Toy()
  server.fault({
    select: { type: 'window', skip: 1, count: 1, per: 'call' },
    effects: [{ type: 'rpcError', code: 7, message: 'no' }],
  })
  t.deepEqual(bodies(server.ask('echo echo echo')), ['"1 at 0"|error no|"3 at 0"'])
})

test('faults below a message are told to the shell', (t) => {
  const server = new Toy()
  server.fault({ effects: [{ type: 'reset', when: 'midBody' }], at: 'after' })
  t.like(server.ask('echo')[0], { wire: { type: 'reset', when: 'midBody' }, body: '"1 at 0"' })
})
