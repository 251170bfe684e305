/** Snapshots, time and mining as users of web3 and ethers write their own helpers for them. */
import test from 'ava'
import { JsonRpcProvider, Network } from 'ethers'
import { Web3 } from 'web3'
import { startLocal } from '../helpers/server.ts'

type Send = (method: string, params: readonly unknown[]) => Promise<unknown>

const helps = test.macro(async (t, open: (url: string) => { send: Send; close: () => void }) => {
  await using server = await startLocal()
  const { send, close } = open(server.urls.eth)
  const block = async () =>
    (await send('eth_getBlockByNumber', ['latest', false])) as { number: string; timestamp: string }
  await send('evm_mine', [])
  const before = await block()
  const id = await send('evm_snapshot', [])
  await send('evm_increaseTime', [3600])
  await send('evm_mine', [])
  const after = await block()
  t.is(Number(after.number), Number(before.number) + 1)
  t.true(Number(after.timestamp) - Number(before.timestamp) >= 3600)
  t.true(await send('evm_revert', [id]))
  t.deepEqual(await block(), before)
  t.false(await send('evm_revert', [id]))
  t.deepEqual(await block(), before)
  close()
})

test("helpers over ethers' provider.send work", helps, (url: string) => {
  const provider = new JsonRpcProvider(url, Network.from(31337), { staticNetwork: true })
  return {
    send: (method: string, params: readonly unknown[]) => provider.send(method, [...params]) as Promise<unknown>,
    close: () => {
      provider.destroy()
    },
  }
})
test("helpers over web3's requestManager work", helps, (url: string) => {
  const { requestManager } = new Web3(url)
  return {
    send: (method: string, params: readonly unknown[]) =>
      requestManager.send({ method, params: [...params] } as never) as Promise<unknown>,
    close: () => {},
  }
})
test("helpers over web3's provider.request work", helps, (url: string) => {
  const { provider } = new Web3(url)
  return {
    send: async (method: string, params: readonly unknown[]) => {
      const asked = { jsonrpc: '2.0', id: 1, method, params: [...params] }
      const answer = (await provider?.request(asked as never)) as { result: unknown } | undefined
      return answer?.result
    },
    close: () => {},
  }
})
