/** Scenarios call the REST API and gRPC, and expect what they answer. */
import test from 'ava'
import { any, ethereumPerson, signTx } from '../helpers/messageChain.ts'
import { scenarioOf, scenarioRun } from '../helpers/scenarioRun.ts'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'

const alice = ethereumPerson(0)
const bob = 'cosmos1zaxr299q62e39q4zf4fdmjncpfwlqxd0rzpqux'
const path = `/cosmos/bank/v1beta1/balances/${bob}/by_denom?denom=atest`
const method = 'cosmos.bank.v1beta1.Query/Balance'
const ofBob = `params: { address: '${bob}', denom: 'atest' }`

function outcome(steps: string): readonly unknown[] {
  const { simulation } = scenarioRun(scenarioOf(steps)).run(600_000)
  const { state, failures } = simulation().progress
  return [state, ...failures.map(({ text }) => text)]
}

const passes = test.macro((t, steps: string) => t.deepEqual(outcome(steps), ['passed']))
const fails = test.macro((t, steps: string, why: RegExp) => {
  const [state, text] = outcome(steps)
  t.is(state, 'failed')
  t.regex(String(text), why)
})

const rest = (more: string, at = path): string => `{ expect: { rpc: { iface: 'rest', method: '${at}' }, ${more} } }`
const grpc = (more: string, params = ofBob): string =>
  `{ expect: { rpc: { iface: 'grpc', method: '${method}', ${params} }, ${more} } }`

test('a balance over REST', passes, rest(`path: 'balance.amount', equals: '0'`))
test('a balance over gRPC', passes, grpc(`path: 'balance.amount', equals: '0'`))
test('a refusal over REST', passes, rest('error: { code: 12 }', '/nope'))
test(
  'a refusal over gRPC',
  passes,
  grpc(`error: { code: 3, includes: 'invalid address' }`, `params: { address: 'nope', denom: 'atest' }`),
)
test('another balance over REST fails', fails, rest(`path: 'balance.amount', equals: '1'`), /"0"|'0'/)
test('another balance over gRPC fails', fails, grpc(`path: 'balance.amount', equals: '1'`), /"0"|'0'/)

const sent = Buffer.from(
  signTx(
    alice,
    [any(MsgSend, { fromAddress: alice.address, toAddress: bob, amount: [{ denom: 'atest', amount: '7' }] })],
    { number: 0n, sequence: 0n },
  ),
).toString('base64')
const params = `params: { tx_bytes: '${sent}', mode: 'BROADCAST_MODE_SYNC' }`
const paid = `path: 'balance.amount', equals: '7'`

for (const [name, call] of [
  ['REST', `{ iface: 'rest', method: 'POST /cosmos/tx/v1beta1/txs', ${params} }`],
  ['gRPC', `{ iface: 'grpc', method: 'cosmos.tx.v1beta1.Service/BroadcastTx', ${params} }`],
] as const) {
  test(`a step broadcasts over ${name}`, passes, `{ do: { call: ${call} } }, ${rest(paid)}, ${grpc(paid)}`)
  test(
    `an expectation broadcasts over ${name} once`,
    passes,
    `{ expect: { rpc: ${call}, path: 'tx_response.code', equals: 0 } }, ${rest(paid)}, ${grpc(paid)}`,
  )
}
