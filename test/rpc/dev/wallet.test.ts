import test from 'ava'
import { localSimulation, type Asked } from '../../helpers/ethSimulation.ts'

const from = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const receiver = '0x00000000000000000000000000000000000000aa'
const contract = '0x00000000000000000000000000000000000c0de1'

const batch = (calls: readonly object[], more: object = {}) => ({
  version: '2.0.0',
  from,
  chainId: '0x7a69',
  atomicRequired: false,
  calls,
  ...more,
})

function sent(chain: Asked, calls: readonly object[]): string {
  const { result, error } = chain.call('wallet_sendCalls', batch(calls))
  if (error !== undefined) throw new Error(error.message)
  return (result as { id: string }).id
}

type Status = { readonly status: number; readonly receipts: readonly { status: string }[] }

const statusOf = ({ call }: Asked, id: string) => call('wallet_getCallsStatus', id).result as Status

test('calls are sent in order and followed by the id of their batch', (t) => {
  const chain = localSimulation()
  const id = sent(chain, [
    { to: receiver, value: '0x1' },
    { to: receiver, value: '0x2' },
  ])
  t.is(chain.call('eth_getBalance', receiver, 'latest').result, '0x3')
  t.like(statusOf(chain, id), {
    id,
    status: 200,
    atomic: false,
    chainId: '0x7a69',
    version: '2.0.0',
    receipts: { length: 2 },
  })
})

test('a call is estimated after those before it', (t) => {
  const chain = localSimulation()
  // Reverts unless the receiver has something; else stores a word.
  const code = `0x73${receiver.slice(2)}31601c575f5ffd5b6001600155`
  chain.call('hardhat_setCode', contract, code)
  t.is(
    chain.call('wallet_sendCalls', batch([{ to: contract }, { to: receiver, value: '0x1' }])).error?.code,
    3,
    'one that reverts keeps all of them back',
  )
  t.is(chain.call('eth_getBalance', receiver, 'latest').result, '0x0')
  const id = sent(chain, [{ to: receiver, value: '0x1' }, { to: contract }])
  t.is(statusOf(chain, id).status, 200)
})

test('a batch waits, fails or fails in part', (t) => {
  const chain = localSimulation({ blocks: 'manual' })
  chain.call('hardhat_setCode', contract, '0x5f5ffd')
  const failing = { to: contract, gas: '0x186a0' }
  const part = chain.call('wallet_sendCalls', batch([failing])).result as { id: string }
  t.is(statusOf(chain, part.id).status, 100)
  chain.call('evm_mine')
  t.is(statusOf(chain, part.id).status, 500)
})

const free = { to: receiver, value: '0x1', gas: '0x5208', gasPrice: '0x0' }
const paid = { to: receiver, value: '0x1', gas: '0x5208' }

test('a batch whose first call is refused is an error, and nothing of it is sent', (t) => {
  const chain = localSimulation()
  t.regex(chain.call('wallet_sendCalls', batch([free, paid])).error?.message ?? '', /fee/)
  t.is(chain.call('eth_getBalance', receiver, 'latest').result, '0x0')
})

test('a batch of which a later call is refused has failed in part: the rest is not sent', (t) => {
  const chain = localSimulation()
  const id = sent(chain, [paid, free, paid])
  t.is(chain.call('eth_getBalance', receiver, 'latest').result, '0x1')
  t.deepEqual(chain.call('txpool_status').result, { pending: '0x0', queued: '0x0' })
  const { status, receipts } = statusOf(chain, id)
  t.is(status, 600)
  t.is(receipts.length, 1)
})

const refuses = test.macro((t, more: object, code: number, text: RegExp) => {
  const { error } = localSimulation().call('wallet_sendCalls', batch([{ to: receiver }], more))
  t.is(error?.code, code)
  t.regex(error?.message ?? '', text)
})

const two = [{ to: receiver }, { to: receiver }]
test('an empty id', refuses, { id: '' }, -32_602, /1 to 8194 characters, received 0/)
test('an id that is too long', refuses, { id: `0x${'0'.repeat(8193)}` }, -32_602, /received 8195/)
test('another chain', refuses, { chainId: '0x1' }, 5710, /expected the chain id 31337/)
test('no calls', refuses, { calls: [] }, 5740, /received 0/)
test('too many calls', refuses, { calls: Array(101).fill(two[0]) }, 5740, /received 101/)
test('atomic calls', refuses, { calls: two, atomicRequired: true }, 5760, /atomic/)
test('a capability', refuses, { capabilities: { paymaster: {} } }, 5700, /"paymaster"/)

test('a capability that is optional is no reason to refuse', (t) => {
  const capabilities = { paymaster: { optional: true } }
  const asked = batch([{ to: receiver }], { capabilities })
  t.is(localSimulation().call('wallet_sendCalls', asked).error, undefined)
})

test('a batch has the id that its client chose, which no other may have', (t) => {
  const chain = localSimulation()
  const send = (id: string, calls: readonly object[]) => chain.call('wallet_sendCalls', batch(calls, { id }))
  const checkpoint = chain.call('evm_snapshot').result
  t.deepEqual(send('my order 1', [paid, paid]).result, { id: 'my order 1' })
  t.like(statusOf(chain, 'my order 1'), { id: 'my order 1', status: 200, receipts: { length: 2 } })
  t.is(chain.call('wallet_showCallsStatus', 'my order 1').result, null)
  const second = send('my order 1', [paid])
  t.is(second.error?.code, 5720)
  t.regex(second.error?.message ?? '', /another batch has the id my order 1/)
  const derived = sent(chain, [paid])
  t.is(send(derived, [paid]).error?.code, 5720)
  t.is(send('refused', [free]).result, undefined)
  t.is(chain.call('wallet_getCallsStatus', 'refused').error?.code, 5730)
  chain.call('evm_revert', checkpoint)
  t.is(chain.call('wallet_getCallsStatus', 'my order 1').error?.code, 5730)
  t.deepEqual(send('my order 1', [paid]).result, { id: 'my order 1' })
  t.is(statusOf(chain, 'my order 1').receipts.length, 1)
})

test('an id that no batch has', (t) => {
  const { call } = localSimulation()
  for (const id of ['0x', '0x12', `0x${'11'.repeat(32)}`, `0x${'11'.repeat(4000)}`]) {
    t.is(call('wallet_getCallsStatus', id).error?.code, 5730)
    t.is(call('wallet_showCallsStatus', id).error?.code, 5730)
  }
})

test('the wallet says what it can do on this chain', (t) => {
  const { call } = localSimulation()
  const able = { '0x7a69': { atomic: { status: 'unsupported' } } }
  t.deepEqual(call('wallet_getCapabilities', from).result, able)
  t.deepEqual(call('wallet_getCapabilities', from, ['0x7a69', '0x1']).result, able)
  t.deepEqual(call('wallet_getCapabilities', from, ['0x1']).result, {})
})

test('a page that asks to connect gets the accounts', (t) => {
  const { call } = localSimulation()
  t.deepEqual(call('eth_requestAccounts').result, call('eth_accounts').result)
  t.regex(String(call('eth_requestAccounts').result), /^0x[0-9a-f]{40}/)
})
