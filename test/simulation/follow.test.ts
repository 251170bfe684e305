import test from 'ava'
import { chainDigest } from '../../src/simulation/digest.ts'
import { compileScenario } from '../../src/scenario/compile.ts'
import { scenarioOf, scenarioRun, type Run } from '../helpers/scenarioRun.ts'
import { callOf } from '../helpers/requests.ts'

const alice = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const bob = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'

const send = (run: Run, tx: object = {}) =>
  run.call('eth', 'eth_sendTransaction', [{ from: alice, to: bob, value: '0x1', ...tx }]).result as string
const signal = (run: Run, name: string) =>
  run.enter({ kind: 'operator', by: 'test', command: { type: 'signal', name } })
const stateOf = (run: Run) => run.simulation().progress.state
const failuresOf = (run: Run) => run.simulation().progress.failures.map(({ text }) => text)

/** Holds with what `act` does, not before, whatever else is asked. */
const waitsFor = test.macro((t, when: string, act: (run: Run) => unknown) => {
  const run = scenarioRun(scenarioOf(`{ when: ${when} }`)).run(0)
  run.call('eth', 'eth_gasPrice', [])
  run.call('comet', 'health', {})
  t.is(stateOf(run), 'running')
  act(run)
  t.is(stateOf(run), 'passed', run.said.join('\n'))
})

const mine = (count: number) => (run: Run) =>
  run.enter({ kind: 'operator', by: 'test', command: { type: 'produceBlock', count } })
const wait = (ms: number) => (run: Run) => run.enter({ kind: 'tick' }, ms)

test('height waits for a block', waitsFor, `{ height: 5 }`, mine(4))
test('after waits for time', waitsFor, `{ after: '5s' }`, wait(5000))
test('a call of several methods by a pattern', waitsFor, `{ request: { method: ['eth_block*', 'x'] } }`, (run) =>
  run.call('eth', 'eth_blockNumber', []),
)
test(
  'a call with certain parameters',
  waitsFor,
  `{ request: { method: 'eth_getBalance', params: ['${bob}'] } }`,
  (run) => {
    run.call('eth', 'eth_getBalance', [alice, 'latest'])
    if (stateOf(run) === 'running') run.call('eth', 'eth_getBalance', [bob.toUpperCase().replace('0X', '0x'), 'latest'])
  },
)
test('the third call', waitsFor, `{ request: { method: 'eth_chainId' }, nth: 3 }`, (run) => {
  run.call('eth', 'eth_chainId', [])
  run.call('eth', 'eth_chainId', [])
  if (stateOf(run) === 'running') run.call('eth', 'eth_chainId', [])
})
test('a call that fails', waitsFor, `{ request: { outcome: 'error' } }`, (run) => run.call('eth', 'eth_nothing', []))
test('a transaction of an account', waitsFor, `{ tx: { from: '@account1', stage: 'included' } }`, (run) => {
  send(run)
  if (stateOf(run) === 'running') send(run, { from: bob, to: alice })
})
test('a transaction with a selector', waitsFor, `{ tx: { to: '${bob}', selector: '0xa9059cbb' } }`, (run) => {
  send(run)
  if (stateOf(run) === 'running') send(run, { data: '0xa9059cbb00' })
})
test('a transaction that fails in its block', waitsFor, `{ tx: { stage: 'failed' } }`, (run) => {
  send(run)
  // PUSH1 0 PUSH1 0 REVERT
  run.call('eth', 'anvil_setCode', [bob, '0x60006000fd'])
  if (stateOf(run) === 'running') send(run, { gas: '0x20000' })
})
test('a transaction that is refused', waitsFor, `{ tx: { stage: 'rejected' } }`, (run) => {
  send(run)
  if (stateOf(run) === 'running') send(run, { nonce: '0x0', gas: '0x5208' })
})
test('a message type', waitsFor, `{ tx: { msgType: '/cosmos.evm.vm.v1.MsgEthereumTx' } }`, (run) => send(run))
test(
  'an event of CometBFT RPC',
  waitsFor,
  `{ event: { comet: "tm.event = 'Tx' AND message.action CONTAINS 'MsgEthereumTx'" } }`,
  (run) => {
    mine(1)(run)
    if (stateOf(run) === 'running') send(run)
  },
)
test(
  'a log of a contract with its arguments',
  waitsFor,
  `{ event: { log: { contract: '${bob}', name: 'Ping(uint256)', args: [7] } } }`,
  (run) => {
    const topic = run
      .call('eth', 'web3_sha3', [`0x${Buffer.from('Ping(uint256)').toString('hex')}`])
      .result.slice(2) as string
    // PUSH1 argument, PUSH32 topic, PUSH1 0 twice: LOG2 of no data.
    const code = (value: string) => `0x60${value}7f${topic}60006000a200`
    run.call('eth', 'anvil_setCode', [bob, code('08')])
    send(run, { gas: '0x20000' })
    run.call('eth', 'anvil_setCode', [bob, code('07')])
    if (stateOf(run) === 'running') send(run, { gas: '0x20000' })
  },
)
test('a connection that opens', waitsFor, `{ ws: { open: true } }`, (run) =>
  run.enter({ kind: 'connected', connection: 1, side: 'eth', remote: '' }),
)
test('a connection that closes', waitsFor, `{ ws: { close: { iface: 'comet' } } }`, (run) => {
  run.enter({ kind: 'connected', connection: 1, side: 'eth', remote: '' })
  run.enter({ kind: 'connected', connection: 2, side: 'comet', remote: '' })
  run.enter({ kind: 'disconnected', connection: 1 })
  if (stateOf(run) === 'running') run.enter({ kind: 'disconnected', connection: 2 })
})
test('a subscription', waitsFor, `{ ws: { subscribe: ['newHeads', 'logs'] } }`, (run) => {
  run.enter({ kind: 'connected', connection: 1, side: 'eth', remote: '' })
  subscribe(run, 'newPendingTransactions')
  if (stateOf(run) === 'running') subscribe(run, 'newHeads')
})
const subscribe = (run: Run, what: string) => run.enter(callOf('eth_subscribe', [what], { connection: 1 }))
test('a signal', waitsFor, `{ signal: 'go', orAfter: '20s' }`, (run) => signal(run, 'go'))
test('a signal that never comes', waitsFor, `{ signal: 'go', orAfter: '20s' }`, wait(20_000))
test('any of several', waitsFor, `{ any: [{ height: 9 }, { signal: 'go' }] }`, (run) => signal(run, 'go'))
test('any of several where time is one', waitsFor, `{ any: [{ height: 9 }, { after: '3s' }] }`, wait(3000))
test('all of several', waitsFor, `{ all: [{ height: 3 }, { signal: 'go' }] }`, (run) => {
  signal(run, 'go')
  if (stateOf(run) === 'running') mine(2)(run)
})

