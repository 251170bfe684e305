import test from 'ava'
import { recordAt } from '../../src/chain/history.ts'
import { complaints } from '../helpers/lightClient.ts'
import type { Output } from '../../src/node/output.ts'
import { scenarioOf, scenarioRun, type Run } from '../helpers/scenarioRun.ts'
import { callOf } from '../helpers/requests.ts'

const bob = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'

test('balances of named accounts are set', (t) => {
  const run = scenarioRun(
    scenarioOf(`{ do: { setBalance: { address: '@account1', amount: '7 evm' } },
    expect: { balance: { address: '@account1', min: '7 evm', max: '7 evm' } } }`),
  ).run()
  t.is(run.simulation().progress.state, 'passed', run.said.join('\n'))
  t.is(run.call('eth', 'eth_getBalance', [bob, 'latest']).result, '0x6124fee993bc0000')
})

test('an account that nobody has fails the step and says which there are', (t) => {
  t.throws(() => scenarioRun(scenarioOf(`{ do: { setBalance: { address: '@acount1', amount: '1' } } }`)), {
    message: /SC2003 {2}no account or contract is called "@acount1"[^]*Did you mean "@account1"/,
  })
  const run = scenarioRun(scenarioOf(`{ id: 'a', do: { setBalance: { address: '@account91', amount: '1' } } }`)).run()
  t.is(
    run.simulation().progress.failures[0]?.text,
    'setBalance was refused: no account is called "@account91" (Did you mean "@account1"?)',
  )
  t.is(run.simulation().progress.state, 'failed')
})

test('a time before the last block is refused, and later blocks keep their distance', (t) => {
  const run = scenarioRun(
    scenarioOf(
      `{ do: [{ setTime: '2025-06-01T00:00:00Z' }, { mine: 1 }, { setTime: '2025-05-31T23:59:59Z' }, { mine: 1 }] }`,
    ),
  ).run()
  const { failures, state } = run.simulation().progress
  t.is(state, 'failed')
  t.regex(
    failures[0]?.text ?? '',
    /^setTime was refused: expected a time that is not before the last block, 2025-06-01T00:00:00Z, received 2025-05-31T23:59:59Z/,
  )
  run.enter({ kind: 'operator', by: 'test', command: { type: 'mine', count: 2 } })
  t.is(run.call('comet', 'header', {}).result.header.time, '2025-06-01T00:00:02Z')
})

