import fc from 'fast-check'
import test from 'ava'
import { AppFailed } from '../src/app/application.ts'
import { addDue, agendaSize } from '../src/data/agenda.ts'
import { AssertionFailed } from '../src/errors.ts'
import type { FaultRule } from '../src/fault/rule.ts'
import type { NodeCommand } from '../src/node/command.ts'
import type { InputBody } from '../src/plan/input.ts'
import type { RequestInput } from '../src/node/input.ts'
import type { Output } from '../src/node/output.ts'
import type { Plan, PlanStep } from '../src/plan/plan.ts'
import { callCounter, txCounter } from '../src/scenario/compileTrigger.ts'
import { digest } from '../src/simulation/digest.ts'
import { kvApp } from './helpers/kvApp.ts'
import { emptyPlan, KvSimulation, repliesIn, wakeIn } from './helpers/kvSimulation.ts'
import { cometRequest } from './helpers/requests.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')
const bodyOf = (outputs: readonly Output[]) =>
  JSON.parse(repliesIn(outputs)[0]?.body ?? 'null') as {
    result?: { height?: string; code?: number; check_tx?: { code: number } }
    error?: { code: number; message: string; data?: string }
  } | null

const errorsIn = (outputs: readonly Output[]) =>
  outputs.flatMap((output) => (output.kind === 'log' && output.level === 'error' ? [output.text] : []))

const rule = (given: Partial<FaultRule>): FaultRule => ({
  name: 'slow',
  match: {},
  select: { type: 'all' },
  at: 'before',
  effects: [{ type: 'latency', minMs: 200n, maxMs: 200n }],
  cors: 'keep',
  ...given,
})

test('an eager node has made the block when broadcast_tx_commit answers', (t) => {
  const chain = new KvSimulation()
  const reply = bodyOf(chain.ask('broadcast_tx_commit', { tx: base64('a=1') }))
  // Block 1 is the one that every chain begins with.
  t.is(reply?.result?.height, '2')
  t.is(chain.height, 2n)
})

test('a lazy node owes the answer of broadcast_tx_commit until the block is there', (t) => {
  const chain = new KvSimulation({ settings: { lazy: true, blocks: 'interval', interval: '2s' } })
  t.deepEqual(repliesIn(chain.ask('broadcast_tx_commit', { tx: base64('a=1') })), [])
  t.deepEqual(repliesIn(chain.tick(1999)), [])
  t.is(bodyOf(chain.tick(1))?.result?.height, '1')
  t.deepEqual(chain.simulation.node.owed, [])
})

test('without a block broadcast_tx_commit gives up in time, once', (t) => {
  const chain = new KvSimulation({ settings: { blocks: 'manual', broadcastCommitTimeout: '5s' } })
  const asked = chain.ask('broadcast_tx_commit', { tx: base64('a=1') })
  t.deepEqual(repliesIn(asked), [])
  t.is(wakeIn(asked), 5000n)
  t.is(bodyOf(chain.tick(5000))?.error?.data, 'timed out waiting for tx to be included in a block')
  chain.enter({ kind: 'operator', by: 'test', command: { type: 'produceBlock' } })
  t.deepEqual(repliesIn(chain.tick(60_000)), [])
})

test('interval blocks come one by one, however far a tick jumps', (t) => {
  const chain = new KvSimulation({ settings: { blocks: 'interval', interval: '1s' } })
  t.is(wakeIn(chain.tick(0)), 1000n)
  t.is(wakeIn(chain.tick(5500)), 6000n)
  t.is(chain.height, 5n)
  chain.enter({ kind: 'operator', by: 'test', command: { type: 'setBlockPolicy', policy: { paused: true } } })
  chain.tick(10_000)
  t.is(chain.height, 5n)
  chain.enter({ kind: 'operator', by: 'test', command: { type: 'setBlockPolicy', policy: { paused: false } } })
  chain.tick(2000)
  t.is(chain.height, 7n)
})

test('a delayed answer leaves at its time and what it did is done at once', (t) => {
  const chain = new KvSimulation()
  chain.enter({
    kind: 'operator',
    by: 'test',
    command: { type: 'setFault', fault: { rule: rule({}) } },
  })
  const asked = chain.ask('broadcast_tx_sync', { tx: base64('a=1') })
  t.deepEqual(repliesIn(asked), [])
  t.is(wakeIn(asked), 200n)
  t.is(chain.height, 2n)
  t.deepEqual(repliesIn(chain.tick(199)), [])
  t.is(bodyOf(chain.tick(1))?.result?.code, 0)
})