test('any of several signals uses one of them, and the others stay for later steps', (t) => {
  const steps = `{ when: { signal: 'start' } }, { when: { any: [{ signal: 'a' }, { signal: 'b' }] } }`
  const run = scenarioRun(scenarioOf(`${steps}, { when: { signal: 'b' } }, { when: { signal: 'a' } }`)).run(0)
  for (const name of ['b', 'a', 'start']) signal(run, name)
  t.is(run.simulation().progress.step, 3)
  signal(run, 'a')
  t.is(stateOf(run), 'passed')
})

test('a step waits for the phase another one has set, and a delay after that', (t) => {
  const run = scenarioRun(
    scenarioOf(
      `{ id: 'a', do: { setPhase: 'hot' } }, { when: { phase: 'hot' }, delay: '2 blocks', do: { log: 'late' } }`,
    ),
  ).run(0)
  mine(1)(run)
  t.false(run.said.includes('late'))
  mine(1)(run)
  t.true(run.said.includes('late'))
})

test('each of three blocks runs a step once', (t) => {
  const run = scenarioRun(
    scenarioOf(`{ when: { height: 1 } }, { when: { eachBlock: { from: '+1', count: 3 } }, do: { log: 'block' } }`),
  ).run(0)
  mine(1)(run)
  mine(1)(run)
  t.is(run.said.filter((text) => text === 'block').length, 2)
  mine(1)(run)
  t.is(run.said.filter((text) => text === 'block').length, 3)
  t.is(stateOf(run), 'passed')
})

