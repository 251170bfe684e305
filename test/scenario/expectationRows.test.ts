/** Expectations of the format (`mocks.md` §3.3) that rows of triggers and actions do not show. */
import { readFileSync } from 'node:fs'
import test from 'ava'
import { noClient } from '../../src/fault/rule.ts'
import { scenarioOf, scenarioRun, type Run } from '../helpers/scenarioRun.ts'
import { callOf } from '../helpers/requests.ts'

const token = readFileSync(new URL('../../../scenarios/_artifacts/DemoToken.json', import.meta.url), 'utf8')
const outcome = (run: Run) => [
  run.simulation().progress.state,
  ...run.simulation().progress.failures.map(({ text }) => text),
]

const fixtures = `clock: { blocks: 'auto' }, fixtures: { accounts: { alice: {}, bob: {} }, contracts: {
  demo: { artifact: './Token.json', from: '@alice', args: ['Demo', 'DMO', '100 DMO'], symbol: 'DMO' } } },`
const pay = `{ sendTx: { from: '@alice', call: { contract: 'demo', fn: 'transfer', args: ['@bob', '30 DMO'] } } }`

const balances = test.macro((t, steps: string, expected: readonly string[]) => {
  const seen = outcome(scenarioRun(scenarioOf(steps, fixtures), {}, { 'Token.json': token }).run(60_000))
  t.deepEqual(
    seen.map((text) => text.replace(/0x[0-9a-f]{40} in 0x[0-9a-f]{40}/, '0xBOB in 0xTOKEN')),
    expected,
  )
})

test(
  'a balance in the unit of a token',
  balances,
  `{ do: ${pay}, expect: [
  { balance: { address: '@bob', equals: '30 DMO' } }, { balance: { address: '@alice', min: '69 DMO', max: '71 DMO' } },
  { balance: { address: '@alice', token: 'demo', equals: '70000000000000000000' } }] }`,
  ['passed'],
)
test(
  'a balance in the unit of a token that is not enough',
  balances,
  `{ expect: { any: [{ balance: { address: '@bob', min: '1.5 DMO' } }, { height: 99 }] } }`,
  [
    'failed',
    'none of these held: balance of 0xBOB in 0xTOKEN: expected at least 1500000000000000000, was 0; height: expected 99, was 2',
  ],
)
test(
  'a balance of another denomination',
  balances,
  `{ expect: [{ balance: { address: '@bob', denom: 'utest', equals: '0' } }, { balance: { address: '@bob', denom: 'atest', equals: '100 evm' } }] }`,
  ['passed'],
)
test(
  'a token that a step has made',
  balances,
  `{ do: { deploy: { from: '@alice', artifact: './Token.json', args: ['Other', 'OTH', '5'], as: 'other' } },
  expect: { balance: { address: '@alice', token: '@other', equals: '5' } } }`,
  ['passed'],
)

test(
  'a result that differs from the value of a late expression',
  balances,
  `{ do: { set: { id: 31336 } }, expect: { rpc: { iface: 'eth', method: 'eth_chainId' }, differs: '\${hex(set.id)}' } }`,
  ['passed'],
)
test(
  'a result that is the value of a late expression, but should differ',
  balances,
  `{ do: { set: { id: 31337 } }, expect: { rpc: { iface: 'eth', method: 'eth_chainId' }, differs: '\${hex(set.id)}' } }`,
  ['failed', 'eth_chainId result: expected anything but "0x7a69"'],
)

test('a unit that no token has is refused', (t) => {
  const error = t.throws(() =>
    scenarioRun(
      scenarioOf(`{ expect: { never: { balance: { address: '@alice', min: '1 NOPE' } }, for: '1s' } }`, fixtures),
      {},
      { 'Token.json': token },
    ),
  )
  t.regex(error?.message ?? '', /SC2006 {2}no token has the unit "1 NOPE"/)
})