test('faults that a client turned on and off leave few counts and no work, and those of the scenario stay', (t) => {
  const effects: FaultRule['effects'] = [{ type: 'http', status: 503, headers: [], body: 'gone' }]
  const inline = { type: 'useFault', name: 'inline', forMs: undefined, forBlocks: undefined } as const
  const plan: Partial<Plan> = {
    faults: [rule({ name: 'own', effects })],
    finally: [{ type: 'several', actions: [inline] }],
  }
  const chain = new KvSimulation({ plan })
  const enter = (command: NodeCommand) => chain.enter({ kind: 'operator', by: 'test', command })
  // The first input does what is due at the start.
  chain.ask('status', {})
  const before = agendaSize(chain.simulation.node.agenda)
  for (const name of ['own', 'inline', ...Array.from({ length: 150 }, (_, index) => `client ${index}`)]) {
    const fault = { rule: rule({ name, effects }), forMs: 1_000_000n }
    // Turned on twice, it still ends once.
    for (let times = 0; times < 2; times++) enter({ type: 'setFault', fault })
    chain.ask('status', {})
    t.is(agendaSize(chain.simulation.node.agenda), before + 1)
    enter({ type: 'clearFault', name })
  }
  t.is(agendaSize(chain.simulation.node.agenda), before)
  const names = [...chain.simulation.node.faults.counts.keys()]
  t.deepEqual([names.length, ...names.slice(0, 3), names.at(-1)], [103, 'own', 'inline', 'client 49', 'client 149'])
})

test('a lost answer has happened, a lost request has not', (t) => {
  for (const [at, height] of [
    ['after', 2n],
    ['before', 1n],
  ] as const) {
    const chain = new KvSimulation()
    const effects: FaultRule['effects'] = [{ type: 'http', status: 503, headers: [], body: 'gone' }]
    chain.enter({
      kind: 'operator',
      by: 'test',
      command: { type: 'setFault', fault: { rule: rule({ at, effects }) } },
    })
    t.like(repliesIn(chain.ask('broadcast_tx_sync', { tx: base64('a=1') }))[0], { status: 503, body: 'gone' })
    t.is(chain.height, height, at)
  }
})

test('a mistake of ours inside a request is an incident: said, logged, and nothing has changed', (t) => {
  const query = () => {
    throw new AssertionFailed('the moon is full')
  }
  const chain = new KvSimulation({ app: { ...kvApp, query } })
  chain.ask('broadcast_tx_sync', { tx: base64('a=1') })
  const before = chain.simulation.node.chain
  const outputs = chain.ask('abci_query', { path: '/x', data: '' })
  const { error } = bodyOf(outputs) ?? {}
  t.is(error?.code, -32603)
  t.regex(error?.data ?? '', /incident 1/)
  t.notRegex(JSON.stringify(error), /moon|\.ts|\.js/)
  t.true(
    outputs.some(
      (output) => output.kind === 'log' && output.level === 'error' && output.text.includes('the moon is full'),
    ),
  )
  t.is(chain.simulation.node.chain, before)
  t.is(bodyOf(chain.ask('health'))?.error, undefined)
})

test('a bug inside a command is an incident, and no refusal', (t) => {
  const edit = () => {
    throw new AssertionFailed('the moon is full')
  }
  const chain = new KvSimulation({ app: { ...kvApp, edit }, settings: { blocks: 'manual' } })
  const outputs = chain.enter({ kind: 'operator', by: 'dashboard', command: { type: 'edit', edits: [] } })
  t.deepEqual(
    errorsIn(outputs).map((text) => text.split('\n', 2)),
    [['incident 1: dashboard: edit', 'AssertionFailed: the moon is full']],
  )
  t.is(chain.simulation.node.counters.incident, 2)
  t.is(chain.height, 1n)
})

test('a bug in an action of a step is an incident and fails the step, and is no refusal', (t) => {
  const edit = () => {
    throw new AssertionFailed('the moon is full')
  }
  const actions = [{ type: 'command', command: { type: 'edit', edits: [] } }] as const
  const chain = new KvSimulation({
    app: { ...kvApp, edit },
    settings: { blocks: 'manual' },
    plan: { steps: [stepOf('rich', { actions })] },
  })
  const errors = errorsIn(chain.tick(1)).map((text) => text.split('\n', 1)[0])
  t.deepEqual(errors, [
    'incident 1: test:rich: step rich: command',
    'test:rich: step rich: command hit a bug in chainstage: see incident 1 in the log',
  ])
  t.is(chain.simulation.progress.state, 'failed')
  t.is(chain.simulation.node.counters.incident, 2)
})