test('a step is repeated, and what it waited for must come again', (t) => {
  const run = scenarioRun(
    scenarioOf(`{ when: { request: { method: 'eth_chainId' } }, repeat: 2, do: { mine: 1 } }`),
  ).run(0)
  run.call('eth', 'eth_chainId', [])
  t.is(stateOf(run), 'running')
  run.call('eth', 'eth_chainId', [])
  t.is(stateOf(run), 'passed')
  t.is(run.simulation().node.chain.height, 3n)
})

test('a rule happens as often as it says, beside the steps', (t) => {
  const run = scenarioRun(
    scenarioOf(
      `{ when: { after: '60s' }, timeout: '2m' }`,
      `rules: [{ when: { every: '4s', count: 3 }, do: { mine: 1 } }, { when: { request: { method: 'eth_chainId' } }, times: 2, do: { mine: 10 } }],`,
    ),
  ).run(0)
  for (let at = 0; at < 3; at++) run.call('eth', 'eth_chainId', [])
  t.is(run.simulation().node.chain.height, 21n)
  run.run()
  t.is(run.simulation().node.chain.height, 24n)
  t.is(stateOf(run), 'passed')
})

test('a rule that is not told how often happens once, and with repeat always', (t) => {
  const run = scenarioRun(
    scenarioOf(
      `{ when: { after: '60s' } }`,
      `rules: [{ when: { signal: 'a' }, do: { log: 'once' } }, { when: { signal: 'b' }, repeat: true, do: { log: 'always' } }],`,
    ),
  ).run(0)
  for (const name of ['a', 'a', 'b', 'b', 'b']) signal(run, name)
  t.deepEqual(run.said.filter((text) => text === 'once').length, 1)
  t.deepEqual(run.said.filter((text) => text === 'always').length, 3)
})

test('a rule whose condition does not hold when its time comes does not hold up other rules', (t) => {
  const rules = `{ when: { after: '1s' }, if: 'chain.height > 100', do: { log: 'first' } },
    { when: { after: '5s' }, do: { log: 'second' } }`
  const run = scenarioRun(scenarioOf(`{ when: { signal: 'x' }, timeout: '9s' }`, `rules: [${rules}],`)).run()
  t.true(run.said.includes('second'))
  t.is(stateOf(run), 'failed', 'The step was not late.')
})

test('a rule of a phase sleeps outside of it', (t) => {
  const run = scenarioRun(
    scenarioOf(
      `{ when: { signal: 'hot' }, do: { setPhase: 'hot' } }, { when: { after: '60s' } }`,
      `rules: [{ phase: 'hot', when: { request: { method: 'eth_chainId' } }, repeat: true, do: { log: 'seen' } }],`,
    ),
  ).run(0)
  run.call('eth', 'eth_chainId', [])
  t.false(run.said.includes('seen'))
})

test('jitter is drawn by rule and number: another rule does not move it', (t) => {
  const heightsOf = (more: string) => {
    const run = scenarioRun(
      scenarioOf(
        `{ when: { after: '60s' }, timeout: '2m' }`,
        `seed: 's', rules: [${more} { id: 'j', when: { every: '4s', jitter: '3s' }, do: { log: 'tick' } }],`,
      ),
    ).run(0)
    const times: bigint[] = []
    for (let at = 0; at < 300; at++) {
      const before = run.said.filter((text) => text === 'tick').length
      run.enter({ kind: 'tick' }, 100)
      if (run.said.filter((text) => text === 'tick').length > before) times.push(run.simulation().node.nowMs)
    }
    return times
  }
  const alone = heightsOf('')
  t.true(alone.length >= 4 && alone.length <= 7)
  t.deepEqual(heightsOf(`{ id: 'other', when: { every: '1s', jitter: '3s' }, do: { log: 'other' } },`), alone)
})

test('rules that make each other fire are stopped and named', (t) => {
  const run = scenarioRun(
    scenarioOf(
      `{ when: { after: '60s' } }`,
      `rules: [
    { id: 'ping', when: { signal: 'a' }, repeat: true, do: { signal: 'b' } },
    { id: 'pong', when: { signal: 'b' }, repeat: true, do: { signal: 'a' } }],`,
    ),
  ).run(0)
  signal(run, 'a')
  t.is(stateOf(run), 'failed')
  t.regex(failuresOf(run)[0] ?? '', /fired 64 times while no time passed/)
})

