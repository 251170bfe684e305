import { readFileSync } from 'node:fs'
import test from 'ava'
import { InvalidScenario } from '../../src/scenario/diagnostic.ts'
import { scenarioOf, scenarioRun } from '../helpers/scenarioRun.ts'

const bob = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'

/** Runs steps to their end on a chain of one block a transaction. */
function ran(steps: string, more = '') {
  const run = scenarioRun(scenarioOf(steps, more)).run()
  return {
    run,
    state: run.simulation().progress.state,
    said: run.said.join('\n'),
    failures: run.simulation().progress.failures.map(({ text }) => text),
  }
}

test('a named account sends value to another one', (t) => {
  const { state, said } = ran(`
    { do: { setBalance: { address: '@account1', amount: '1 evm' } } },
    { do: { sendTx: { from: '@account0', to: '@account1', value: '1.5 evm', as: 'first' } },
      expect: [{ tx: 'first', status: 'success' }, { balance: { address: '${bob}', equals: '2.5 evm' } }] }`)
  t.is(state, 'passed', said)
})

/**
 * Keeps its argument in slot 0 at its making, adds its call's first argument to it, reverts without
 * one.
 */
const adder = () => {
  const body = '36600857600080fd5b6004356000540160005500'
  const length = (body.length / 2).toString(16).padStart(2, '0')
  // CODECOPY the appended word, SSTORE it, return what follows.
  const head = (offset: string) => `60206020380360003960005160005560${length}60${offset}60003960${length}6000f3`
  const offset = (head('00').length / 2).toString(16).padStart(2, '0')
  return `0x${head(offset)}${body}`
}

test('a contract is made with its argument and called by its name', (t) => {
  const { run, state, said } = ran(`
    { do: { deploy: { from: '@account0', bytecode: '${adder()}', types: 'uint256', args: [40], as: 'adder' } },
      expect: { tx: 'adder', status: 'success' } },
    { do: { sendTx: { from: '@account1', call: { contract: '@adder', fn: 'add(uint256)', args: ['2'] }, as: 'call' } },
      expect: { tx: 'call', status: 'success' } }`)
  t.is(state, 'passed', said)
  const address = run.simulation().progress.facts.accounts['adder']
  t.is(BigInt(run.call('eth', 'eth_getStorageAt', [address, '0x0', 'latest']).result), 42n)
})

test('a transaction that may fail fits into a small block', (t) => {
  const { state, said } = ran(`
    { do: { fees: { gasLimit: 500000 } } },
    { do: { sendTx: { from: '@account0', to: '@account1', value: '1 wei', allowRevert: true, as: 'small' } },
      expect: { tx: 'small', status: 'success' } }`)
  t.is(state, 'passed', said)
})

test('a transaction that fails is sent where that is allowed, and fails its step elsewhere', (t) => {
  const deployed = `{ do: { deploy: { from: '@account0', bytecode: '${adder()}', types: 'uint256', args: [1], as: 'adder' } } },`
  const allowed = ran(
    `${deployed} { do: { sendTx: { from: '@account1', to: '@adder', allowRevert: true, as: 'bad' } }, expect: { tx: 'bad', status: 'failed' } }`,
  )
  t.is(allowed.state, 'passed', allowed.said)
  const refused = ran(`${deployed} { id: 'bad', do: { sendTx: { from: '@account1', to: '@adder' } } }`)
  t.is(refused.state, 'failed')
  t.regex(refused.failures[0] ?? '', /^sendTx was refused: .*revert/)
})

test('a wrong argument is refused with what was expected', (t) => {
  const { failures } = ran(
    `{ do: { sendTx: { from: '@account0', call: { contract: '${bob}', fn: 'f(address,bool)', args: ['@account1', 'yes'] } } } }`,
  )
  t.deepEqual(failures, ['sendTx was refused: expected true or false, received "yes"'])
})