test('an operator learns whether a command was done, refused or ran into a bug', (t) => {
  const refusalOf = (thrown: Error | undefined) => {
    const edit: typeof kvApp.edit = (state) => {
      if (thrown !== undefined) throw thrown
      return { state, validatorUpdates: [] }
    }
    const chain = new KvSimulation({ app: { ...kvApp, edit }, settings: { blocks: 'manual' } })
    return chain.simulated({ kind: 'operator', by: 'test', command: { type: 'edit', edits: [] } }).refusal
  }
  t.is(refusalOf(undefined), undefined)
  t.deepEqual(refusalOf(new AppFailed('no such account')), { kind: 'refused', message: 'no such account' })
  t.deepEqual(refusalOf(new AssertionFailed('the moon is full')), { kind: 'bug', incident: 1 })
  t.deepEqual(new KvSimulation().simulated({ kind: 'operator', by: 'test', command: undefined } as never).refusal, {
    kind: 'bug',
    incident: 1,
  })
})

test('a bug while facts of another chain are learned is an incident', (t) => {
  const learn = () => {
    throw new AssertionFailed('the moon is full')
  }
  const chain = new KvSimulation({ app: { ...kvApp, learn } })
  const outputs = chain.enter({ kind: 'learned', facts: [] })
  t.deepEqual(
    errorsIn(outputs).map((text) => text.split('\n', 1)[0]),
    ['incident 1: input 1 (learned)'],
  )
})

test('a bug anywhere else is an incident of that input, and the next one is carried out', (t) => {
  const chain = new KvSimulation()
  chain.ask('health')
  const before = chain.simulation.node.chain
  const outputs = chain.enter({ kind: 'nonsense' } as never)
  t.regex(errorsIn(outputs)[0] ?? '', /^incident 1: input 2 \(nonsense\)\nAssertionFailed: /)
  t.is(chain.simulation.node.chain, before)
  chain.ask('broadcast_tx_sync', { tx: base64('a=1') })
  t.is(chain.height, before.height + 1n)
})

test('a bug in an entry of the agenda is an incident, and the entry stops no later input', (t) => {
  const chain = new KvSimulation({ settings: { blocks: 'interval', interval: '2s' } })
  chain.ask('health')
  const { node } = chain.simulation
  const agenda = addDue(node.agenda, 500n, { type: 'nonsense' } as never)
  chain.simulation = { ...chain.simulation, node: { ...node, agenda } }
  t.regex(errorsIn(chain.tick(2000))[0] ?? '', /^incident 1: agenda: nonsense\nAssertionFailed: /)
  const { height } = chain
  t.deepEqual(errorsIn(chain.tick(2000)), [])
  t.is(chain.height, height + 1n)
})

test('a request that meets a bug outside its calls is answered with the incident', (t) => {
  const chain = new KvSimulation()
  const outputs = chain.enter({ ...cometRequest(), side: 'nonsense' } as never)
  t.is(repliesIn(outputs)[0]?.status, 500)
  t.regex(bodyOf(outputs)?.error?.data ?? '', /^incident 1: a bug in chainstage/)
  t.regex(errorsIn(outputs)[0] ?? '', /^incident 1: input 1 \(request\)\nTypeError: /)
})

test('bugs that a block ran into are logged and counted, and the block is made', (t) => {
  const finalizeBlock: typeof kvApp.finalizeBlock = (state, request) => ({
    ...kvApp.finalizeBlock(state, request),
    incidents: ['here', 'there'],
  })
  const chain = new KvSimulation({ app: { ...kvApp, finalizeBlock } })
  chain.ask('health')
  const before = chain.height
  const outputs = chain.ask('broadcast_tx_sync', { tx: base64('a=1') })
  t.deepEqual(errorsIn(outputs), ['incident 3: here', 'incident 4: there'])
  t.is(chain.height, before + 1n)
})

test('a step that waits for a message looks at transactions that are no Cosmos transactions', (t) => {
  const msgType = '/cosmos.bank.v1beta1.MsgSend'
  const when = { type: 'counted', nth: 1, ...txCounter({ msgType, stage: 'included' }) } as const
  const chain = new KvSimulation({ plan: { steps: [stepOf('sent', { when })] } })
  const outputs = chain.ask('broadcast_tx_sync', { tx: base64('a=b') })
  t.deepEqual(errorsIn(outputs), [])
  t.is(bodyOf(outputs)?.error, undefined)
})