test('finally is done however the steps end', (t) => {
  for (const max of [0, 9]) {
    const run = scenarioRun(scenarioOf(`{ expect: { height: { max: ${max} } } }`, `finally: { log: 'cleaned' },`)).run(
      0,
    )
    t.is(stateOf(run), max === 0 ? 'failed' : 'passed')
    t.deepEqual(run.said.filter((text) => text === 'cleaned').length, 1)
  }
})

test('a run goes on until what it is told to wait for', (t) => {
  const run = scenarioRun(scenarioOf(`{ do: { mine: 1 } }`, `run: { until: { height: 5 } },`)).run(0)
  t.is(stateOf(run), 'running')
  mine(4)(run)
  t.is(stateOf(run), 'passed')
})

test('a strict run takes faults that never hit, or that nobody noticed, for errors', (t) => {
  const { plan } = scenarioRun(
    scenarioOf('', `faults: { a: { effect: { hang: true } } }, run: { strict: true },`),
  ).simulation()
  t.deepEqual([plan.onUnused, plan.onMaskedFault], ['error', 'error'])
})

const expects = test.macro((t, expectation: string, act: (run: Run) => unknown, failure: RegExp | undefined) => {
  const run = scenarioRun(scenarioOf(`{ id: 'go', when: { signal: 'go' } }, { expect: ${expectation} }`)).run(0)
  signal(run, 'go')
  act(run)
  run.run(60_000)
  t.is(stateOf(run), failure === undefined ? 'passed' : 'failed', run.said.join('\n'))
  if (failure !== undefined) t.regex(failuresOf(run)[0] ?? '', failure)
})

const twice = (run: Run) => {
  for (let at = 0; at < 2; at++) run.call('eth', 'eth_chainId', [])
}
const nothing = () => {}

test(
  'two calls were two calls',
  expects,
  `{ calls: { method: 'eth_chainId' }, count: 2, within: '5s' }`,
  twice,
  undefined,
)
test(
  'two calls were not three',
  expects,
  `{ calls: { method: 'eth_chainId' }, count: { min: 3 }, since: 'go', within: '5s' }`,
  twice,
  /calls of eth_chainId: expected at least 3, was 2/,
)
test(
  'a transaction came within two blocks',
  expects,
  `{ tx: { from: '@account0', stage: 'included' }, within: '2 blocks' }`,
  (run) => send(run),
  undefined,
)
test(
  'a transaction that did not come is missed',
  expects,
  `{ tx: { stage: 'included' }, within: '5s' }`,
  nothing,
  /a transaction to be included: expected at least 1, was 0/,
)
test(
  'an event is awaited',
  expects,
  `{ event: { comet: "tm.event = 'NewBlock'" }, count: { min: 2 }, within: '5s' }`,
  mine(2),
  undefined,
)
test(
  'what never happens has not happened',
  expects,
  `{ never: { calls: { method: 'eth_chainId' }, count: { min: 3 } }, for: '10s' }`,
  twice,
  undefined,
)
test(
  'what should never happen and did is told',
  expects,
  `{ never: { calls: { method: 'eth_chainId' }, count: { min: 2 } }, for: '10s' }`,
  twice,
  /calls of eth_chainId held, but should never hold/,
)
test(
  'one of two is enough',
  expects,
  `{ any: [{ height: 9 }, { calls: { method: 'eth_chainId' }, count: 2 }], within: '5s' }`,
  twice,
  undefined,
)
test(
  'none of two is told with both',
  expects,
  `{ any: [{ height: 9 }, { phase: 'hot' }], within: '1s' }`,
  nothing,
  /none of these held: height: expected 9, was 1; phase: expected "hot", was ""/,
)
test(
  'both of two',
  expects,
  `{ all: [{ height: { gte: 3 } }, { calls: { method: 'eth_chainId' }, count: 2 }], within: '5s' }`,
  (run) => {
    twice(run)
    mine(2)(run)
  },
  undefined,
)
test(
  'an error is expected',
  expects,
  `{ rpc: { iface: 'eth', method: 'eth_nothing' }, error: { code: -32601, includes: 'eth_nothing' } }`,
  nothing,
  undefined,
)
test(
  'a number is between',
  expects,
  `{ rpc: { iface: 'eth', method: 'eth_blockNumber' }, min: 1, max: 1 }`,
  nothing,
  undefined,
)
test(
  'a number is not between',
  expects,
  `{ rpc: { iface: 'eth', method: 'eth_blockNumber' }, min: 7 }`,
  nothing,
  /eth_blockNumber result: expected at least 7, was 1/,
)
test(
  'the digest of a chain is that of another one',
  expects,
  `{ digest: '${'0'.repeat(64)}' }`,
  nothing,
  /digest of the chain: expected 0{64}, was [0-9a-f]{64}/,
)
test(
  'subscribing is awaited',
  expects,
  `{ ws: { subscribe: 'newHeads' }, within: '5s' }`,
  (run) => {
    run.enter({ kind: 'connected', connection: 1, side: 'eth', remote: '' })
    subscribe(run, 'newHeads')
  },
  undefined,
)

