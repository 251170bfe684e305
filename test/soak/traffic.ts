/** One round of mixed traffic of a client: each kind of request once, over sockets of its own. */
import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { Server } from '../../src/index.ts'

const alice = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const bob = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** Resolves with the number of requests; `round` decides which of the rarer ones are among them. */
export async function traffic({ urls }: Server, round: number): Promise<number> {
  let requests = 0
  const post = async (url: string, body: string): Promise<string> => {
    requests += 1
    const headers = { 'content-type': 'application/json' }
    return (await fetch(url, { method: 'POST', headers, body })).text()
  }
  const read = async (url: string): Promise<void> => {
    requests += 1
    await (await fetch(url)).arrayBuffer()
  }
  const call = (id: number, method: string, ...params: unknown[]) => ({ jsonrpc: '2.0', id, method, params })
  const eth = async (method: string, ...params: unknown[]): Promise<unknown> =>
    (JSON.parse(await post(urls.eth, JSON.stringify(call(round, method, ...params)))) as { result?: unknown }).result

  await post(
    urls.eth,
    JSON.stringify([
      call(1, 'eth_blockNumber'),
      call(2, 'eth_getBalance', alice, 'latest'),
      call(3, 'eth_call', { to: bob, data: `0x${round.toString(16).padStart(8, '0')}` }, 'latest'),
      call(4, 'eth_getLogs', { fromBlock: 'earliest', toBlock: 'latest', address: bob }),
      call(5, 'eth_feeHistory', 4, 'latest', [50]),
      call(6, `soak_unknown${round}`),
    ]),
  )
  const hash = await eth('eth_sendTransaction', { from: alice, to: bob, value: '0x1', gas: '0x5208' })
  await eth('eth_getTransactionReceipt', hash)
  for (const path of ['status', 'block', 'validators', `abci_query?path="/store/bank/key"&data=0x${round}`]) {
    await read(`${urls.comet}/${path}`)
  }
  await read(`${urls.rest}/cosmos/base/tendermint/v1beta1/blocks/latest`)
  await read(`${urls.rest}/cosmos/bank/v1beta1/supply`)
  await post(urls.eth, `{"jsonrpc":"2.0","id":${round},"method":`)
  await post(urls.eth, 'x'.repeat(round % 5000))
  if (round % 4 === 0) {
    const filter = await eth('eth_newBlockFilter')
    await eth('eth_getFilterChanges', filter)
    await eth('eth_uninstallFilter', filter)
    const checkpoint = await eth('evm_snapshot')
    await eth('anvil_mine', '0x2')
    await eth('evm_revert', checkpoint)
  }
  if (round % 5 === 0) await overSocket(urls.ethWs)
  if (round % 10 === 0) {
    await post(`${urls.eth}/s/soak-${round}`, JSON.stringify(call(1, 'evm_mine')))
    await post(`${urls.comet}/s/soak-${round}`, JSON.stringify(call(1, 'status')))
  }
  return requests
}

/** Subscribes, hears of a block, and leaves, now and then without a word. */
async function overSocket(url: string): Promise<void> {
  const socket = new WebSocket(url)
  await once(socket, 'open')
  socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}')
  await once(socket, 'message')
  socket.send('{"jsonrpc":"2.0","id":2,"method":"evm_mine","params":[]}')
  await once(socket, 'message')
  socket.terminate()
}
