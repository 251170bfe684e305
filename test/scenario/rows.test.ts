/**
 * Every row of the tables of triggers and actions of the format (`mocks.md` §3.3) as a small
 * scenario that passes only when the row has its effect.
 */
import test from 'ava'
import { scenarioOf, scenarioRun, type Run } from '../helpers/scenarioRun.ts'

const whale = '@account0'
const outcome = (run: Run) => [
  run.simulation().progress.state,
  ...run.simulation().progress.failures.map(({ text }) => text),
]

/** Passes by itself. */
const row = test.macro({
  exec(t, steps: string, more?: string) {
    t.deepEqual(outcome(scenarioRun(scenarioOf(steps, more)).run(600_000)), ['passed'])
  },
  title: (given = '') => `row: ${given}`,
})

const paid = `{ sendTx: { from: '${whale}', to: '@account1', value: '1 evm', as: 'paid' } }`
const manual = "clock: { blocks: 'manual' },"

test('height', row, `{ when: { height: 4 }, expect: { height: 4 } }`, "clock: { mode: 'interval', blockTime: '1s' },")
test(
  'height after the step before',
  row,
  `{ when: { height: 2 } }, { when: { height: '+3' }, expect: { height: 5 } }`,
  "clock: { mode: 'interval', blockTime: '1s' },",
)
test(
  'blocks',
  row,
  `{ when: { height: 2 } }, { when: { blocks: 2 }, expect: { height: 4 } }`,
  "clock: { mode: 'interval', blockTime: '1s' },",
)
test(
  'after',
  row,
  `{ id: 'a', do: { log: 'a' } }, { id: 'b', when: { after: '5s' } }, { if: 'step.b.timeMs - step.a.timeMs == 5000', do: { setPhase: 'ok' } }, { expect: { phase: 'ok' } }`,
)
test(
  'time since the start',
  row,
  `{ when: { after: '2s' } }, { id: 'b', when: { time: '5s' } }, { if: 'step.b.timeMs == 5000', do: { setPhase: 'ok' } }, { expect: { phase: 'ok' } }`,
)
test(
  'every, with count',
  row,
  `{ when: { time: '30s' }, expect: { height: 6 } }`,
  `${manual} rules: [{ when: { every: '2s', count: 5 }, do: { mine: 1 } }],`,
)
test(
  'eachBlock',
  row,
  `{ do: [{ mine: 1 }, { mine: 5 }] }, { when: { after: '1s' }, expect: { phase: '3' } }`,
  `${manual} rules: [{ when: { eachBlock: { from: '+2', count: 3 } }, do: { signal: 'seen' } }, { when: { all: [{ signal: 'seen' }, { height: 6 }] }, do: { setPhase: '3' } }],`,
)
test(
  'request',
  row,
  `{ do: [{ call: { iface: 'eth', method: 'eth_chainId' } }, { call: { iface: 'eth', method: 'eth_chainId' } }] }, { when: { after: '1s' }, expect: { phase: 'asked' } }`,
  `rules: [{ when: { request: { iface: 'eth', method: 'eth_*' }, nth: 2 }, do: { setPhase: 'asked' } }],`,
)
for (const [stage, steps] of [
  ['received', paid],
  ['accepted', paid],
  ['included', paid],
  ['held', `{ mempool: { hold: { from: '${whale}' }, as: 'h' } }, ${paid}`],
  ['rejected', `{ call: { iface: 'comet', method: 'broadcast_tx_sync', params: { tx: 'AAAA' } } }`],
  ['failed', `{ deploy: { from: '${whale}', bytecode: '0xfe', gas: 90000, as: 'bad', allowRevert: true } }`],
  [
    'replaced',
    `{ blocks: 'pause' }, ${paid}, { sendTx: { from: '${whale}', to: '${whale}', nonce: 'paid', maxFeePerGas: 'x90' } }`,
  ],
  ['evicted', `{ blocks: 'pause' }, ${paid}, { mempool: { evict: 'paid' } }`],
] as const) {
  test(
    `tx ${stage}`,
    row,
    `{ do: [${steps}] }, { when: { after: '1s' }, expect: { phase: 'seen' } }`,
    `rules: [{ when: { tx: { stage: '${stage}' } }, do: { setPhase: 'seen' } }],`,
  )
}
test(
  'tx by sender, receiver and nonce',
  row,
  `{ do: [${paid}] }, { when: { after: '1s' }, expect: { phase: 'seen' } }`,
  `rules: [{ when: { tx: { from: '${whale}', to: '@account1', nonce: 0 } }, do: { setPhase: 'seen' } }, { when: { tx: { from: '@account1' } }, do: { setPhase: 'wrong' } }],`,
)
test(
  'tx by selector',
  row,
  `{ do: { sendTx: { from: '${whale}', to: '@account1', data: '0xa9059cbb00' } } }, { when: { after: '1s' }, expect: { phase: 'seen' } }`,
  `rules: [{ when: { tx: { selector: '0xa9059cbb' } }, do: { setPhase: 'seen' } }],`,
)
test(
  'tx by type of message',
  row,
  `{ do: { cosmosTx: { from: '${whale}', messages: { send: { to: '@account1', amount: '5atest' } } } } }, { when: { after: '1s' }, expect: { phase: 'seen' } }`,
  `rules: [{ when: { tx: { msgType: '/cosmos.bank.v1beta1.MsgSend', stage: 'included' } }, do: { setPhase: 'seen' } }],`,
)
test(
  'event by a query',
  row,
  `{ do: [${paid}] }, { when: { after: '1s' }, expect: { phase: 'seen' } }`,
  `rules: [{ when: { event: { comet: "tm.event = 'Tx' AND tx.height > 0" } }, do: { setPhase: 'seen' } }],`,
)
// LOG1 of a topic of zeros: PUSH1 0 PUSH1 0 PUSH1 0 LOG1.
test(
  'event by a log',
  row,
  `{ do: [{ setCode: { address: '@account5', code: '0x600060006000a1' } }, { sendTx: { from: '${whale}', to: '@account5', gas: 60000 } }] },
  { when: { after: '1s' }, expect: [{ phase: 'seen' }, { event: { log: { contract: '@account5' } }, since: 'step-1' }] }`,
  `rules: [{ when: { event: { log: { contract: '@account5' } } }, do: { setPhase: 'seen' } }],`,
)
test(
  'signal, or after a time',
  row,
  `{ when: { signal: 'never', orAfter: '3s' }, do: { signal: 'go' } }, { when: { signal: 'go' } }`,
)
test(
  'phase',
  row,
  `{ do: { setPhase: 'busy' } }, { when: { after: '1s' }, expect: { height: 2 } }`,
  `${manual} rules: [{ when: { phase: 'busy' }, do: { mine: 1 } }],`,
)
test(
  'step with an outcome',
  row,
  `{ id: 'a' }, { when: { after: '1s' }, expect: { phase: 'done' } }`,
  `rules: [{ when: { step: 'a', outcome: 'passed' }, do: { setPhase: 'done' } }, { when: { step: 'a', outcome: 'failed' }, do: { setPhase: 'wrong' } }],`,
)
test(
  'any and all',
  row,
  `{ when: { any: [{ height: 900 }, { all: [{ time: '2s' }, { after: '3s' }] }] }, expect: { height: 1 } }`,
  manual,
)

