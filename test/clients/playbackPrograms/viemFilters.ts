/** viem over HTTP: filters of all kinds, polled and looked through, batches, searches, errors. */
import { createPublicClient, createWalletClient, http, parseAbiItem } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { chainOf, fees, fresh, keys, plain, sleep, token, whyOf, type Where } from './stage.ts'

export async function viemFilters(where: Where): Promise<unknown> {
  const chain = chainOf(where)
  const account = privateKeyToAccount(keys[0])
  const transport = http(where.eth, { batch: { wait: 20 } })
  const reader = createPublicClient({ chain, transport, pollingInterval: 150 })
  const wallet = createWalletClient({ chain, account, transport: http(where.eth) })
  const hash = await wallet.deployContract({ ...token, args: [1000n], gas: 900_000n, ...fees })
  const { contractAddress } = await reader.waitForTransactionReceipt({ hash })
  const address = contractAddress ?? fresh(0)
  const event = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')
  const logs = await reader.createEventFilter({ address, event, fromBlock: 0n })
  const [blocks, pending] = await Promise.all([reader.createBlockFilter(), reader.createPendingTransactionFilter()])
  const send = async (to: number, value: bigint) => {
    const sent = await wallet.writeContract({
      address,
      abi: token.abi,
      functionName: 'transfer',
      args: [fresh(to), value],
      gas: 100_000n,
      ...fees,
    })
    return await reader.waitForTransactionReceipt({ hash: sent })
  }
  const first = await send(0xa1, 10n)
  const heard = await reader.getFilterChanges({ filter: logs })
  const second = await send(0xa2, 20n)
  const later = await reader.getFilterChanges({ filter: logs })
  const all = await reader.getFilterLogs({ filter: logs })
  const hashes = await reader.getFilterChanges({ filter: blocks })
  await reader.getFilterChanges({ filter: pending })
  const gone = [await reader.uninstallFilter({ filter: logs }), await reader.uninstallFilter({ filter: logs })]
  const after = await whyOf(reader.getFilterChanges({ filter: logs }))
  const watched: bigint[] = []
  const stop = reader.watchBlocks({
    onBlock: ({ number }) => {
      watched.push(number)
    },
    emitMissed: true,
  })
  await sleep(1500)
  stop()
  const balance = (to: number) =>
    reader.readContract({ address, abi: token.abi, functionName: 'balanceOf', args: [fresh(to)] })
  const wanted = { address, event, fromBlock: first.blockNumber, toBlock: second.blockNumber }
  return plain({
    address,
    heard: heard.length,
    later: later.length,
    all: all.map(({ args }) => args.value),
    gone,
    after,
    hasHead: hashes.length > 0,
    watched: watched.length > 0,
    balances: await Promise.all([balance(0xa1), balance(0xa2), balance(0xa3)]),
    found: (await reader.getLogs({ ...wanted, args: { to: fresh(0xa2) } })).map(
      ({ blockNumber }) => blockNumber - first.blockNumber,
    ),
    block: (await reader.getBlock({ blockNumber: first.blockNumber, includeTransactions: true })).transactions.length,
    history: (await reader.getFeeHistory({ blockCount: 2, rewardPercentiles: [25], blockNumber: second.blockNumber }))
      .gasUsedRatio.length,
    count: await reader.getBlockTransactionCount({ blockNumber: second.blockNumber }),
    reverted: await whyOf(
      reader.simulateContract({
        address,
        abi: token.abi,
        functionName: 'transferFrom',
        args: [fresh(1), fresh(2), 5n],
        account,
      }),
    ),
    poor: await whyOf(reader.estimateGas({ account: fresh(0xdead1), to: fresh(1), value: 10n ** 30n })),
    old: await whyOf(reader.getBlock({ blockNumber: 99_999_999n })),
    slot: await reader.getStorageAt({ address, slot: '0x0' }),
  })
}
