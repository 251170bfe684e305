/**
 * web3 over both: subscriptions of heads and logs, a batch, blocks by hash, transactions by index.
 */
import { utils, Web3, WebSocketProvider } from 'web3'
import { fresh, keys, plain, sleep, token, whyOf, type Where } from './stage.ts'

const fees = { maxFeePerGas: '2000000000', maxPriorityFeePerGas: '1000000000' }

export async function web3Mixed({ eth, ethWs }: Where): Promise<unknown> {
  // The node takes no texts as ids over a WebSocket.
  utils.jsonRpc.setRequestIdStart(1)
  const sockets = new WebSocketProvider(ethWs, {}, { autoReconnect: false })
  const [web3, live] = [new Web3(eth), new Web3(sockets)]
  for (const one of [web3, live]) one.eth.transactionPollingInterval = 150
  const account = live.eth.accounts.wallet.add(keys[2]).get(0)
  const from = account?.address ?? ''
  const made = await new live.eth.Contract(token.abi as [])
    .deploy({ data: token.bytecode, arguments: [9000] } as never)
    .send({ from, gas: '900000', ...fees })
  const address = made.options.address ?? ''
  const [heads, logs]: [bigint[], string[]] = [[], []]
  const newHeads = await live.eth.subscribe('newBlockHeaders')
  newHeads.on('data', ({ number }) => {
    heads.push(BigInt(number ?? 0))
  })
  const onLogs = await live.eth.subscribe('logs', { address })
  onLogs.on('data', (log) => {
    logs.push(String('data' in log ? log.data : '').slice(-4))
  })
  const methods = made.methods as unknown as {
    transfer: (
      to: string,
      value: number,
    ) => {
      send: (options: object) => Promise<{ blockNumber: bigint; transactionHash: string }>
    }
  }
  const receipt = await methods.transfer(fresh(0xc1), 258).send({ from, gas: '100000', ...fees })
  await sleep(1000)
  await newHeads.unsubscribe()
  const batch = new web3.BatchRequest()
  const wanted = [
    batch.add({ method: 'eth_getBalance', params: [from, 'latest'], id: 1 } as never),
    batch.add({ method: 'eth_chainId', params: [], id: 2 } as never),
    batch.add({ method: 'eth_getTransactionCount', params: [from, 'pending'], id: 3 } as never),
  ]
  await batch.execute()
  const [, chainId, nonce] = (await Promise.all(wanted)) as unknown[]
  const block = await web3.eth.getBlock(receipt.blockNumber)
  const byHash = await web3.eth.getBlock(String(block.hash), true)
  const past = await web3.eth.getPastLogs({ address, fromBlock: '0x0', toBlock: 'latest' })
  const tx = await web3.eth.getTransactionFromBlock(receipt.blockNumber, 0)
  const wrong = await whyOf(web3.eth.getTransaction(`0x${'12'.repeat(32)}`))
  await onLogs.unsubscribe()
  sockets.disconnect()
  return plain({
    address,
    logs,
    nonce,
    chainId,
    hasHeads: heads.length > 0,
    same: byHash.hash === block.hash,
    past: past.length,
    tx: tx?.hash === receipt.transactionHash,
    wrong,
  })
}