test('a stuck transaction is replaced by one with its nonce and a higher fee', (t) => {
  const run = scenarioRun(
    scenarioOf(`
    { do: { mempool: { hold: { from: '@account0', nth: 1 }, as: 'stuck' } } },
    { do: { sendTx: { from: '@account0', to: '@account1', value: '1 evm', maxFeePerGas: '10 gwei', as: 'first' } },
      expect: [{ tx: 'stuck', status: 'held' }, { tx: 'first', status: 'pending' }] },
    { do: { sendTx: { from: '@account0', to: '@account0', nonce: 'stuck', maxFeePerGas: '20 gwei', maxPriorityFeePerGas: '2 gwei', as: 'second' } },
      expect: { tx: { replaces: 'stuck', stage: 'accepted' } } },
    { do: { mempool: { release: '*' } }, expect: [{ tx: 'stuck', status: 'absent' }, { tx: 'second', status: 'success' }] }`),
    { mempoolMaxTxs: 5000 },
  ).run()
  t.is(run.simulation().progress.state, 'passed', run.said.join('\n'))
})

test('coins are sent, delegated and taken back by Cosmos messages', (t) => {
  const { run, state, said } = ran(`
    { do: { cosmosTx: { from: '@account0', messages: { send: { to: '@account1', amount: '1000atest' } }, as: 'sent' } },
      expect: [{ tx: 'sent', status: 'success' }, { tx: { msgType: '/cosmos.bank.v1beta1.MsgSend', stage: 'included' } }] },
    { do: { cosmosTx: { from: '@account0', as: 'staked', messages: [
        { delegate: { validator: 'validator0', amount: '5000000000000000000atest' } },
        { undelegate: { validator: 'validator0', amount: '1000000000000000000atest' } },
        { withdrawRewards: { validator: 'validator0' } }], gas: 900000 } },
      expect: { tx: 'staked', status: 'success' } },
    { do: { cosmosTx: { from: '@account0', messages: { vote: { proposal: 7, option: 'yes' } }, as: 'voted', allowRevert: true } },
      expect: { tx: 'voted', status: 'failed' } }`)
  t.is(state, 'passed', said)
  t.true(run.simulation().node.chain.height >= 3n)
})

test('the greatest nonce is the last of Ethereum transactions, and Cosmos transactions begin again at 0', (t) => {
  const steps = `{ when: { signal: 'go' }, do: { cosmosTx: { from: '@account0', messages: { send: { to: '@account1', amount: '1atest' } } } } }`
  const run = scenarioRun(scenarioOf(steps)).run(0)
  const [from] = run.call('eth', 'eth_accounts', []).result as readonly string[]
  run.call('eth', 'anvil_setNonce', [from, '0xffffffffffffffff'])
  const tx = { from, to: bob, gas: '0x5208', gasPrice: '0x77359400' }
  const nonce = () => run.call('eth', 'eth_getTransactionCount', [from, 'latest']).result
  t.regex(run.call('eth', 'eth_sendTransaction', [tx]).error?.message ?? '', /^nonce overflow: .* EIP-2681/)
  t.is(nonce(), '0xffffffffffffffff')
  run.enter({ kind: 'operator', by: 'test', command: { type: 'signal', name: 'go' } })
  t.is(run.simulation().progress.state, 'passed', run.said.join('\n'))
  t.is(nonce(), '0x0')
})

test('Cosmos transactions of one account follow each other while they wait', (t) => {
  const send = (as: string) =>
    `{ cosmosTx: { from: '@account0', messages: { send: { to: '@account1', amount: '1atest' } }, as: '${as}' } }`
  const { state, said } = ran(`{ do: [{ blocks: 'pause' }, ${send('a')}, ${send('b')}, { blocks: 'resume' }],
    expect: [{ tx: 'a', status: 'success' }, { tx: 'b', status: 'success' }] }`)
  t.is(state, 'passed', said)
})

const broadcasting = (mode: string, more = '', to = '@account1') =>
  `cosmosTx: { from: '@account0', messages: { send: { to: '${to}', amount: '1atest' } }, broadcast: '${mode}', ${more} }`

