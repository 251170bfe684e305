/**
 * Every row of the table of fault effects of the format (`mocks.md` §3.3), by what a client is
 * sent.
 */
import test from 'ava'
import { noClient } from '../../src/fault/rule.ts'
import type { Output, ReplyOutput } from '../../src/node/output.ts'
import { scenarioOf, scenarioRun, type Run } from '../helpers/scenarioRun.ts'
import { callOf } from '../helpers/requests.ts'

/** A chain at height 5 with a fault on, whose clients call and subscribe. */
function faulted(fault: string): Run {
  return scenarioRun(
    scenarioOf(
      `{ do: [{ mine: 4 }, { fault: { use: 'f' } }] }`,
      `clock: { blocks: 'manual' }, faults: { f: { ${fault} } },`,
    ),
  ).run(0)
}

function asked(
  run: Run,
  {
    method = 'eth_blockNumber',
    params = [] as unknown[],
    laterMs = 0,
    connection = undefined as number | undefined,
  } = {},
): ReplyOutput | undefined {
  const outputs = run.enter(callOf(method, params, { connection, client: noClient }))
  const later = laterMs === 0 ? [] : run.enter({ kind: 'tick' }, laterMs)
  return [...outputs, ...later].find((one) => one.kind === 'reply')
}

const json = (reply: ReplyOutput | undefined) =>
  JSON.parse(reply?.body || 'null') as {
    result?: unknown
    error?: { code: number; message: string }
  } | null

type Seen = (reply: ReplyOutput | undefined, run: Run) => unknown
const effect = test.macro({
  exec(t, fault: string, seen: Seen, expected: unknown) {
    const run = faulted(fault)
    t.deepEqual(seen(asked(run), run), expected)
    t.deepEqual(run.simulation().progress.failures, [])
  },
  title: (given = '') => `effect: ${given}`,
})
const on = (more: string, rest = '') => `match: { method: 'eth_blockNumber' }, effect: { ${more} }, ${rest}`
const late =
  (ms: number): Seen =>
  (reply, run) => {
    if (reply !== undefined) return 'at once'
    run.enter({ kind: 'tick' }, ms - 1)
    const before = run.outputs.length
    run.enter({ kind: 'tick' }, 1)
    return run.outputs.slice(before).some(({ kind }) => kind === 'reply') ? 'then' : 'never'
  }