test('a transaction that is held, replaced and then in a block is followed by its name', (t) => {
  const run = scenarioRun(
    scenarioOf(`
    { do: { mempool: { hold: { from: '@account0', nth: 1 }, as: 'stuck' } } },
    { id: 'accepted', when: { tx: { held: 'stuck', stage: 'accepted' } }, expect: { tx: 'stuck', status: 'pending' } },
    { id: 'replaced', when: { tx: { replaces: 'stuck' } }, do: [{ mempool: { release: '*' } }, { mine: 1 }],
      expect: [{ tx: 'stuck', status: 'absent' }, { tx: 'stuck.replacement', status: 'success' }] }`),
    { mempoolMaxTxs: 5000 },
  ).run(0)
  send(run, { nonce: '0x0', gas: '0x5208', maxFeePerGas: '0x2540be400', maxPriorityFeePerGas: '0x1' })
  t.is(run.simulation().progress.step, 2, run.said.join('\n'))
  send(run, { nonce: '0x0', gas: '0x5208', to: alice, maxFeePerGas: '0x4a817c800', maxPriorityFeePerGas: '0x2' })
  t.is(stateOf(run), 'passed', run.said.join('\n'))
})

test('a chain has the digest that the same scenario gave before', (t) => {
  const steps = `{ do: { sendTx: { from: '@account0', to: '@account1', value: '1' } } }`
  const digest = chainDigest(scenarioRun(scenarioOf(steps, `seed: 'd',`)).run().simulation().node)
  const again = scenarioRun(scenarioOf(`${steps}, { expect: { digest: '${digest}' } }`, `seed: 'd',`)).run()
  t.is(stateOf(again), 'passed', again.said.join('\n'))
})

test(
  'fewer calls than may still come',
  expects,
  `{ never: { calls: { method: 'eth_chainId' }, more: 3 }, for: '5s' }`,
  twice,
  undefined,
)
test('calls that come too close are told with their distance', (t) => {
  const run = scenarioRun(
    scenarioOf(`{ id: 'go', when: { signal: 'go' } },
    { expect: { calls: { method: 'eth_chainId' }, since: 'go', spacing: { min: '2s' } } , when: { signal: 'end' } }`),
  ).run(0)
  signal(run, 'go')
  run.call('eth', 'eth_chainId', [])
  run.enter({ kind: 'tick' }, 500)
  run.call('eth', 'eth_chainId', [])
  signal(run, 'end')
  t.deepEqual(failuresOf(run), [
    'calls of eth_chainId: expected at least 2000 ms between two calls, was 500 ms at 500 ms',
  ])
})

test('expectations judge all calls since their step, also those that the dashboard no longer lists', (t) => {
  const expect = `{ given: { method: 'eth_gasPrice', result: { matches: '^0x' } }, count: 700 },
    { given: { method: 'eth_blockNumber', error: true }, count: 0 },
    { calls: { method: 'eth_chainId' }, spacing: { min: '1s' } }`
  const step = (more: string) => scenarioOf(`{ when: { signal: 'go' }, onFail: 'continue', expect: [${more}] }`)
  const run = scenarioRun(step(expect)).run(0)
  run.call('eth', 'eth_chainId', [])
  run.call('eth', 'eth_chainId', [])
  run.call('eth', 'eth_blockNumber', ['too', 'many'])
  for (let call = 0; call < 700; call++) run.call('eth', 'eth_gasPrice', [])
  signal(run, 'go')
  const [failed, spaced, ...more] = failuresOf(run)
  t.regex(failed ?? '', /^calls of eth_blockNumber answered with an error: expected 0, was 1/)
  t.regex(spaced ?? '', /^calls of eth_chainId: expected at least 1000 ms between two calls, was 0 ms/)
  t.deepEqual(more, [])
})