test('a step that broadcasts with commit goes on when the transaction is in a block, and knows where', (t) => {
  const { run, state, said } = ran(
    `
    { id: 'paid', when: { height: 2 }, do: { ${broadcasting('commit', "as: 'first'")} },
      expect: [{ tx: 'first', status: 'success' }, { height: 3 }] },
    { do: [{ set: { height: '${'${step.paid.result.height}'}', hash: '${'${step.paid.result.hash}'}', same: '${'${tx.first.cometHash}'}' } }] }`,
    "clock: { mode: 'interval', blockTime: '3s' },",
  )
  t.is(state, 'passed', said)
  const { noted, answers, broadcasts } = run.simulation().progress.facts
  const { check_tx, tx_result, ...rest } = JSON.parse(answers['paid'] ?? '')
  t.deepEqual([check_tx.code, tx_result.code], [0, 0])
  t.deepEqual(rest, { hash: noted['same'], height: '3' })
  t.like(noted, { hash: rest.hash, height: '3' })
  t.deepEqual(broadcasts, {})
})

test('a broadcast that nothing commits is answered after the time of the node, and fails its step', (t) => {
  const { failures } = ran(`{ do: { ${broadcasting('commit')} } }`, "clock: { blocks: 'manual' },")
  t.deepEqual(failures, ['cosmosTx was refused: timed out waiting for tx to be included in a block'])
})

for (const [mode, wanted] of [
  ['async', { code: 0, data: '', log: '', codespace: '' }],
  ['sync', { code: 0, data: '', codespace: '' }],
] as const) {
  test(`a step that broadcasts with ${mode} does not wait for a block`, (t) => {
    const { run, state, said } = ran(
      `{ id: 'sent', do: { ${broadcasting(mode, "as: 'first'")} }, expect: { tx: 'first', status: 'pending' } }`,
      "clock: { blocks: 'manual' },",
    )
    t.is(state, 'passed', said)
    const { answers, txs } = run.simulation().progress.facts
    t.like(JSON.parse(answers['sent'] ?? ''), { ...wanted, hash: txs['first']?.hash.toUpperCase() })
  })
}

test('a broadcast that is refused, or fails in its block, fails its step unless that is allowed', (t) => {
  const tooMuch = (mode: string, more = '') =>
    ran(`{ id: 'sent', do: {
    cosmosTx: { from: '@account0', messages: { send: { to: '@account1', amount: '${'9'.repeat(40)}atest' } }, broadcast: '${mode}', ${more} } } }`)
  t.regex(tooMuch('commit').failures[0] ?? '', /^cosmosTx was refused: .*insufficient funds/)
  t.is(tooMuch('sync').state, 'passed')
  const allowed = tooMuch('commit', 'allowRevert: true')
  t.is(allowed.state, 'passed', allowed.said)
  t.is(JSON.parse(allowed.run.simulation().progress.facts.answers['sent'] ?? '').tx_result.code, 5)
  const refused = (mode: string) => ran(`{ do: { ${broadcasting(mode, 'sequence: 99')} } }`).failures
  t.regex(refused('sync')[0] ?? '', /^cosmosTx was refused: .*account sequence mismatch/)
  t.regex(refused('commit')[0] ?? '', /^cosmosTx was refused: .*account sequence mismatch/)
})

test('rules and finally cannot broadcast, because they wait for nothing', (t) => {
  const told = /broadcast is only valid in a cosmosTx of a step/
  for (const more of [
    `rules: [{ when: { after: '1s' }, do: { ${broadcasting('commit')} } }],`,
    `finally: { ${broadcasting('commit', "memo: '${chain.height}'")} },`,
  ])
    t.throws(() => scenarioRun(scenarioOf("{ do: { log: 'x' } }", more)), { message: told })
})

const users = `fixtures: { accounts: { users: { count: 5, balance: '10 evm' } } },`

