import test from 'ava'
import { scenarioOf, scenarioRun } from '../helpers/scenarioRun.ts'

const passes = test.macro((t, steps: string, more: string) => {
  const run = scenarioRun(scenarioOf(steps, more)).run()
  t.is(run.simulation().progress.state, 'passed', run.said.join('\n'))
})

test('a receipt is asked for by the hash of a named transaction', passes, `
  { do: { sendTx: { from: '@account0', to: '@account1', value: '1', as: 'paid' } }, expect: {
      rpc: { iface: 'eth', method: 'eth_getTransactionReceipt', params: ['\${tx.paid.hash}'] }, path: 'status', equals: '0x1' } }`, '')

test('what the chain is like is noted and counted with later', passes, `
  { do: [{ mine: 2 }, { set: { before: '\${chain.height}' } }, { mine: 3 }] },
  { expect: { rpc: { iface: 'eth', method: 'eth_getBlockByNumber', params: ['\${hex(set.before + vars.gap)}', false] },
      path: 'number', equals: '\${hex(chain.height)}' } }`, 'vars: { gap: 3 },')

test('calls with a hash that is known only then are counted', (t) => {
  const run = scenarioRun(scenarioOf(`
    { do: { sendTx: { from: '@account0', to: '@account1', value: '1', as: 'paid' } } },
    { id: 'asked', when: { request: { method: 'eth_getTransactionReceipt', params: ['\${tx.paid.hash}'] } } }`)).run(0)
  const hash = run.simulation().progress.facts.txs['paid']?.ethHash
  run.call('eth', 'eth_getTransactionReceipt', [`0x${'11'.repeat(32)}`])
  t.is(run.simulation().progress.state, 'running')
  run.call('eth', 'eth_getTransactionReceipt', [`0x${hash}`])
  t.is(run.simulation().progress.state, 'passed')
})

test('an expression that names nothing fails its step and says so', (t) => {
  const run = scenarioRun(scenarioOf(`{ do: { call: { iface: 'eth', method: 'eth_getTransactionReceipt', params: ['\${tx.nobody.hash}'] } } }`)).run()
  t.regex(run.simulation().progress.failures[0]?.text ?? '', /nothing is called "tx.nobody.hash"/)
})

test('a condition on the running chain leaves a step out', (t) => {
  const run = scenarioRun(scenarioOf(`
    { when: { height: 1 }, do: { set: { n: 2 } } },
    { if: 'set.n > chain.height + vars.more', do: { log: 'too high' } },
    { if: 'set.n > chain.height', do: { log: 'high' } }`, 'vars: { more: 5 },')).run()
  t.deepEqual(run.said, ['high'])
  t.is(run.simulation().progress.state, 'passed')
})
