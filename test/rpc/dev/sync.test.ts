import test from 'ava'
import { start, type RpcFailed } from '../../../src/index.ts'

const alice = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const bob = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

test('a sync send answers with the receipt, at once or when its block is made', async (t) => {
  await using chain = await start({ ports: 'none' })
  const send = () =>
    chain.eth.request<{ blockNumber: string; status: string }>({
      method: 'eth_sendTransactionSync',
      params: [{ from: alice, to: bob, value: '0x1' }],
    })
  t.like(await send(), { blockNumber: '0x2', status: '0x1' })
  await chain.eth.request({ method: 'evm_setAutomine', params: [false] })
  const waiting = send()
  chain.mine()
  t.like(await waiting, { blockNumber: '0x3', status: '0x1' })
})

test('a sync send that is in no block in time says that it waits', async (t) => {
  await using chain = await start({ ports: 'none', settings: { blocks: 'manual' } })
  const error = await t.throwsAsync<RpcFailed>(
    chain.eth.request({ method: 'eth_sendTransactionSync', params: [{ from: alice, to: bob }, 50] }),
  )
  t.is(error.code, 4)
  t.regex(error.message, /waits in the mempool/)
  t.is(chain.mine(), 2)
})
