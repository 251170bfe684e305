import test from 'ava'
import { scenarioOf, scenarioRun } from '../helpers/scenarioRun.ts'

const passes = test.macro((t, steps: string, more: string) => {
  const run = scenarioRun(scenarioOf(steps, more)).run()
  t.is(run.simulation().progress.state, 'passed', run.said.join('\n'))
})

test(
  'a receipt is asked for by the hash of a named transaction',
  passes,
  `
  { do: { sendTx: { from: '@account0', to: '@account1', value: '1', as: 'paid' } }, expect: {
      rpc: { iface: 'eth', method: 'eth_getTransactionReceipt', params: ['\${tx.paid.hash}'] }, path: 'status', equals: '0x1' } }`,
  '',
)

test(
  'what the chain is like is noted and counted with later',
  passes,
  `
  { do: [{ mine: 2 }, { set: { before: '\${chain.height}' } }, { mine: 3 }] },
  { expect: { rpc: { iface: 'eth', method: 'eth_getBlockByNumber', params: ['\${hex(set.before + vars.gap)}', false] },
      path: 'number', equals: '\${hex(chain.height)}' } }`,
  'vars: { gap: 3 },',
)

test('calls with a hash that is known only then are counted', (t) => {
  const run = scenarioRun(
    scenarioOf(`
    { do: { sendTx: { from: '@account0', to: '@account1', value: '1', as: 'paid' } } },
    { id: 'asked', when: { request: { method: 'eth_getTransactionReceipt', params: ['\${tx.paid.hash}'] } } }`),
  ).run(0)
  const hash = run.simulation().progress.facts.txs['paid']?.ethHash
  run.call('eth', 'eth_getTransactionReceipt', [`0x${'11'.repeat(32)}`])
  t.is(run.simulation().progress.state, 'running')
  run.call('eth', 'eth_getTransactionReceipt', [`0x${hash}`])
  t.is(run.simulation().progress.state, 'passed')
})

test('an expression that names nothing fails its step and says so', (t) => {
  const run = scenarioRun(
    scenarioOf(`{ do: [{ mempool: { hold: { from: '@account1' }, as: 'nobody' } },
    { call: { iface: 'eth', method: 'eth_getTransactionReceipt', params: ['\${tx.nobody.hash}'] } }] }`),
  ).run()
  t.regex(run.simulation().progress.failures[0]?.text ?? '', /unknown name "tx.nobody.hash"/)
})

test('a condition on the running chain leaves a step out', (t) => {
  const run = scenarioRun(
    scenarioOf(
      `
    { when: { height: 1 }, do: { set: { n: 2 } } },
    { if: 'set.n > chain.height + vars.more', do: { log: 'too high' } },
    { if: 'set.n > chain.height', do: { log: 'high' } }`,
      'vars: { more: 5 },',
    ),
  ).run()
  t.deepEqual(run.said, ['high'])
  t.is(run.simulation().progress.state, 'passed')
})

test(
  'an expression stands for any part of an action',
  passes,
  `
  { do: { set: { n: 3, much: '2 evm' } } },
  { do: [{ mine: '\${set.n}' }, { setBalance: { address: '@account1', amount: '\${set.much}' } }, { timeJump: '\${set.n}s' }],
    expect: [{ height: { min: 4 } }, { balance: { address: '@account1', equals: '2 evm' } }] },
  { do: { sendTx: { from: '@account0', to: '@account1', value: '\${chain.height}', nonce: 0, as: 'a' } } },
  { do: { sendTx: { from: '@account0', to: '@account1', nonce: '\${tx.a.nonce + 1}', as: 'b' } } },
  { expect: { rpc: { iface: 'eth', method: 'eth_getTransactionByHash', params: ['\${tx.b.hash}'] }, path: 'nonce', equals: '0x1' } }`,
  '',
)

test(
  'what an earlier step was answered is used later',
  passes,
  `
  { id: 'ask', when: { height: 1 }, do: [{ mine: 2 }, { call: { iface: 'eth', method: 'eth_getBlockByNumber', params: ['latest', false] } }] },
  { do: { mine: '\${step.ask.result.number - 1}' }, expect: { height: 5 } },
  { if: "step.ask.outcome == 'passed' && step.ask.height == 1", do: { mine: 1 } },
  { expect: { height: 6 } }`,
  '',
)