test('a command that is refused says so in the log and changes nothing', (t) => {
  const edit = () => {
    throw new AppFailed('no such account')
  }
  const chain = new KvSimulation({ app: { ...kvApp, edit }, settings: { blocks: 'manual' } })
  const outputs = chain.enter({ kind: 'operator', by: 'dashboard', command: { type: 'edit', edits: [] } })
  t.true(outputs.some((output) => output.kind === 'log' && output.text.startsWith('dashboard: edit was refused')))
  t.is(chain.height, 1n)
})

const stepOf = (id: string, given: Partial<PlanStep>): PlanStep => ({
  id,
  when: { type: 'immediately' },
  actions: [],
  expectations: [],
  timeoutMs: 60_000n,
  onFail: 'abort',
  source: `test:${id}`,
  ...given,
})

const statusCalls = callCounter({ iface: 'comet', method: ['status'] })

test('a scenario moves with time, heights and calls, and says what failed', (t) => {
  const chain = new KvSimulation({
    settings: { blocks: 'manual' },
    plan: {
      faults: [rule({ effects: [{ type: 'rpcError', code: -32005, message: 'slow down' }] })],
      counters: [statusCalls],
      steps: [
        stepOf('mine', {
          actions: [{ type: 'command', command: { type: 'produceBlock', count: 3 } }],
          expectations: [{ type: 'height', min: 4n, max: 4n, within: undefined, source: '' }],
        }),
        stepOf('limit', {
          when: { type: 'after', ms: 1000n },
          actions: [{ type: 'useFault', name: 'slow', forMs: 500n, forBlocks: undefined }],
        }),
        stepOf('seen', { when: { type: 'counted', nth: 2, ...statusCalls } }),
        stepOf('late', { when: { type: 'signal', name: 'go', orAfterMs: undefined }, timeoutMs: 2000n }),
      ],
    },
  })
  chain.tick(0)
  // Three blocks after the one that every chain begins with.
  t.is(chain.height, 4n)
  t.is(bodyOf(chain.ask('status'))?.error, undefined)
  chain.tick(1000)
  t.is(bodyOf(chain.ask('status'))?.error?.message, 'slow down')
  chain.tick(500)
  t.is(bodyOf(chain.ask('status'))?.error, undefined)
  t.is(chain.simulation.progress.step, 3)
  const outputs = chain.tick(2000)
  t.is(chain.simulation.progress.state, 'failed')
  t.true(outputs.some((output) => output.kind === 'log' && output.text.includes('waited 2000 ms for the signal "go"')))
})

test('a plan that is loaded takes over and keeps what clients rely on', (t) => {
  const chain = new KvSimulation()
  chain.ask('broadcast_tx_sync', { tx: base64('a=1') })
  const plan = {
    ...emptyPlan,
    name: 'second',
    steps: [stepOf('mine', { actions: [{ type: 'command', command: { type: 'produceBlock', count: 2 } }] })],
  }
  chain.enter({ kind: 'operator', by: 'reload', command: { type: 'loadPlan', plan } })
  chain.tick(0)
  t.is(chain.simulation.plan.name, 'second')
  t.is(chain.simulation.progress.generation, 2)
  t.true(chain.height >= 1n)
})

test('an expectation that a reload brings is checked, although one of its place has held', (t) => {
  const heightOf = (min: bigint, source: string) =>
    ({ type: 'height', min, max: undefined, within: { ms: 5000n, blocks: undefined }, source }) as const
  const planOf = (...expectations: PlanStep['expectations']) => ({
    ...emptyPlan,
    steps: [stepOf('high', { expectations })],
  })
  const chain = new KvSimulation({ plan: planOf(heightOf(1n, 's:1'), heightOf(7n, 's:2')) })
  chain.ask('broadcast_tx_sync', { tx: base64('a=1') })
  t.deepEqual(chain.simulation.progress.met, [0])
  const load = (plan: Plan) => chain.enter({ kind: 'operator', by: 'reload', command: { type: 'loadPlan', plan } })
  load(planOf(heightOf(1n, 's:3'), heightOf(7n, 's:4')))
  t.deepEqual(chain.simulation.progress.met, [0])
  load(planOf(heightOf(9n, 's:1'), heightOf(7n, 's:2')))
  t.deepEqual(chain.simulation.progress.met, [])
  chain.tick(5000)
  t.is(chain.simulation.progress.state, 'failed')
})