test('a held transaction is in no block until it is released', (t) => {
  const run = scenarioRun(
    scenarioOf(`
    { do: { mempool: { hold: { from: '@account0', nth: 1 }, as: 'stuck' } } },
    { when: { signal: 'sent' }, do: { mine: 2 }, expect: { height: { min: 3 } } },
    { when: { signal: 'go' }, do: { mempool: { release: 'stuck' } } }`),
  ).run(0)
  const send = (value: string) =>
    run.call('eth', 'eth_sendTransaction', [{ from: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', to: bob, value }])
      .result as string
  const hash = send('0x1')
  run.enter({ kind: 'operator', by: 'test', command: { type: 'signal', name: 'sent' } })
  t.is(run.call('eth', 'eth_getTransactionReceipt', [hash]).result, null)
  t.is(run.call('eth', 'eth_getTransactionByHash', [hash]).result.blockNumber, null)
  run.enter({ kind: 'operator', by: 'test', command: { type: 'signal', name: 'go' } })
  t.is(run.call('eth', 'eth_getTransactionReceipt', [hash]).result?.status, '0x1')
  t.is(run.simulation().progress.state, 'passed', run.said.join('\n'))
})

test('dropped transactions are gone, others stay', (t) => {
  const run = scenarioRun(
    scenarioOf(`
    { do: { blocks: 'pause' } },
    { when: { signal: 'sent' }, do: [{ mempool: { drop: { from: '@account0' } } }, { blocks: 'resume' }] }`),
  ).run(0)
  const send = (from: string) =>
    run.call('eth', 'eth_sendTransaction', [{ from, to: bob, value: '0x1' }]).result as string
  const [gone, kept] = [send('0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'), send(bob)]
  run.enter({ kind: 'operator', by: 'test', command: { type: 'signal', name: 'sent' } })
  t.is(run.call('eth', 'eth_getTransactionByHash', [gone]).result, null)
  t.is(run.call('eth', 'eth_getTransactionReceipt', [kept]).result?.status, '0x1')
})

test('a base fee twelve times as high lasts for its blocks', (t) => {
  const run = scenarioRun(
    scenarioOf(`
    { do: [{ fees: { baseFee: '100 gwei' } }, { mine: 1 }, { fees: { baseFee: 'x12', for: '3 blocks' } }, { mine: 1 }, ] },
    { when: { blocks: 1 }, do: { mine: 1 } }`),
  ).run()
  const fees = (height: number) =>
    BigInt(run.call('eth', 'eth_getBlockByNumber', [`0x${height.toString(16)}`, false]).result.baseFeePerGas)
  const height = Number(run.simulation().node.chain.height)
  t.is(fees(height) >= 1_000_000_000_000n, true, String(fees(height)))
})

test('a block gas limit holds back what wants more', (t) => {
  const run = scenarioRun(
    scenarioOf(`
    { do: [{ fees: { gasLimit: 1000000 } }, { mine: 2 }, { blocks: 'pause' }] },
    { when: { signal: 'sent' }, do: { blocks: 'resume' } }`),
  ).run(0)
  t.is(run.call('eth', 'eth_getBlockByNumber', ['latest', false]).result.gasLimit, '0xf4240')
  const hashes = ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', bob].map(
    (from) =>
      run.call('eth', 'eth_sendTransaction', [{ from, to: bob, value: '0x1', gas: '0x927c0' }]).result as string,
  )
  run.enter({ kind: 'operator', by: 'test', command: { type: 'signal', name: 'sent' } })
  run.enter({ kind: 'operator', by: 'test', command: { type: 'produceBlock', count: 2 } })
  const heights = hashes.map((hash) => Number(run.call('eth', 'eth_getTransactionReceipt', [hash]).result?.blockNumber))
  t.is(Math.abs(Number(heights[0]) - Number(heights[1])), 1, heights.join(', '))
})

test('abci_info fails with the text given, and answers again', (t) => {
  const run = scenarioRun(
    scenarioOf(`{ do: { app: { infoFails: 'disk full' } } },
    { when: { signal: 'ok' }, do: { app: { infoFails: '' } } }`),
  ).run(0)
  t.regex(JSON.stringify(run.call('comet', 'abci_info', {}).error), /disk full/)
  run.enter({ kind: 'operator', by: 'test', command: { type: 'signal', name: 'ok' } })
  t.is(run.call('comet', 'abci_info', {}).error, undefined)
})

test('a slow application answers late, and other methods do not', (t) => {
  const run = scenarioRun(scenarioOf(`{ do: { app: { slow: '2s', for: '10s' } } }`)).run()
  const asked = run.call('comet', 'abci_info', {})
  t.deepEqual(asked, {})
  t.is(run.call('comet', 'health', {}).error, undefined)
  const late = run.enter({ kind: 'tick' }, 2000)
  t.is(late.filter(({ kind }) => kind === 'reply').length, 1)
})

test('a fault written in place hits once', (t) => {
  const run = scenarioRun(
    scenarioOf(`{ do: { fault: { once: true, inline: {
    match: { method: 'eth_chainId' }, effect: { rpcError: { code: -7, message: 'no' } } } } } }`),
  ).run()
  t.is(run.call('eth', 'eth_chainId', []).error?.code, -7)
  t.is(run.call('eth', 'eth_chainId', []).error, undefined)
})

test('a snapshot is restored as often as wanted', (t) => {
  const run = scenarioRun(
    scenarioOf(
      `{ do: [{ mine: 2 }, { snapshot: 'a' }, { mine: 5 }, { restore: 'a' }, { mine: 1 }, { restore: 'a' }] }`,
    ),
  ).run()
  t.is(run.simulation().node.chain.height, 3n, run.said.join('\n'))
})

test('a rollback says that consensus does no such thing and cuts connections', (t) => {
  const run = scenarioRun(scenarioOf(`{ when: { signal: 'go' }, do: [{ mine: 5 }, { rollback: { to: 3 } }] }`)).run(0)
  run.enter({ kind: 'connected', connection: 7, side: 'eth', remote: '' })
  const outputs = run.enter({ kind: 'operator', by: 'test', command: { type: 'signal', name: 'go' } })
  t.is(run.simulation().node.chain.height, 3n)
  t.true(outputs.some((one) => one.kind === 'close' && one.connection === 7))
  t.true(run.said.includes('operator rollback from height 6 to 3: a real chain never does this by itself'))
})

test('evidence of a double sign is in the next block', (t) => {
  const run = scenarioRun(
    scenarioOf(
      `{ do: [{ mine: 1 }, { evidence: { type: 'duplicateVote', validator: 'validator0' } }, { mine: 1 }] }`,
      'chain: { validators: 4 },',
    ),
  ).run()
  const { result } = run.call('comet', 'block', {})
  t.is(result.block.evidence.evidence[0].type, 'tendermint/DuplicateVoteEvidence', run.said.join('\n'))
})

test('a step that mines without a quorum fails, and nobody else can mine then', (t) => {
  const run = scenarioRun(
    scenarioOf(
      `{ do: [{ signing: { validator: 'validator1', up: false } }, { mine: 2 }] }`,
      'chain: { validators: 3 },',
    ),
  ).run()
  const why = /was refused: the validators that sign have 2000 of 3000 power; a block needs more than two thirds/
  t.regex(
    run
      .simulation()
      .progress.failures.map(({ text }) => text)
      .join('\n'),
    why,
  )
  const { height } = run.simulation().node.chain
  const outputs = run.enter({ kind: 'operator', by: 'test', command: { type: 'mine', count: 1 } })
  t.regex(outputs.map((one) => (one.kind === 'log' ? one.text : '')).join('\n'), why)
  t.is(run.simulation().node.chain.height, height)
})

test('a validator that is down does not sign', (t) => {
  const run = scenarioRun(
    scenarioOf(
      `{ do: [{ signing: { validator: 'validator3', up: false } }, { mine: 2 }] }`,
      'chain: { validators: 4 },',
    ),
  ).run()
  const signatures = run.call('comet', 'commit', {}).result.signed_header.commit.signatures as {
    block_id_flag: number
  }[]
  t.deepEqual(signatures.map((one) => one.block_id_flag).sort(), [1, 2, 2, 2])
})

const passes = test.macro((t, steps: string, more: string) => {
  const run = scenarioRun(scenarioOf(steps, more)).run()
  t.is(run.simulation().progress.state, 'passed', run.said.join('\n'))
})

test(
  'a validator gets more power two blocks after the one that says so, with its event',
  passes,
  `
  { when: { height: 1 }, do: [{ validator: { name: 'validator1', power: 2500 } }],
    expect: [
      { event: { comet: "tm.event = 'ValidatorSetUpdates'" }, count: 1 },
      { rpc: { iface: 'comet', method: 'block_results', params: { height: '1' } }, path: 'validator_updates.0.power', equals: '2500' },
      { rpc: { iface: 'comet', method: 'validators', params: {} }, path: '$.validators[0].voting_power', differs: '2500' }] },
  { do: { mine: 1 }, expect: [
      { rpc: { iface: 'comet', method: 'validators', params: {} }, path: '$.validators[0].voting_power', equals: '2500' },
      { rpc: { iface: 'comet', method: 'validators', params: {} }, path: 'total', equals: '4' }] },
  { do: [{ validator: { name: 'validator1', power: 900 } }, { mine: 3 }], expect:
      { rpc: { iface: 'comet', method: 'validators', params: {} }, path: '$.validators[0].voting_power', differs: '2500' } }`,
  'chain: { validators: 4 },',
)

test('a light client follows a chain whose validators an operator changes', (t) => {
  const run = scenarioRun(
    scenarioOf(
      `
    { do: [{ validator: { name: 'validator1', power: 7 } }, { mine: 3 }, { validator: { name: 'new', power: 90 } }, { mine: 1 },
      { validator: { name: 'validator1', power: 4000 } }, { validator: { name: 'validator1', power: 5000 } }, { jail: { validator: 'validator2', slash: '1/10' } },
      { mine: 4 }, { unjail: { validator: 'validator2' } }, { validator: { name: 'new', power: 0 } }, { mine: 4 }] }`,
      'chain: { validators: 4 },',
    ),
  ).run()
  t.is(run.simulation().progress.state, 'passed', run.said.join('\n'))
  const { chain } = run.simulation().node
  const records = Array.from({ length: Number(chain.height) }, (_, at) =>
    recordAt(chain.history, BigInt(at + 1)),
  ).flatMap((one) => one ?? [])
  t.deepEqual(
    records.flatMap((record, index) => complaints(record, record.seenCommit, records[index - 1])),
    [],
  )
  t.deepEqual(
    records.map(({ validators }) => validators.validators.length),
    [4, 4, 4, 4, 4, 5, 4, 4, 4, 4, 4, 4, 4],
  )
  t.is(records[6]?.validators.validators[0]?.power, 5000n)
})

test(
  'a validator that nobody knew joins, signs, and leaves again',
  passes,
  `
  { when: { height: 1 }, do: [{ validator: { name: 'validator4', power: 5 } }, { mine: 5 }], expect: [
      { rpc: { iface: 'comet', method: 'validators', params: {} }, path: 'total', equals: '5' },
      { rpc: { iface: 'comet', method: 'commit', params: {} }, path: 'signed_header.commit.signatures.4.block_id_flag', equals: 2 }] },
  { do: [{ validator: { name: 'validator4', power: 0 } }, { mine: 4 }], expect:
      { rpc: { iface: 'comet', method: 'validators', params: {} }, path: 'total', equals: '4' } }`,
  'chain: { validators: 4 },',
)

test(
  'a validator goes to jail and comes back',
  passes,
  `
  { when: { height: 1 }, do: [{ jail: { validator: 'validator2', slash: '1/10' } }, { mine: 3 }], expect:
      { rpc: { iface: 'comet', method: 'validators', params: {} }, path: 'total', equals: '3' } },
  { do: [{ unjail: { validator: 'validator2' } }, { mine: 3 }], expect:
      { rpc: { iface: 'comet', method: 'validators', params: {} }, path: 'total', equals: '4' } }`,
  'chain: { validators: 4 },',
)

test('the reason for a jail is in the log', (t) => {
  const { said } = scenarioRun(
    scenarioOf(
      `{ when: { height: 1 }, do: { jail: { validator: 'validator2', reason: 'missed blocks' } } }`,
      'chain: { validators: 4 },',
    ),
  ).run()
  t.true(
    said.some((line) => line.includes('jailed validator2: missed blocks')),
    said.join('\n'),
  )
})

test('a validator in jail can be taken down, and does not sign when it is out', (t) => {
  const run = scenarioRun(
    scenarioOf(
      `{ do: [{ jail: { validator: 'validator3' } }, { mine: 3 }, { signing: { validator: 'validator3', up: false } },
    { unjail: { validator: 'validator3' } }, { mine: 4 }] }`,
      'chain: { validators: 4 },',
    ),
  ).run()
  const { result } = run.call('comet', 'commit', {})
  const flags = result.signed_header.commit.signatures.map((each: { block_id_flag: number }) => each.block_id_flag)
  t.deepEqual(flags.toSorted(), [1, 2, 2, 2], run.said.join('\n'))
})

test(
  'the power of a validator in jail can be lowered after it was slashed',
  passes,
  `
  { when: { height: 1 }, do: [{ jail: { validator: 'validator3', slash: '3/7' } }, { mine: 3 },
      { validator: { name: 'validator3', power: 1 } }, { unjail: { validator: 'validator3' } }, { mine: 3 }], expect:
      { rpc: { iface: 'comet', method: 'validators', params: {} }, path: 'validators.3.voting_power', equals: '1' } }`,
  'chain: { validators: 4 },',
)

test('evidence against a validator in jail says that it signs no more', (t) => {
  const { said } = scenarioRun(
    scenarioOf(
      `{ do: [{ jail: { validator: 'validator3' } }, { mine: 3 },
    { evidence: { type: 'duplicateVote', validator: 'validator3' } }] }`,
      'chain: { validators: 4 },',
    ),
  ).run()
  t.regex(said.join('\n'), /validator "validator3" is not in the validator set of this height/)
})

test(
  'an upgrade halts the chain, which still answers, until another program takes over',
  passes,
  `
  { when: { height: 1 }, do: [{ upgrade: { name: 'v2', height: 4 } }, { mine: 9 }], expect: [
      { height: 3 }, { rpc: { iface: 'comet', method: 'status' }, path: 'sync_info.catching_up', equals: false }] },
  { do: [{ chain: { resume: true, appVersion: 'v2.0.0' } }, { mine: 2 }], expect: [
      { height: 5 }, { rpc: { iface: 'comet', method: 'abci_info' }, path: 'response.version', equals: 'v2.0.0' }] }`,
  '',
)

test(
  'a consensus halt stops at once',
  passes,
  `
  { when: { height: 1 }, do: [{ halt: { mode: 'consensus' } }, { mine: 9 }], expect: { height: 1 } },
  { do: [{ chain: { resume: true } }, { mine: 1 }], expect: { height: 2 } }`,
  '',
)

test(
  'a block of the fourth round has three failed ones before it',
  passes,
  `
  { when: { height: 1 }, do: [{ rounds: 4 }, { mine: 1 }], expect: [
      { rpc: { iface: 'comet', method: 'commit', params: {} }, path: 'signed_header.commit.round', equals: 3 },
      { event: { comet: "tm.event = 'NewRound'" }, count: 4 }] },
  { do: { mine: 1 }, expect: { rpc: { iface: 'comet', method: 'commit', params: {} }, path: 'signed_header.commit.round', equals: 0 } }`,
  'chain: { validators: 4 },',
)

test(
  'a node says that it is catching up for a time',
  passes,
  `
  { do: { node: { catchingUp: true, for: '6s' } }, expect: [
      { rpc: { iface: 'comet', method: 'status' }, path: 'sync_info.catching_up', equals: true },
      { rpc: { iface: 'eth', method: 'eth_syncing' }, differs: false }] },
  { when: { after: '6s' }, expect: { rpc: { iface: 'comet', method: 'status' }, path: 'sync_info.catching_up', equals: false } }`,
  '',
)

test(
  'a node has as many peers as it says, for a time',
  passes,
  `
  { do: { node: { peers: 3, for: '6s' } }, expect: [
      { rpc: { iface: 'comet', method: 'net_info' }, path: 'n_peers', equals: '3' },
      { rpc: { iface: 'comet', method: 'net_info' }, path: 'peers.2.node_info.moniker', equals: 'peer3' },
      { rpc: { iface: 'comet', method: 'net_info' }, path: 'peers.0.node_info.id', matches: '^[0-9a-f]{40}$' },
      { rpc: { iface: 'eth', method: 'net_peerCount' }, equals: '0x3' }] },
  { when: { after: '6s' }, expect: [
      { rpc: { iface: 'comet', method: 'net_info' }, path: 'peers', equals: [] },
      { rpc: { iface: 'eth', method: 'net_peerCount' }, equals: '0x0' }] }`,
  '',
)

const peers = (count: number) =>
  `expect: { rpc: { iface: 'comet', method: 'net_info' }, path: 'n_peers', equals: '${count}' }`
const limit = (gas: string) =>
  `expect: { rpc: { iface: 'comet', method: 'consensus_params' }, path: 'consensus_params.block.max_gas', equals: '${gas}' }`

test(
  'of settings whose times overlap the newest that lasts counts, and then the value from before the first',
  passes,
  `
  { do: { node: { peers: 3, for: '10s' } } },
  { when: { after: '2s' }, do: { node: { peers: 5, for: '4s' } }, ${peers(5)} },
  { when: { time: '7s' }, ${peers(3)} },
  { when: { time: '11s' }, ${peers(0)} },
  { do: { node: { peers: 3, for: '4s' } } },
  { when: { after: '1s' }, do: { node: { peers: 5, for: '10s' } }, ${peers(5)} },
  { when: { after: '5s' }, ${peers(5)} },
  { when: { after: '6s' }, ${peers(0)} },
  { do: [{ node: { peers: 3, for: '4s' } }, { node: { peers: 7 } }], ${peers(7)} },
  { when: { after: '5s' }, ${peers(7)} }`,
  '',
)

test(
  'of gas limits whose times overlap the newest that lasts counts, and then the one from before the first',
  passes,
  `
  { ${limit('30000000')} },
  { do: [{ fees: { gasLimit: 50000, for: '10s' } }, { mine: 1 }] },
  { when: { after: '2s' }, do: [{ fees: { gasLimit: 60000, for: '4s' } }, { mine: 1 }], ${limit('60000')} },
  { when: { time: '7s' }, do: { mine: 1 }, ${limit('50000')} },
  { when: { time: '11s' }, do: { mine: 1 }, ${limit('30000000')} },
  { do: [{ fees: { gasLimit: 50000, for: '2 blocks' } }, { fees: { gasLimit: 60000, for: '4 blocks' } }, { mine: 3 }], ${limit('60000')} },
  { do: { mine: 2 }, ${limit('30000000')} }`,
  '',
)

/** Subscribes connection 1 to events of Ethereum JSON-RPC. */
function subscribed(run: Run, kind: string): void {
  run.enter(callOf('eth_subscribe', [kind], { connection: 1 }))
}

/** Heights of the heads among some outputs. */
function headsIn(outputs: readonly Output[]): readonly number[] {
  return outputs.flatMap((output) => {
    if (output.kind !== 'push' || !output.text.includes('eth_subscription')) return []
    const { params } = JSON.parse(output.text) as { params: { result: { number: string } } }
    return [Number(params.result.number)]
  })
}

test('who subscribes to a node that is behind hears of blocks as late as it knows of them', (t) => {
  const run = scenarioRun(
    scenarioOf(`
    { when: { signal: 'behind' }, do: [{ node: { behind: 2 } }, { mine: 3 }] },
    { when: { signal: 'more' }, do: { mine: 1 } },
    { when: { signal: 'up' }, do: { node: { behind: 0 } } }`),
  ).run(0)
  run.enter({ kind: 'connected', connection: 1, side: 'eth', remote: '' })
  subscribed(run, 'newHeads')
  const heads = (name: string) =>
    headsIn(run.enter({ kind: 'operator', by: 'test', command: { type: 'signal', name } }))
  t.deepEqual(heads('behind'), [2])
  t.deepEqual(heads('more'), [3])
  t.deepEqual(heads('up'), [4, 5])
})

test('who subscribes to a node that is behind by time hears of blocks so much later', (t) => {
  const run = scenarioRun(
    scenarioOf(`
    { when: { signal: 'go' }, do: [{ node: { behind: '5s' } }, { mine: 1 }] }`),
  ).run(0)
  run.enter({ kind: 'connected', connection: 1, side: 'eth', remote: '' })
  subscribed(run, 'newHeads')
  const go = run.enter({ kind: 'operator', by: 'test', command: { type: 'signal', name: 'go' } })
  t.deepEqual(headsIn(go), [])
  t.deepEqual(headsIn(run.enter({ kind: 'tick' }, 4999)), [])
  t.deepEqual(headsIn(run.enter({ kind: 'tick' }, 1)), [2])
})

test('a stall keeps the events of what it matches, and an unstall of the same match sends them', (t) => {
  const run = scenarioRun(
    scenarioOf(`
    { when: { signal: 'stall' }, do: { ws: { stall: true, match: { subscription: 'newHeads' } } } },
    { when: { signal: 'other' }, do: [{ ws: { unstall: true } }, { mine: 1 }] },
    { when: { signal: 'unstall' }, do: { ws: { unstall: true, match: { subscription: 'newHeads' } } } }`),
  ).run(0)
  run.enter({ kind: 'connected', connection: 1, side: 'eth', remote: '' })
  subscribed(run, 'newHeads')
  const heads = (name: string) =>
    run
      .enter({ kind: 'operator', by: 'test', command: { type: 'signal', name } })
      .filter(({ kind }) => kind === 'push' || kind === 'broadcast').length
  t.is(heads('stall'), 0)
  t.is(heads('other'), 0)
  t.is(heads('unstall'), 1)
})

test('connections that subscribe to something are closed', (t) => {
  const run = scenarioRun(
    scenarioOf(`{ when: { signal: 'go' }, do: { ws: { close: { code: 1012 }, match: { iface: 'comet' } } } }`),
  ).run(0)
  run.enter({ kind: 'connected', connection: 1, side: 'eth', remote: '' })
  run.enter({ kind: 'connected', connection: 2, side: 'comet', remote: '' })
  const outputs = run.enter({ kind: 'operator', by: 'test', command: { type: 'signal', name: 'go' } })
  t.deepEqual(
    outputs.filter(({ kind }) => kind === 'close'),
    [{ kind: 'close', connection: 2, code: 1012, reason: '' }],
  )
})

test(
  'a node that is behind answers as of some blocks ago, and then no more',
  passes,
  `
  { when: { height: 1 }, do: [{ mine: 5 }, { node: { behind: 2 } }], expect:
      { rpc: { iface: 'eth', method: 'eth_blockNumber' }, equals: '0x6' } },
  { do: [{ node: { behind: 0 } }] }`,
  '',
)

test('a node that is behind says so to clients', (t) => {
  const run = scenarioRun(
    scenarioOf(`{ when: { height: 1 }, do: [{ mine: 5 }, { node: { behind: 2 } }] },
    { when: { signal: 'up' }, do: { node: { behind: 0 } } }`),
  ).run(0)
  t.is(run.call('eth', 'eth_blockNumber', []).result, '0x4')
  run.enter({ kind: 'operator', by: 'test', command: { type: 'signal', name: 'up' } })
  t.is(run.call('eth', 'eth_blockNumber', []).result, '0x6')
})

test('a process that halts closes its doors until it is back', (t) => {
  const run = scenarioRun(
    scenarioOf(`{ when: { signal: 'halt' }, do: { halt: { mode: 'process' } } },
    { when: { signal: 'up' }, do: [{ chain: { resume: true } }, { mine: 1 }] }`),
  ).run(0)
  const give = (name: string) => run.enter({ kind: 'operator', by: 'test', command: { type: 'signal', name } })
  t.deepEqual(
    give('halt').flatMap((one) => (one.kind === 'listen' ? [one.closed.length > 0] : [])),
    [true],
  )
  t.deepEqual(
    give('up').flatMap((one) => (one.kind === 'listen' ? [one.closed.length] : [])),
    [0],
  )
  t.is(run.simulation().node.chain.height, 2n)
})

test('a mempool is filled with transactions that wait', (t) => {
  const run = scenarioRun(
    scenarioOf(`{ do: [{ blocks: 'pause' }, { mempool: { fill: { from: '@account3', count: 20 } } }] }`),
  ).run()
  t.is(run.call('comet', 'num_unconfirmed_txs', {}).result.total, '20', run.said.join('\n'))
})

test('what is held stays though fees rise above what it pays, and others leave CometBFT', (t) => {
  const run = scenarioRun(
    scenarioOf(`
    { do: [{ blocks: 'pause' }, { mempool: { hold: { from: '@account0' }, as: 'kept' } },
        { sendTx: { from: '@account0', to: '@account1', maxFeePerGas: '10 gwei' } },
        { sendTx: { from: '@account2', to: '@account1', maxFeePerGas: '10 gwei', as: 'gone' } },
        { fees: { baseFee: '50 gwei', gasLimit: 22000, for: '3 blocks' } }, { mine: 2 }] }`),
  ).run()
  t.is(run.simulation().progress.state, 'passed', run.said.join('\n'))
  t.is(run.call('comet', 'num_unconfirmed_txs', {}).result.total, '1')
})

test(
  'validators have the names and powers that the chain is given, and a new name joins',
  passes,
  `
  { when: { height: 1 }, expect: [
      { rpc: { iface: 'comet', method: 'validators', params: {} }, path: 'validators.0.voting_power', equals: '40' },
      { rpc: { iface: 'comet', method: 'validators', params: {} }, path: 'total', equals: '3' }] },
  { do: [{ signing: { validator: 'val-c', up: false } }, { validator: { name: 'val-d', power: 25 } }, { mine: 4 }], expect: [
      { rpc: { iface: 'comet', method: 'validators', params: {} }, path: 'total', equals: '4' },
      { rpc: { iface: 'comet', method: 'commit', params: {} }, matches: '"block_id_flag":1' }] },
  { do: [{ validator: { name: 'val-d', power: 0 } }, { mine: 4 }], expect:
      { rpc: { iface: 'comet', method: 'validators', params: {} }, path: 'total', equals: '3' } }`,
  `chain: { validators: [{ name: 'val-a', power: 40 }, { name: 'val-b', power: 30 }, { name: 'val-c', power: 20 }] },`,
)