const status = test.macro((t, expectation: string, expected: readonly string[]) => {
  const paid = `{ id: 'paid', do: { sendTx: { from: '@alice', to: '@bob', value: '1 evm', as: 't' } }, expect: ${expectation} }`
  t.deepEqual(outcome(scenarioRun(scenarioOf(paid, fixtures), {}, { 'Token.json': token }).run(60_000)), expected)
})
test('the status of a transaction in an object', status, `{ tx: { name: 't' }, status: 'success' }`, ['passed'])
test('another status of a transaction in an object', status, `{ tx: { name: 't' }, status: 'failed' }`, [
  'failed',
  'transaction t: expected failed, was success',
])
test('no status of a transaction in an object', status, `{ tx: { name: 't' }, status: 'absent', within: '2s' }`, [
  'failed',
  'transaction t: expected absent, was success',
])
test('a pattern with nothing but a name', status, `{ tx: { name: 't' }, count: 1, since: 'paid' }`, ['passed'])

const refused = test.macro((t, expectation: string, message: string) => {
  const error = t.throws(() => scenarioRun(scenarioOf(`{ id: 'paid', expect: ${expectation} }`)))
  t.true(error?.message.includes(message), error?.message)
})
const oneForm = 'expected status for one transaction, or count and since for a pattern, not both'
test('a count of one transaction', refused, `{ tx: 'v', count: 7 }`, oneForm)
test('a start of counting with a status', refused, `{ tx: { name: 'v' }, status: 'success', since: 'paid' }`, oneForm)
test(
  'a status of a pattern',
  refused,
  `{ tx: { name: 'v', stage: 'included' }, status: 'failed' }`,
  'expected status beside the name or hash of one transaction; a pattern has a stage and count instead',
)

test(
  'a balance without bounds',
  refused,
  `{ balance: { address: '@account0' } }`,
  'balance: expected min, max or equals',
)
test('a height without bounds', refused, `{ height: {} }`, 'height: expected min, max, gte or lte')
test('a count without bounds', refused, `{ tx: { stage: 'included' }, count: {} }`, 'count: expected min or max')
test('a fault without bounds', refused, `{ fault: 'f', applied: {} }`, 'applied: expected min or max')
test(
  'a result without a value',
  refused,
  `{ rpc: { iface: 'eth', method: 'eth_chainId' }, result: { path: 'x' } }`,
  'result: expected eq, ne, matches, min or max',
)
test('all of nothing', refused, `{ all: [] }`, 'all: expected at least one expectation')
test('any of nothing', refused, `{ any: [] }`, 'any: expected at least one expectation')
test('nothing never', refused, `{ never: { all: [] }, for: '1s' }`, 'never.all: expected at least one expectation')
test('no subscriptions', refused, `{ ws: { resubscribed: [] } }`, 'resubscribed: expected at least one subscription')

const howMany = 'expected one of count, more, spacing or rate beside calls, or covers in it, with or without count'
test(
  'a range of blocks beside another number than count',
  refused,
  `{ calls: { covers: { fromBlock: 1, toBlock: 2 } }, more: 3 }`,
  howMany,
)
test('calls never, without a number', refused, `{ never: { calls: { method: 'eth_call' } }, for: '1s' }`, howMany)

/** A client on a socket; it acts when the scenario has begun to expect. */
function withClient(expectation: string, act: (client: ReturnType<typeof clientOf>) => void): readonly string[] {
  const run = scenarioRun(
    scenarioOf(`{ id: 'go', when: { signal: 'go' } }, { expect: ${expectation} }`, "clock: { blocks: 'manual' },"),
  ).run(0)
  const client = clientOf(run)
  client.open()
  client.send('eth_subscribe', ['newHeads'])
  run.enter({ kind: 'operator', by: 'test', command: { type: 'signal', name: 'go' } })
  act(client)
  run.run(60_000)
  return outcome(run)
}