test('a rule draws who sends to whom, the same for every run and another for every time', (t) => {
  const ruled = (more: string) => {
    const run = scenarioRun(
      scenarioOf(
        `{ when: { after: '41s' }, timeout: '2m' }`,
        `seed: 'draw', ${users} rules: [${more}
      { id: 'gifts', when: { every: '4s' }, do: { sendTx: { from: { pick: '@users' }, to: { pick: '@users', weight: 'zipf' }, value: { lognormal: { median: '1 gwei', p99: '50 gwei' } } } } }],`,
      ),
    ).run()
    t.is(run.simulation().progress.state, 'passed', run.said.join('\n'))
    const { records } = {
      records: Array.from(
        { length: Number(run.simulation().node.chain.height) },
        (_, at) =>
          run.call('eth', 'eth_getBlockByNumber', [`0x${(at + 1).toString(16)}`, true]).result.transactions as {
            from: string
            to: string
            value: string
          }[],
      ),
    }
    return records.flat().map(({ from, to, value }) => [from, to, BigInt(value)].join())
  }
  const alone = ruled('')
  t.is(alone.length, 10)
  t.true(new Set(alone).size > 5)
  t.deepEqual(ruled(`{ id: 'log', when: { every: '3s', jitter: '1s' }, do: { log: 'a' } },`), alone)
})

test('a group that nobody declared is refused by name', (t) => {
  t.throws(() => ran(`{ do: { sendTx: { from: { pick: '@crowd' }, to: '@account0' } } }`), {
    message: /no account or contract is called "@crowd"/,
  })
})

const token = () => readFileSync(new URL('../../../scenarios/_artifacts/DemoToken.json', import.meta.url), 'utf8')
const cast = `fixtures: {
  accounts: { treasury: { balance: '100 evm' }, users: { count: 3, balance: '10 evm' } },
  contracts: { demo: { artifact: './t.json', from: '@treasury', args: ['Demo Dollar', 'DEMO', '1000 DEMO'] } } },`

test("functions of known contracts go by their short names, and amounts by the token's unit", (t) => {
  const run = scenarioRun(
    scenarioOf(
      `
    { do: { sendTx: { from: '@treasury', call: { contract: 'demo', fn: 'transfer', args: ['@users.0', '1.5 DEMO'] }, as: 'paid' } },
      expect: [{ tx: 'paid', status: 'success' }, { event: { log: { contract: '@demo', name: 'Transfer(address,address,uint256)', args: ['@treasury', '@users.0'] } } }] },
    { when: { after: '20s' } }`,
      `${cast} rules: [{ id: 'live', when: { every: '5s', count: 3 }, do: {
      sendTx: { from: '@treasury', call: { contract: 'demo', fn: 'transfer', args: [{ pick: '@users' }, { lognormal: { median: '2 DEMO', p99: '9 DEMO' } }] } } } }],`,
    ),
    {},
    { 't.json': token() },
  ).run()
  t.is(run.simulation().progress.state, 'passed', run.said.join('\n'))
  const logs = run.call('eth', 'eth_getLogs', [{ fromBlock: '0x0', toBlock: 'latest' }]).result as {
    data: string
    topics: string[]
  }[]
  const transfers = logs.slice(-4)
  t.is(BigInt(transfers[0]?.data ?? '0'), 1_500_000_000_000_000_000n)
  t.is(transfers.filter(({ data }) => BigInt(data) > 10n ** 17n).length, 4)
})

test('a contract is deployed from its artifact and called by what it was deployed as', (t) => {
  const run = scenarioRun(
    scenarioOf(`
    { do: { deploy: { artifact: './t.json', from: '@account0', args: ['Other', 'OTH', '1000'], as: 'other' } }, expect: { tx: 'other', status: 'success' } },
    { do: { sendTx: { from: '@account0', call: { contract: '@other', fn: 'transfer', args: ['@account1', 7] }, as: 'paid' } }, expect: { tx: 'paid', status: 'success' } }`),
    {},
    { 't.json': token() },
  ).run()
  t.is(run.simulation().progress.state, 'passed', run.said.join('\n'))
})

test('a function that a contract does not have is refused with the nearest', (t) => {
  const error = t.throws(
    () =>
      scenarioRun(
        scenarioOf(
          `{ do: { sendTx: { from: '@treasury', call: { contract: 'demo', fn: 'transfre', args: [] } } } }`,
          cast,
        ),
        {},
        { 't.json': token() },
      ),
    { instanceOf: InvalidScenario },
  )
  t.deepEqual(
    error?.diagnostics.map(({ code, message, hint }) => [code, message, hint]),
    [['SC2006', 'the contract has no function "transfre"', 'Did you mean "transfer"?']],
  )
})