test('expectations on responses, pace and ranges know names of the run in parameters', (t) => {
  const [asked, call] = ["params: ['${tx.first.hash}']", "method: 'eth_getTransactionReceipt'"]
  const steps = `{ do: { sendTx: { from: '@account1', to: '@account2', value: '1', as: 'first' } } },
    { when: { signal: 'go' }, onFail: 'continue', expect: [
      { given: { ${call}, ${asked}, result: { path: 'status', eq: '0x1' } }, count: 2 },
      { calls: { ${call}, ${asked} }, spacing: { min: '1s' } } ] }`
  const run = scenarioRun(scenarioOf(steps)).run(0)
  const { ethHash } = run.simulation().progress.facts.txs['first'] ?? {}
  run.call('eth', 'eth_getTransactionReceipt', [`0x${ethHash}`])
  run.call('eth', 'eth_getTransactionReceipt', [`0x${ethHash}`])
  run.call('eth', 'eth_getTransactionReceipt', [`0x${'ab'.repeat(32)}`])
  signal(run, 'go')
  const [spaced, ...more] = failuresOf(run)
  t.regex(spaced ?? '', /expected at least 1000 ms between two calls, was 0 ms/)
  t.deepEqual(more, [])
})

const manyBlocks = [
  ['a step mines at once', '{ mine: 5 }', () => {}],
  ['a step mines in slices', '{ mine: 60 }', () => {}],
  ['a client mines in slices', '{ log: "ready" }', (run: Run) => void run.call('eth', 'anvil_mine', [20])],
] as const
for (const [how, mining, then] of manyBlocks) {
  test(`fees for some blocks count each of the blocks that ${how}`, (t) => {
    const changes = `[{ fees: { baseFee: '50 gwei', gasLimit: 500000, for: '3 blocks' } }, ${mining}]`
    const run = scenarioRun(scenarioOf(`{ do: ${changes} }`)).run(0)
    then(run)
    for (let ticks = 0; ticks < 100; ticks++) run.enter({ kind: 'tick' })
    const blocks = [2, 3, 4, 5, 6].map((height) => {
      const { result } = run.call('eth', 'eth_getBlockByNumber', [`0x${height}`, false])
      return [result.baseFeePerGas === '0xba43b7400', result.gasLimit === '0x7a120']
    })
    const [during, after] = [
      [true, true],
      [false, false],
    ]
    t.deepEqual(blocks, [during, during, during, after, after], run.said.join('\n'))
  })
}

test('each of several blocks that come at once fires a rule, and a step', (t) => {
  const run = scenarioRun(
    scenarioOf(
      `
    { when: { height: 1 }, do: { mine: 100 } },
    { when: { blocks: 0 }, do: { mine: 4 } },
    { id: 'each', when: { eachBlock: { from: '+2', count: 3 } }, do: { log: 'step' } }, { when: { after: '1s' } }`,
      `clock: { blocks: 'manual' }, rules: [{ when: { eachBlock: {} }, do: { log: 'rule' } }],`,
    ),
  ).run(0)
  run.enter({ kind: 'operator', by: 'test', command: { type: 'produceBlock', count: 4 } })
  const count = (text: string) => run.said.filter((one) => one === text).length
  t.deepEqual([count('rule'), count('step')], [Number(run.simulation().node.chain.height), 3])
})