const refusedAt = test.macro((t, steps: string, why: string) => {
  const error = t.throws(() => scenarioRun(scenarioOf(steps)))
  t.true(error?.message.includes(why), error?.message)
})
test(
  'a transaction that nothing names is refused when the file is read',
  refusedAt,
  `{ do: [{ sendTx: { from: '@account0', as: 'paid' } }, { log: '\${tx.pad.hash}' }] }`,
  'Did you mean "tx.paid.hash"',
)
test(
  'a member that transactions do not have is refused',
  refusedAt,
  `{ do: [{ sendTx: { from: '@account0', as: 'paid' } }, { log: '\${tx.paid.nonse}' }] }`,
  'Did you mean "tx.paid.nonce"',
)
test(
  'a step that is not there is refused',
  refusedAt,
  `{ id: 'ask' }, { if: 'step.aks.height > 1' }`,
  'Did you mean "step.ask.height"',
)
test(
  'a key that no action has is refused beside an expression',
  refusedAt,
  `{ do: { sendTx: { from: '@account0', nonse: '\${chain.height}' } } }`,
  'unknown key "nonse"',
)
test(
  'a value of the wrong kind is refused beside an expression',
  refusedAt,
  `{ do: { sendTx: { from: 5, nonce: '\${chain.height}' } } }`,
  'steps.0.do.sendTx.from',
)

test('what an expression makes is checked when it is its turn', (t) => {
  const run = scenarioRun(scenarioOf(`{ do: [{ set: { n: -1 } }, { mine: '\${set.n}' }] }`)).run()
  t.regex(
    run.simulation().progress.failures[0]?.text ?? '',
    /^mine was refused: mine: expected a number of at least 1 .*evaluated, the action is \{"mine":-1\}/,
  )
})

const drawnBy = (rules: string) =>
  scenarioRun(scenarioOf(`{ when: { time: '30s' } }`, `clock: { blocks: 'manual' }, rules: [${rules}],`)).run().said
const dice = (id: string) =>
  `{ id: '${id}', when: { every: '1s' }, do: { log: "${id.length} \${rand('dice', 6)} \${pick('red', 'blue')}" } }`

test('draws are of a rule and its occasion: another name of one rule moves only its own', (t) => {
  const before = drawnBy(`${dice('ab')}, ${dice('c')}`)
  const after = drawnBy(`${dice('ab')}, ${dice('xyz')}`)
  const of = (said: readonly string[], mark: string) => said.filter((one) => one.startsWith(mark))
  t.deepEqual(of(before, '2 '), of(after, '2 '))
  t.notDeepEqual(
    of(before, '1 ').map((one) => one.slice(2)),
    of(after, '3 ').map((one) => one.slice(2)),
  )
  t.is(new Set(of(before, '2 ').map((one) => one.slice(2, 3))).size > 3, true)
  t.deepEqual(before, drawnBy(`${dice('ab')}, ${dice('c')}`))
})

test('a rule whose condition is drawn leaves some of its times out', (t) => {
  const said = drawnBy(`{ id: 'now', if: "rand('coin', 2) == 0", when: { every: '1s' }, do: { log: 'now' } }`)
  t.true(said.length > 5 && said.length < 25, String(said.length))
})

test('what is drawn while a file is read depends on the seed alone', (t) => {
  const latency = (seed: string) =>
    scenarioRun(
      scenarioOf('', `seed: '${seed}', faults: { f: { effect: { latency: "\${rand('a', 900)}ms" } } },`),
    ).simulation().plan.faults[0]?.effects[0]
  const seen = ['a', 'b', 'c', 'd']
    .map(latency)
    .map((one) => (one?.type === 'latency' && 'minMs' in one ? one.minMs : -1n))
  t.true(seen.every((ms) => ms >= 0n && ms < 900n) && new Set(seen).size > 1, seen.join())
  t.deepEqual(latency('a'), latency('a'))
})