function clientOf(run: Run) {
  let connection = 0
  return {
    run,
    open: () => {
      run.enter({ kind: 'connected', connection: ++connection, side: 'eth', remote: '', client: noClient })
    },
    close: () => {
      run.enter({ kind: 'disconnected', connection })
    },
    send: (method: string, params: unknown) => {
      run.enter(callOf(method, params, { connection, client: noClient }))
    },
    call: (method: string, params: unknown, laterMs = 0) => {
      run.call('eth', method, params)
      run.enter({ kind: 'tick' }, laterMs)
    },
    /** Mines a block, which must have this height, and returns its hash. */
    mined: (height: number): string => {
      run.call('eth', 'evm_mine', [])
      return run.call('eth', 'eth_getBlockByNumber', [`0x${height.toString(16)}`, false]).result.hash
    },
  }
}

const client = test.macro(
  (t, expectation: string, act: (client: ReturnType<typeof clientOf>) => void, expected: RegExp) => {
    t.regex(withClient(expectation, act).join(': '), expected)
  },
)

test(
  'reopened',
  client,
  `{ ws: { reopened: true }, within: '5s' }`,
  (it) => {
    it.close()
    it.open()
  },
  /^passed$/,
)
test(
  'not reopened',
  client,
  `{ ws: { reconnected: true }, within: '5s' }`,
  (it) => {
    it.close()
  },
  /^failed: a connection to open: expected at least 1, was 0/,
)
test(
  'resubscribed',
  client,
  `{ ws: { resubscribed: ['newHeads', 'logs'] }, within: '5s' }`,
  (it) => {
    it.close()
    it.open()
    it.send('eth_subscribe', ['newHeads'])
    it.send('eth_subscribe', ['logs', {}])
  },
  /^passed$/,
)
test(
  'resubscribed to a part only',
  client,
  `{ ws: { resubscribed: ['newHeads', 'logs'] }, within: '5s' }`,
  (it) => {
    it.close()
    it.open()
    it.send('eth_subscribe', ['newHeads'])
  },
  /^failed: a connection to subscribe logs: expected at least 1, was 0/,
)
const logs = (it: ReturnType<typeof clientOf>, from: number, to: number) => {
  it.call('eth_getLogs', [{ fromBlock: `0x${from.toString(16)}`, toBlock: `0x${to.toString(16)}` }])
}
test(
  'covers, in several calls',
  client,
  `{ calls: { method: 'eth_getLogs', covers: { fromBlock: 3, toBlock: 9 } }, within: '5s' }`,
  (it) => {
    logs(it, 6, 9)
    logs(it, 2, 5)
  },
  /^passed$/,
)
test(
  'covers, up to the latest block of the call',
  client,
  `{ calls: { method: 'eth_getLogs', covers: { fromBlock: 1, toBlock: 3 } }, within: '5s' }`,
  (it) => {
    it.call('eth_getLogs', [{ fromBlock: '0x1', toBlock: 'latest' }])
    it.call('evm_mine', [])
    it.call('evm_mine', [])
  },
  /^failed: .*expected blocks 1 to 3, block 2 is missing in 1 calls/,
)
test(
  'covers, of blocks by their hashes',
  client,
  `{ calls: { method: 'eth_getLogs', covers: { fromBlock: 2, toBlock: 3 } }, within: '5s' }`,
  (it) => {
    for (const height of [2, 3]) it.call('eth_getLogs', [{ blockHash: it.mined(height) }])
  },
  /^passed$/,
)
test(
  'covers, by the hashes of other blocks',
  client,
  `{ calls: { method: 'eth_getLogs', covers: { fromBlock: 2, toBlock: 3 } }, within: '5s' }`,
  (it) => {
    it.call('eth_getLogs', [{ blockHash: it.mined(2) }])
    it.call('evm_mine', [])
    for (const blockHash of [`0x${'ab'.repeat(32)}`, '0xzz', 7]) it.call('eth_getLogs', [{ blockHash }])
  },
  /^failed: .*expected blocks 2 to 3, block 3 is missing in 4 calls/,
)
const twice = `{ calls: { method: 'eth_getLogs', covers: { fromBlock: 3, toBlock: 9 } }, count: { min: 2 }, within: '5s' }`
test(
  'covers, in as many calls as wanted',
  client,
  twice,
  (it) => {
    logs(it, 2, 5)
    logs(it, 6, 9)
  },
  /^passed$/,
)
test(
  'covers, in fewer calls than wanted',
  client,
  twice,
  (it) => logs(it, 2, 9),
  /^failed: .*expected at least 2, was 1/,
)
test(
  'covers, with a hole',
  client,
  `{ calls: { method: 'eth_getLogs', covers: { fromBlock: 3, toBlock: 9 } }, within: '5s' }`,
  (it) => {
    logs(it, 7, 9)
    logs(it, 2, 5)
  },
  /^failed: .*block 6 is missing in 2 calls/,
)
test(
  'rate, kept',
  client,
  `{ never: { calls: { method: 'eth_chainId' }, count: { min: 9 }, since: 'go' }, for: '5s' }`,
  (it) => {
    for (let at = 0; at < 4; at++) it.call('eth_chainId', [], 1000)
  },
  /^passed$/,
)
test('rate, looked at in the end', (t) => {
  const paced = (everyMs: number) => {
    const run = scenarioRun(
      scenarioOf(
        `{ id: 'go', when: { after: '4s' }, expect: { calls: { method: 'eth_chainId' }, rate: { max: 2, per: '1s', by: 'session' } } }`,
      ),
    ).run(0)
    for (let at = 0; at < 4000; at += everyMs) {
      run.call('eth', 'eth_chainId', [])
      run.enter({ kind: 'tick' }, everyMs)
    }
    return outcome(run).join(': ')
  }
  t.is(paced(500), 'passed')
  t.regex(paced(250), /^failed: calls of eth_chainId: expected at most 2 calls in any 1000 ms, was 4/)
})
test('spacing', (t) => {
  const spaced = (everyMs: number) => {
    const run = scenarioRun(
      scenarioOf(
        `{ when: { after: '4s' }, expect: { calls: { method: 'eth_chainId' }, spacing: { by: 'client+request', min: '1s', tolerance: '50ms' } } }`,
      ),
    ).run(0)
    for (let at = 0; at < 4000; at += everyMs) {
      run.call('eth', 'eth_chainId', [])
      run.enter({ kind: 'tick' }, everyMs)
    }
    return outcome(run).join(': ')
  }
  t.is(spaced(960), 'passed')
  t.regex(spaced(900), /^failed: .*expected at least 950 ms between two calls, was 900/)
})
test('digest', (t) => {
  const of = (steps: string) => scenarioRun(scenarioOf(steps, "clock: { blocks: 'manual' },")).run(0)
  const [failure = ''] = outcome(of(`{ do: { mine: 3 }, expect: { digest: '${'0'.repeat(64)}' } }`)).slice(1)
  const found = /was ([0-9a-f]{64})$/.exec(failure)?.[1] ?? ''
  t.deepEqual(outcome(of(`{ do: { mine: 3 }, expect: { digest: '${found}' } }`)), ['passed'])
  t.is(outcome(of(`{ do: { mine: 4 }, expect: { digest: '${found}' } }`))[0], 'failed')
})
test('what sends something is sent once, and its answer waited for', (t) => {
  const run = scenarioRun(
    scenarioOf(
      `{ when: { height: 1 }, expect: [
    { rpc: { iface: 'comet', method: 'broadcast_tx_commit', params: { tx: '\${tx.encode(account0, bank.send)}' } }, path: 'tx_result.code', equals: 0, within: '5s' },
    { rpc: { iface: 'eth', method: 'eth_sendTransaction', params: [{ from: '@account1', to: '@account2' }] }, matches: '^0x', within: '5s' }] }`,
      "clock: { mode: 'interval', blockTime: '2s' },",
    ),
  ).run(60_000)
  t.deepEqual(outcome(run), ['passed'])
  const heights = run.call('eth', 'eth_getTransactionCount', ['0x70997970c51812dc3a010c7d01b50e0d17dc79c8', 'pending'])
    .result as string
  t.is(heights, '0x1')
})