test('blocks count from the height that the chain went back to', (t) => {
  for (const [how, back] of [
    ['a rollback', (run: Run) => run.call('eth', 'anvil_rollback', [6])],
    ['a checkpoint', (run: Run) => run.call('eth', 'evm_revert', ['0x1'])],
    ['a reset', (run: Run) => run.call('eth', 'anvil_reset', [])],
  ] as const) {
    const rules = `{ when: { eachBlock: {} }, repeat: true, do: { log: 'each' } },
      { when: { blocks: 2 }, repeat: true, do: { log: 'pair' } },
      { when: { signal: 'go' }, delay: '2 blocks', do: { log: 'delayed' } }`
    const run = scenarioRun(scenarioOf(`{ when: { blocks: 9 } }`, `rules: [${rules}],`)).run(0)
    t.is(run.call('eth', 'evm_snapshot', []).result, '0x1', how)
    mine(6)(run)
    signal(run, 'go')
    t.is(back(run).error, undefined, how)
    const before = run.said.length
    mine(4)(run)
    t.deepEqual(run.said.slice(before).toSorted(), ['delayed', 'each', 'each', 'each', 'each', 'pair'], how)
    mine(5)(run)
    t.is(stateOf(run), 'passed', how)
  }
})

test('many blocks of a scenario let requests through, and what comes after them waits', (t) => {
  const steps = `{ when: { height: 1 }, do: [{ mine: 120 }, { log: 'mined' }] }, { when: { blocks: 0 }, do: { log: 'next' } },
    { when: { after: '1s' } }`
  const begin = () => scenarioRun(scenarioOf(steps, `clock: { blocks: 'manual' },`))
  const height = (run: Run) => Number(run.call('eth', 'eth_blockNumber', []).result)
  const run = begin()
  const seen: number[] = []
  for (let ticks = 0; !run.said.includes('next') && ticks < 200; ticks++) {
    run.enter({ kind: 'tick' })
    seen.push(height(run))
    t.is(run.said.includes('mined'), seen.at(-1) === 121)
  }
  t.deepEqual(
    seen,
    seen.toSorted((a, b) => a - b),
  )
  t.true(new Set(seen).size > 20, 'requests see blocks of the middle')
  t.deepEqual(
    run.said.filter((one) => one === 'mined' || one === 'next'),
    ['mined', 'next'],
  )
  const alone = begin().run()
  t.is(chainDigest(run.run().simulation().node), chainDigest(alone.simulation().node))
  t.is(alone.simulation().progress.state, 'passed')
})

test('a run that is stopped while a scenario mines does what is to be done at the end', (t) => {
  const run = scenarioRun(
    scenarioOf(
      `{ when: { height: 1 }, do: [{ mine: 1000 }, { log: 'mined' }] }, { when: { after: '1s' } }`,
      `clock: { blocks: 'manual' }, finally: [{ mine: 60 }, { log: 'finally' }],`,
    ),
  )
  run.enter({ kind: 'tick' })
  run.enter({ kind: 'tick' })
  run.enter({ kind: 'operator', by: 'run', command: { type: 'endPlan', why: 'SIGINT ended the run' } })
  t.true(run.said.includes('finally'))
  t.false(run.said.includes('mined'))
  t.true(height(run) >= 61 && height(run) < 1000)

  function height(one: Run): number {
    return Number(one.simulation().node.chain.height)
  }
})

test('a rule that makes a block with each block is a circle', (t) => {
  const run = scenarioRun(
    scenarioOf(
      `{ when: { height: 1 }, do: { mine: 1 } }, { when: { after: '1s' } }`,
      `clock: { blocks: 'manual' }, rules: [{ id: 'more', when: { eachBlock: {} }, do: { mine: 1 } }],`,
    ),
  ).run(0)
  t.regex(failuresOf(run)[0] ?? '', /fired 64 times while no time passed/)
})

test('the run goes on for a time, or some blocks, or what the command line says in their place', (t) => {
  const goesOn = (until: string) =>
    scenarioRun(scenarioOf(`{ when: { after: '2s' }, do: { mine: 1 } }`, `run: { until: ${until} },`)).run(0)
  const timed = goesOn("'5s'")
  timed.enter({ kind: 'tick' }, 4999)
  t.is(stateOf(timed), 'running')
  timed.enter({ kind: 'tick' }, 1)
  t.is(stateOf(timed), 'passed')
  const counted = goesOn("'3 blocks'")
  counted.enter({ kind: 'tick' }, 2000)
  mine(2)(counted)
  t.is(stateOf(counted), 'running')
  mine(1)(counted)
  t.is(stateOf(counted), 'passed')
  const text = `{ chainstage: 1, name: 'x', run: { until: { height: 900 } } }`
  const { plan } = compileScenario(new Map([['s.json5', text]]), 's.json5', { until: { blocks: 7n } })
  t.deepEqual(plan.until, { type: 'blocks', count: 7n })
  t.is(plan.steps.length, 0)
})