const request: fc.Arbitrary<RequestInput> = fc
  .record({
    side: fc.constantFrom('comet' as const, 'eth' as const),
    transport: fc.constantFrom('http' as const, 'ws' as const),
    verb: fc.constantFrom('POST', 'GET', 'HEAD', 'FOO'),
    target: fc.oneof(
      fc.constant('/'),
      fc.constantFrom('/status', '/block?height=1', '/tx?hash=0x', '/subscribe?query=1'),
      fc.string(),
    ),
    body: fc.oneof(
      fc.string(),
      fc.json(),
      fc
        .record({
          jsonrpc: fc.constant('2.0'),
          id: fc.oneof(fc.integer(), fc.string(), fc.constant(null)),
          method: fc.constantFrom(
            'status',
            'block',
            'subscribe',
            'broadcast_tx_commit',
            'tx_search',
            'abci_query',
            'eth_call',
            'eth_blockNumber',
            'eth_subscribe',
            'evm_mine',
            'evm_snapshot',
            'evm_revert',
          ),
          params: fc.oneof(
            fc.jsonValue(),
            fc.array(fc.string()),
            fc.record({ tx: fc.base64String(), height: fc.string(), query: fc.string() }),
          ),
        })
        .map((value) => JSON.stringify(value)),
    ),
  })
  .map(({ transport, ...given }) =>
    cometRequest({ ...given, transport, connection: transport === 'ws' ? 1 : undefined }),
  )

const anyInput: fc.Arbitrary<{ body: InputBody; laterMs: number }> = fc.record({
  laterMs: fc.constantFrom(0, 0, 1, 700, 20_000),
  body: fc.oneof(
    { weight: 6, arbitrary: request },
    { weight: 2, arbitrary: fc.constant<InputBody>({ kind: 'tick' }) },
    { weight: 1, arbitrary: fc.constant<InputBody>({ kind: 'connected', connection: 1, side: 'comet', remote: '' }) },
    { weight: 1, arbitrary: fc.constant<InputBody>({ kind: 'disconnected', connection: 1 }) },
    {
      weight: 1,
      arbitrary: fc
        .nat({ max: 3 })
        .map((id): InputBody => ({ kind: 'performed', id, result: { ok: true, text: 'x' } })),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom<InputBody>(
        { kind: 'operator', by: 'x', command: { type: 'checkpoint' } },
        { kind: 'operator', by: 'x', command: { type: 'restore', id: '0x1' } },
        { kind: 'operator', by: 'x', command: { type: 'pollFilter', id: 'none' } },
        {
          kind: 'operator',
          by: 'x',
          command: { type: 'setBlockPolicy', policy: { mode: 'mixed', lazy: true } },
        },
      ),
    },
  ),
})

test('no list of inputs makes it throw, every request over HTTP is answered or owed, and the same inputs give the same bytes', (t) => {
  fc.assert(
    fc.property(fc.array(anyInput, { maxLength: 30 }), (inputs) => {
      const one = new KvSimulation()
      const other = new KvSimulation({ like: one })
      for (const { body, laterMs } of inputs) {
        const outputs = one.enter(body, laterMs)
        if (JSON.stringify(outputs, plain) !== JSON.stringify(other.enter(body, laterMs), plain)) {
          return false
        }
        if (outputs.some((output) => output.kind === 'log' && output.text.includes('incident'))) {
          throw new Error(JSON.stringify(outputs, plain))
        }
        if (body.kind !== 'request' || body.transport === 'ws') continue
        const { owed } = one.simulation.node
        if (repliesIn(outputs).length === 0 && owed.length === 0) return false
      }
      return digest(one.simulation) === digest(other.simulation)
    }),
    { seed: 11, numRuns: 120 },
  )
  t.pass()
})

const plain = (_key: string, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)

test('wall time leaps with the clock of the machine, also after a return to a checkpoint and a reset', (t) => {
  const chain = new KvSimulation({ settings: { blocks: 'manual', time: 'wall', startTimeMs: 1_800_000_000_000 } })
  const mined = () => {
    chain.command({ type: 'produceBlock' })
    return chain.simulation.node.chain.lastBlockTime.seconds
  }
  mined()
  const before = mined()
  chain.command({ type: 'checkpoint' })
  chain.enter({ kind: 'tick', leaptMs: 3_600_000 })
  t.is(mined() - before, 3600n)
  chain.command({ type: 'restore', id: '0x1' })
  t.is(mined() - before, 3600n)
  chain.command({ type: 'reset' })
  mined()
  t.is(mined() - before, 3600n)
})