test('latency', effect, on("latency: '2s'"), late(2000), 'then')
test('latency between two times', effect, on("latency: { uniform: ['2s', '2s'] }"), late(2000), 'then')
test('latency of a table', effect, on("latency: { table: ['3s'] }"), late(3000), 'then')
test('latency like a lognormal', effect, on("latency: { lognormal: { median: '5s', p99: '5s' } }"), late(5000), 'then')
test(
  'http',
  effect,
  on("http: { status: 418, headers: { 'X-Tea': 'pot' }, body: { id: '$id', tea: true } }"),
  (reply) => [reply?.status, reply?.headers.find(([name]) => name === 'X-Tea')?.[1], reply?.body],
  [418, 'pot', '{"id":1,"tea":true}'],
)
test('rpcError', effect, on("rpcError: { code: -7, message: 'no' }"), (reply) => json(reply)?.error, {
  code: -7,
  message: 'no',
})
for (const preset of ['limitExceeded', 'nonceTooLow', 'alreadyKnown', 'underpriced', 'notFound', 'pruned']) {
  test(
    `rpcError ${preset}`,
    effect,
    on(`rpcError: '${preset}'`),
    (reply) => (json(reply)?.error?.message ?? '').length > 4,
    true,
  )
}
test('nullResult', effect, on('nullResult: true'), (reply) => json(reply)?.result, null)
test('mutate', (t) => {
  const run = faulted(
    "match: { method: 'eth_getBlockByNumber' }, effect: { mutate: [{ replace: '/number', value: '0x63' }, { remove: '/hash' }, { add: '/extra', value: 1 }] }",
  )
  const reply = json(asked(run, { method: 'eth_getBlockByNumber', params: ['latest', false] }))
  const { number, hash, extra } = (reply?.result ?? {}) as Record<string, unknown>
  t.deepEqual([number, hash, extra], ['0x63', undefined, 1])
})
test('stale', effect, on("stale: { lag: '2 blocks' }"), (reply) => json(reply)?.result, '0x3')
test('stale, every other call', (t) => {
  const run = faulted(on("stale: { lag: '2 blocks', flip: true }"))
  t.deepEqual(
    [1, 2, 3, 4]
      .map(() => json(asked(run))?.result)
      .map((one) => one === '0x3')
      .filter(Boolean).length,
    2,
  )
})
test('hang', effect, on('hang: true'), (reply) => reply?.wire, { type: 'hang' })
test(
  'timeout',
  effect,
  on("timeout: '3s'"),
  (_, run) => run.enter({ kind: 'tick' }, 3000).flatMap((one) => (one.kind === 'reply' ? [one.wire] : [])),
  [{ type: 'end' }],
)
test('empty', effect, on('empty: true'), (reply) => [reply?.body, reply?.status], ['', 200])
test(
  'truncate',
  effect,
  on('truncate: true'),
  (reply) => {
    try {
      return json(reply)
    } catch {
      return 'cut'
    }
  },
  'cut',
)
test(
  'malformed json',
  effect,
  on("malformed: 'json'"),
  (reply) => {
    try {
      return json(reply)
    } catch {
      return 'broken'
    }
  },
  'broken',
)
for (const damage of ['chunk', 'utf8', 'contentLength']) {
  test(`malformed ${damage}`, effect, on(`malformed: '${damage}'`), (reply) => reply?.wire, { type: 'framing', damage })
}
test('dribble', effect, on("dribble: { bytes: 3, every: '20ms' }"), (reply) => reply?.wire, {
  type: 'dribble',
  bytes: 3,
  everyMs: 20,
})
test('bandwidth', effect, on('bandwidth: 100'), (reply) => reply?.wire?.type, 'dribble')
test('slowClose', effect, on("slowClose: '2s'"), (reply) => reply?.wire, { type: 'slowClose', afterMs: 2000 })
for (const when of ['beforeHeaders', 'midBody', 'afterBody']) {
  test(`reset ${when}`, effect, on(`reset: '${when}'`), (reply) => reply?.wire, { type: 'reset', when })
}
test(
  'refuse',
  effect,
  'effect: { refuse: true }',
  (_, run) => run.outputs.findLast((one) => one.kind === 'listen')?.closed.length,
  5,
)
test('cors', effect, on('http: { status: 503 }', "cors: 'strip'"), (reply) => reply?.cors, 'strip')
test('a lost answer: the transaction did go in', (t) => {
  const run = faulted("match: { method: 'eth_sendTransaction' }, at: 'after', effect: { http: { status: 502 } }")
  const reply = asked(run, {
    method: 'eth_sendTransaction',
    params: [{ from: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', to: `0x${'11'.repeat(20)}` }],
  })
  t.is(reply?.status, 502)
  t.deepEqual(json(asked(run, { method: 'txpool_status' }))?.result, { pending: '0x1', queued: '0x0' })
})

test('selects: skip and count, probability, rate, schedule', (t) => {
  const hits = (select: string, gapMs = 0) => {
    const run = faulted(on('nullResult: true', `select: { ${select} }`))
    return Array.from({ length: 12 }, () => {
      run.enter({ kind: 'tick' }, gapMs)
      return json(asked(run))?.result === null ? 'x' : '.'
    }).join('')
  }
  t.is(hits("skip: 2, count: 3, per: 'attempt'"), '..xxx.......')
  t.is(hits("rate: { limit: 1, per: '1s', burst: 2 }", 250).slice(0, 4), '..xx')
  t.is(hits("schedule: { on: '2s', off: '1s' }", 1000), 'xx.xx.xx.xx.')
  t.regex(hits("probability: '1/2'"), /^(?=.*x)(?=.*\.)/)
})

/** What a subscriber of heads is sent while blocks are made one a second. */
function heads(
  effects: string,
  blocks: number,
  more: (run: Run) => void = () => {},
): {
  run: Run
  seen: (string | Output)[]
} {
  const run = scenarioRun(
    scenarioOf(
      '',
      `clock: { blocks: 'manual' }, faults: { f: { match: { transport: 'ws' }, effect: { ws: { ${effects} } } } },
    rules: [{ when: { signal: 'on' }, do: { fault: { use: 'f' } } }, { when: { signal: 'off' }, do: { clearFault: 'f' } }],`,
    ),
  ).run(0)
  run.enter({ kind: 'connected', connection: 1, side: 'eth', remote: '', client: noClient })
  asked(run, { method: 'eth_subscribe', params: ['newHeads'], connection: 1 })
  const from = run.outputs.length
  run.enter({ kind: 'operator', by: 'test', command: { type: 'signal', name: 'on' } })
  for (let made = 0; made < blocks; made++) {
    run.enter({ kind: 'operator', by: 'test', command: { type: 'produceBlock' } }, 1000)
  }
  more(run)
  const seen = run.outputs.slice(from).flatMap((one): readonly (string | Output)[] => {
    if (one.kind === 'push' || one.kind === 'broadcast')
      return [String(Number((JSON.parse(one.text) as { params: { result: { number: string } } }).params.result.number))]
    return one.kind === 'close' ? [one] : []
  })
  return { run, seen }
}
const off = (run: Run) => {
  run.enter({ kind: 'operator', by: 'test', command: { type: 'signal', name: 'off' } })
}

test('ws.drop', (t) => {
  t.deepEqual(heads('drop: true', 3).seen, [])
})
test('ws.delay', (t) => {
  t.deepEqual(heads("delay: '1500ms'", 3).seen, ['2'])
  t.deepEqual(
    heads("delay: '1500ms'", 3, (run) => {
      run.enter({ kind: 'tick' }, 3000)
    }).seen,
    ['2', '3', '4'],
  )
})
test('ws.duplicate', (t) => {
  t.deepEqual(heads('duplicate: 2', 2).seen, ['2', '2', '3', '3'])
})
test('ws.reorder', (t) => {
  const { seen } = heads('reorder: { window: 3 }', 6, off)
  t.deepEqual(
    seen.map(Number).sort((a, b) => a - b),
    [2, 3, 4, 5, 6, 7],
  )
  t.notDeepEqual(seen, ['2', '3', '4', '5', '6', '7'])
})
test('ws.stall, with what was withheld', (t) => {
  t.deepEqual(heads('stall: true', 3).seen, [])
  t.deepEqual(heads('stall: true', 3, off).seen, ['2', '3', '4'])
  t.deepEqual(heads("stall: { backlog: 'discard' }", 3, off).seen, [])
})
test('ws.close, and ws.refuseFor', (t) => {
  const { run, seen } = heads("close: { code: 1011, reason: 'over' }, refuseFor: '2 blocks'", 0)
  t.like(seen[0], { kind: 'close', connection: 1, code: 1011, reason: 'over' })
  const hand = () =>
    run
      .enter({ kind: 'handshake', side: 'eth', client: noClient })
      .flatMap((one) => (one.kind === 'reply' ? [one.status] : []))[0]
  t.not(hand(), 101)
  run.enter({ kind: 'operator', by: 'test', command: { type: 'produceBlock', count: 2 } })
  t.is(hand(), 101)
})
test('ws.cancelSubscription', (t) => {
  t.deepEqual(heads('cancelSubscription: true', 2).seen, [])
})
test('ws.refuse', (t) => {
  const run = faulted("match: { transport: 'ws' }, effect: { ws: { refuse: { status: 503 } } }")
  t.is(run.enter({ kind: 'handshake', side: 'eth', client: noClient }).find((one) => one.kind === 'reply')?.status, 503)
})
test('the actions ws stall, unstall and close', (t) => {
  const run = scenarioRun(
    scenarioOf(
      '',
      `clock: { blocks: 'manual' }, rules: [
    { when: { signal: 'stall' }, do: { ws: { stall: true, match: { iface: 'eth' } } } },
    { when: { signal: 'unstall' }, do: { ws: { unstall: true, match: { iface: 'eth' } } } },
    { when: { signal: 'close' }, do: { ws: { close: true } } }],`,
    ),
  ).run(0)
  run.enter({ kind: 'connected', connection: 1, side: 'eth', remote: '', client: noClient })
  asked(run, { method: 'eth_subscribe', params: ['newHeads'], connection: 1 })
  const signal = (name: string) => run.enter({ kind: 'operator', by: 'test', command: { type: 'signal', name } })
  const kinds = (outputs: readonly Output[]) =>
    outputs.filter(({ kind }) => kind === 'push' || kind === 'broadcast' || kind === 'close').length
  signal('stall')
  t.is(kinds(run.enter({ kind: 'operator', by: 'test', command: { type: 'produceBlock', count: 2 } })), 0)
  t.is(kinds(signal('unstall')), 2)
  t.is(kinds(signal('close')), 1)
})
test('a node that is behind tells of blocks late, and of several at once when it has caught up', (t) => {
  const run = scenarioRun(
    scenarioOf(
      `{ when: { signal: 'on' }, do: { node: { catchingUp: true, behind: 2, for: '5s' } } }, { when: { after: '9s' } }`,
      "clock: { blocks: 'manual' },",
    ),
  ).run(0)
  run.enter({ kind: 'connected', connection: 1, side: 'eth', remote: '', client: noClient })
  asked(run, { method: 'eth_subscribe', params: ['newHeads'], connection: 1 })
  run.enter({ kind: 'operator', by: 'test', command: { type: 'signal', name: 'on' } })
  run.enter({ kind: 'operator', by: 'test', command: { type: 'produceBlock', count: 3 } })
  t.is(json(asked(run))?.result, '0x2')
  t.is(run.outputs.filter(({ kind }) => kind === 'push' || kind === 'broadcast').length, 1)
  run.enter({ kind: 'tick' }, 5000)
  t.is(run.outputs.filter(({ kind }) => kind === 'push' || kind === 'broadcast').length, 3)
  t.is(json(asked(run))?.result, '0x4')
})