test('steps and rules may have the names that every object inherits', (t) => {
  const run = scenarioRun(
    scenarioOf(
      `{ id: 'one', when: { any: [{ step: 'toString' }, { after: '3s' }] }, do: { mine: 1 } },
    { id: 'constructor', do: { mine: 1 } }, { id: 'toString', do: { mine: 1 }, expect: { height: { min: 4 } } }`,
      `rules: [{ id: 'valueOf', when: { blocks: 2 }, do: { log: 'two blocks' } }],`,
    ),
  )
  run.run(2000)
  t.is(run.simulation().node.chain.height, 1n, 'the first step waits for a step that has not ended')
  run.run()
  t.is(stateOf(run), 'passed', run.said.join('\n'))
  t.true(run.said.some((text) => text.includes('two blocks')))
})

test('the condition of a step counts when its trigger fires, whatever happens during its delay', (t) => {
  const text = (condition: string) =>
    scenarioOf(`{ id: 'one', when: { signal: 'go' }, if: '${condition}', delay: '5s', do: { log: 'acted' } }`)
  for (const [condition, acts] of [
    ['chain.height == 1', true],
    ['chain.height > 1', false],
  ] as const) {
    const run = scenarioRun(text(condition)).run(0)
    signal(run, 'go')
    mine(1)(run)
    run.run()
    t.is(stateOf(run), 'passed', run.said.join('\n'))
    t.is(
      run.said.some((one) => one.includes('acted')),
      acts,
      condition,
    )
  }
})

test('a reload adds an expectation that sends to a step that is checked: it is called once', (t) => {
  const step = (more: string) => scenarioOf(`{ id: 'one', expect: [{ height: { min: 99 }, within: '60s' }${more}] }`)
  const sends = `, { rpc: { iface: 'eth', method: 'eth_sendTransaction', params: [{ from: '${alice}', to: '${bob}' }] }, matches: '^0x', within: '30s' }`
  const run = scenarioRun(step('')).run(0)
  const load = (text: string) =>
    run.enter({
      kind: 'operator',
      by: 'reload',
      command: { type: 'loadPlan', plan: compileScenario(new Map([['s.json5', text]]), 's.json5').plan },
    })
  for (const more of [sends, '', sends]) load(step(more))
  t.is(run.call('eth', 'eth_getTransactionCount', [alice, 'latest']).result, '0x1')
  mine(97)(run)
  run.run(1000)
  t.is(stateOf(run), 'passed', run.said.join('\n'))
})

test('a step that a reload puts in the place of the current one begins with its actions', (t) => {
  const current = `{ id: 'one', do: { log: 'one' }, expect: [{ height: { min: 99 }, within: '60s' }] }`
  const other = `{ id: 'two', when: { signal: 'go' }, do: { log: 'two' } }`
  for (const saves of [[other], ['', other]]) {
    const run = scenarioRun(scenarioOf(current)).run(0)
    for (const steps of saves) {
      const { plan } = compileScenario(new Map([['s.json5', scenarioOf(steps)]]), 's.json5')
      run.enter({ kind: 'operator', by: 'reload', command: { type: 'loadPlan', plan } })
    }
    t.deepEqual([stateOf(run), run.said], ['running', ['one']])
    signal(run, 'go')
    t.deepEqual([stateOf(run), run.said], ['passed', ['one', 'two']])
  }
})

test('a step that repeats often at one instant is no loop', (t) => {
  const run = scenarioRun(scenarioOf(`{ repeat: 12000, do: { set: { a: 1 } } }`)).run(0)
  t.is(stateOf(run), 'passed', run.said.slice(0, 3).join('\n'))
})

test('other inputs come in between the repetitions of a step', (t) => {
  const run = scenarioRun(scenarioOf(`{ repeat: 1000000000, do: { mine: 1 } }`))
  const height = () => run.simulation().node.chain.height
  run.enter({ kind: 'tick' })
  const first = height()
  t.true(first > 100n && first < 1000n)
  t.is(BigInt(run.call('eth', 'eth_blockNumber', []).result), first)
  t.true(height() > first)
})