test('mine', row, `{ do: { mine: 3 }, expect: { height: 4 } }`, manual)
test(
  'blocks pause and resume',
  row,
  `{ do: [{ blocks: { pause: true } }, ${paid}], expect: { tx: 'paid', status: 'pending' } },
  { do: { blocks: { resume: true } } }, { when: { after: '1s' }, expect: { tx: 'paid', status: 'success' } }`,
)
test(
  'setBlockTime',
  row,
  `{ when: { height: 2 }, do: { setBlockTime: '10s' } }, { when: { after: '9s' }, expect: { height: 2 } }, { when: { after: '2s' }, expect: { height: 3 } }`,
  "clock: { mode: 'interval', blockTime: '1s' },",
)
test('timeJump beyond what RFC 3339 can represent', (t) => {
  const [state, failure] = outcome(scenarioRun(scenarioOf(`{ do: [{ timeJump: '3000000d' }, { mine: 1 }] }`)).run())
  t.is(state, 'failed')
  t.regex(failure ?? '', /expected a time of at most 253402300799 seconds \(the end of the year 9999\), received \d+/)
})
test(
  'timeJump',
  row,
  `{ do: [{ mine: 1 }, { set: { before: '\${chain.time}' } }, { timeJump: '1d' }, { mine: 1 }] },
  { if: 'chain.time >= set.before + 86400', do: { setPhase: 'later' } }, { expect: { phase: 'later' } }`,
  manual,
)
test(
  'setTime',
  row,
  `{ do: [{ setTime: '2030-01-01T00:00:00Z' }, { mine: 1 }] },
  { expect: { rpc: { iface: 'comet', method: 'status' }, path: 'sync_info.latest_block_time', matches: '^2030-01-01T00:00:00' } }`,
  manual,
)
test(
  'setBalance',
  row,
  `{ do: { setBalance: { address: '@account1', amount: '7 evm' } }, expect: { balance: { address: '@account1', equals: '7 evm' } } }`,
)
test(
  'setNonce',
  row,
  `{ do: { setNonce: { address: '@account1', nonce: 9 } }, expect: { rpc: { iface: 'eth', method: 'eth_getTransactionCount', params: ['@account1', 'latest'] }, equals: '0x9' } }`,
)
test(
  'setCode',
  row,
  `{ do: { setCode: { address: '@account1', code: '0x00' } }, expect: { rpc: { iface: 'eth', method: 'eth_getCode', params: ['@account1', 'latest'] }, equals: '0x00' } }`,
)
test(
  'setStorage',
  row,
  `{ do: { setStorage: { address: '@account1', slot: '0x${'0'.repeat(64)}', value: '0x${'1'.repeat(64)}' } },
  expect: { rpc: { iface: 'eth', method: 'eth_getStorageAt', params: ['@account1', '0x0', 'latest'] }, equals: '0x${'1'.repeat(64)}' } }`,
)
test(
  'deploy',
  row,
  `{ do: { deploy: { from: '${whale}', bytecode: '0x6001600c60003960016000f300', as: 'box' } }, expect: { rpc: { iface: 'eth', method: 'eth_getCode', params: ['@box', 'latest'] }, equals: '0x00' } }`,
)
test(
  'signing',
  row,
  `{ do: [{ signing: { validator: 'validator1', up: false } }, { mine: 2 }], expect: { rpc: { iface: 'comet', method: 'commit', params: {} }, matches: '"block_id_flag":1' } }`,
  `chain: { validators: 4 }, ${manual}`,
)
for (const type of ['duplicateVote', 'lightClientAttack']) {
  test(
    `evidence of a ${type}`,
    row,
    `{ do: [{ mine: 3 }, { evidence: { type: '${type}', validator: 'validator1' } }, { mine: 1 }], expect: [
    { event: { comet: "tm.event = 'NewEvidence'" } }, { rpc: { iface: 'comet', method: 'block', params: {} }, path: 'block.evidence.evidence.0.type', matches: '${type.slice(1)}' }] }`,
    `chain: { validators: 4 }, ${manual}`,
  )
}
test(
  'halt of the consensus, and resume',
  row,
  `{ when: { height: 1 }, do: [{ halt: { mode: 'consensus' } }, { mine: 2 }], expect: { height: 1 } },
  { do: [{ chain: { resume: true, appVersion: 'v9' } }, { mine: 1 }], expect: [{ height: 2 }, { rpc: { iface: 'comet', method: 'abci_info' }, path: 'response.version', equals: 'v9' }] }`,
  manual,
)
test('rollback', row, `{ do: [{ mine: 5 }, { rollback: { to: 3 } }], expect: { height: 3 } }`, manual)
test(
  'rounds',
  row,
  `{ do: [{ rounds: 3 }, { mine: 1 }], expect: { rpc: { iface: 'comet', method: 'commit', params: {} }, path: 'signed_header.commit.round', equals: 2 } }`,
  `chain: { validators: 4 }, ${manual}`,
)
test(
  'node prunedBelow',
  row,
  `{ do: [{ mine: 5 }, { node: { prunedBelow: 4 } }], expect: { rpc: { iface: 'comet', method: 'block', params: { height: '2' } }, error: { includes: 'lowest height is 4' } } }`,
  manual,
)
test(
  'node peers',
  row,
  `{ do: { node: { peers: 3 } }, expect: [{ rpc: { iface: 'eth', method: 'net_peerCount' }, equals: '0x3' },
  { rpc: { iface: 'comet', method: 'net_info' }, path: 'n_peers', equals: '3' }, { rpc: { iface: 'comet', method: 'net_info' }, path: 'peers.2.node_info.moniker', equals: 'peer3' }] }`,
)
test(
  'mempool release by hash',
  row,
  `{ do: [{ mempool: { hold: { from: '${whale}' }, as: 'h' } }, ${paid}] }, { do: { mempool: { release: '\${tx.paid.hash}' } } },
  { when: { after: '1s' }, expect: { tx: 'paid', status: 'success' } }`,
)
test(
  'mempool release by selector',
  row,
  `{ do: [{ mempool: { hold: { selector: '0xa9059cbb' }, as: 'h' } }, { sendTx: { from: '${whale}', to: '@account1', data: '0xa9059cbb00', as: 'call' } }], expect: { tx: 'call', status: 'held' } },
  { do: { mempool: { release: { selector: '0x11111111' } } }, expect: { tx: 'call', status: 'held' } },
  { do: { mempool: { release: { selector: '0xa9059cbb' } } } }, { when: { after: '1s' }, expect: { tx: 'call', status: 'success' } }`,
)
test(
  'mempool drop by hash and by selector',
  row,
  `{ do: [{ blocks: 'pause' }, ${paid}, { sendTx: { from: '${whale}', to: '@account1', data: '0xa9059cbb00', as: 'call' } }] },
  { do: { mempool: { drop: { selector: '0xa9059cbb' } } }, expect: [{ tx: 'call', status: 'absent' }, { tx: 'paid', status: 'pending' }] },
  { do: { mempool: { drop: '\${tx.paid.hash}' } }, expect: { tx: 'paid', status: 'absent' } }`,
)
test(
  'mempool fill',
  row,
  `{ do: [{ blocks: 'pause' }, { mempool: { fill: { from: '${whale}', count: 5 } } }], expect: { rpc: { iface: 'comet', method: 'num_unconfirmed_txs' }, path: 'n_txs', equals: '5' } }`,
)
test(
  'fees',
  row,
  `{ do: [{ mine: 1 }, { set: { before: '\${chain.baseFee}' } }, { fees: { baseFee: 'x25', for: '3 blocks' } }] }, { if: 'chain.baseFee >= set.before * 24', do: { setPhase: 'dear' } }, { expect: { phase: 'dear' } }`,
  manual,
)
test(
  'a fault in place, once, and cleared',
  row,
  `{ do: [{ fault: { inline: { effect: { nullResult: true } }, as: 'gone' } }, { clearFault: 'gone' }, { call: { iface: 'eth', method: 'eth_chainId' } }],
  expect: { fault: 'gone', applied: 0 } }`,
)
test(
  'snapshot and restore',
  row,
  `{ do: [{ mine: 2 }, { checkpoint: 'a' }, { mine: 4 }, { restore: { checkpoint: 'a', keepConnections: true } }], expect: { height: 3 } },
  { do: [{ snapshot: 'b' }, { mine: 1 }, { restore: 'b' }], expect: { height: 3 } }`,
  manual,
)
test(
  'set',
  row,
  `{ do: { set: { n: '\${chain.height + 4}' } } }, { if: 'set.n == 5', do: { setPhase: 'five' } }, { expect: { phase: 'five' } }`,
  manual,
)
test('label and log', (t) => {
  const run = scenarioRun(
    scenarioOf(
      `{ do: [{ sendTx: { from: '${whale}', to: '@account1', label: 'rent', as: 'rent' } }] }, { do: { log: 'label is \${tx.rent.label}' } }`,
    ),
  ).run()
  t.is(run.said.at(-1), 'label is rent')
  t.regex(run.said[0] ?? '', /^sent 0x[0-9a-f]{64}: rent$/)
})
