/** What clients see of a chain that goes on from another one. */
import test from 'ava'
import { QueryClient, setupBankExtension, setupMintExtension, StargateClient } from '@cosmjs/stargate'
import { Comet38Client } from '@cosmjs/tendermint-rpc'
import { bech32 } from '@scure/base'
import { start } from '../../../src/index.ts'
import { hexToBigInt, type Hex } from 'viem'
import { clientsOf, forkOf, friend, raw, startUpstream, tokenAbi, type Upstream } from '../../helpers/forked.ts'

let upstream: Upstream
test.before(async () => {
  upstream = await startUpstream()
})
test.after.always(() => upstream.close())

test.serial('a fork has the ids, balances, nonces, code and storage of the other chain', async (t) => {
  await using fork = await forkOf([upstream.urls.eth, upstream.urls.comet])
  const id = upstream.settings.evmChainId
  const [there, here] = [clientsOf(upstream, id), clientsOf(fork, id)]
  t.is(await here.reader.getChainId(), id)
  t.is(fork.simulation().node.chain.genesis.chainId, upstream.simulation().node.chain.genesis.chainId)
  const { address } = there.account
  t.is(await here.reader.getBalance({ address }), await there.reader.getBalance({ address }))
  t.is(await here.reader.getTransactionCount({ address }), 2)
  t.is(await here.reader.getCode({ address: upstream.token }), await there.reader.getCode({ address: upstream.token }))
  for (const slot of ['0x2', '0x3'] as const) {
    t.is(
      await here.reader.getStorageAt({ address: upstream.token, slot }),
      await there.reader.getStorageAt({ address: upstream.token, slot }),
    )
  }
  const balanceOf = {
    address: upstream.token,
    abi: tokenAbi,
    functionName: 'balanceOf',
    args: [friend],
  } as const
  t.is(await here.reader.readContract(balanceOf), 10n)
})

test.serial(
  'an account has the number, the key and the coins that it has on CometBFT RPC of the other chain',
  async (t) => {
    await using fork = await forkOf([upstream.urls.eth, upstream.urls.comet])
    const address = bech32.encode('cosmos', bech32.toWords(upstream.keys[0]?.address ?? new Uint8Array(20)))
    const [there, here] = await Promise.all([upstream, fork].map(({ urls }) => StargateClient.connect(urls.comet)))
    const account = await there?.getAccount(address)
    t.deepEqual(await here?.getAccount(address), account)
    t.is(account?.sequence, 2)
    const balances = await there?.getAllBalances(address)
    t.true((balances ?? []).length > 0)
    t.deepEqual(await here?.getAllBalances(address), balances)
    const query = { height: Number(upstream.blockOfTransfer) }
    const [past] = (await there?.searchTx(`tx.height=${query.height}`)) ?? []
    t.deepEqual((await here?.searchTx(`tx.height=${query.height}`))?.[0]?.hash, past?.hash)
    t.is((await here?.getTx(past?.hash ?? ''))?.height, query.height, 'as cosmjs looks for a transaction')
    there?.disconnect()
    here?.disconnect()
  },
)

test.serial('blocks, receipts and results up to the fork are those of the other chain, byte for byte', async (t) => {
  await using fork = await forkOf([upstream.urls.eth, upstream.urls.comet])
  const { reader } = clientsOf(upstream, upstream.settings.evmChainId)
  const height = upstream.blockOfTransfer
  const {
    hash,
    transactions: [tx],
  } = await reader.getBlock({ blockNumber: height })
  const at: Hex = `0x${height.toString(16)}`
  const eth: readonly (readonly [string, readonly unknown[]])[] = [
    ['eth_getBlockByNumber', [at, true]],
    ['eth_getBlockByHash', [hash, false]],
    ['eth_getTransactionReceipt', [tx]],
    ['eth_getTransactionByHash', [tx]],
    ['eth_getBlockReceipts', [at]],
    ['eth_getBalance', [friend, at]],
    ['eth_getLogs', [{ fromBlock: '0x1', toBlock: at }]],
    ['eth_getLogs', [{ blockHash: hash }]],
    ['debug_traceTransaction', [tx, { tracer: 'callTracer' }]],
    ['eth_getBlockByNumber', ['earliest', false]],
    ['eth_feeHistory', ['0x5', 'earliest', []]],
  ]
  for (const [method, params] of eth) {
    t.is(await raw(fork.urls.eth, method, params), await raw(upstream.urls.eth, method, params), method)
  }
  for (const method of ['block', 'block_results', 'commit', 'validators', 'header']) {
    const params = { height: String(height) }
    t.is(await raw(fork.urls.comet, method, params), await raw(upstream.urls.comet, method, params), method)
  }
  const uri = async (url: string) => (await fetch(`${url}/block?height=${height}`)).text()
  t.is(await uri(fork.urls.comet), await uri(upstream.urls.comet))
})

test.serial('transfers go on, and one question for events sees both sides of the fork', async (t) => {
  await using fork = await forkOf([upstream.urls.eth])
  const { reader } = clientsOf(fork, upstream.settings.evmChainId)
  const { wallet, account } = clientsOf({ urls: fork.urls, keys: upstream.keys }, upstream.settings.evmChainId)
  const hash = await wallet.writeContract({
    address: upstream.token,
    abi: tokenAbi,
    functionName: 'transfer',
    args: [friend, 5n],
  })
  const { status, blockNumber } = await reader.waitForTransactionReceipt({ hash })
  t.is(status, 'success')
  const head = upstream.simulation().node.chain.height
  t.true(blockNumber > head)
  t.is(await reader.getTransactionCount({ address: account.address }), 3)
  const balanceOf = {
    address: upstream.token,
    abi: tokenAbi,
    functionName: 'balanceOf',
    args: [friend],
  } as const
  t.is(await reader.readContract(balanceOf), 15n)
  t.is(await reader.readContract({ ...balanceOf, blockNumber: head }), 10n, 'the past stays')
  const logs = await reader.getLogs({
    address: upstream.token,
    event: tokenAbi[2],
    args: { to: friend },
    fromBlock: 1n,
    toBlock: 'latest',
  })
  t.deepEqual(
    logs.map(({ args, blockNumber: height }) => [args.value, height]),
    [
      [10n, upstream.blockOfTransfer],
      [5n, blockNumber],
    ],
  )
  t.is(
    (await reader.getBlock({ blockNumber: head + 1n })).parentHash,
    (await reader.getBlock({ blockNumber: head })).hash,
  )
  t.is(await clientsOf(upstream, 1).reader.readContract(balanceOf), 10n, 'the other chain knows nothing of it')
})

test.serial('the history of fees reaches below the fork', async (t) => {
  await using fork = await forkOf([upstream.urls.eth])
  await raw(fork.urls.eth, 'evm_mine', [])
  const height = Number(upstream.simulation().node.chain.height)
  const { reader } = clientsOf(fork, upstream.settings.evmChainId)
  const { oldestBlock, baseFeePerGas, gasUsedRatio } = await reader.getFeeHistory({
    blockCount: 4,
    rewardPercentiles: [],
  })
  t.is(Number(oldestBlock), height - 1)
  t.deepEqual([baseFeePerGas.length, gasUsedRatio.length], [5, 4])
  for (let at = 0; at < 4; at++) {
    const { baseFeePerGas: fee } = await reader.getBlock({ blockNumber: BigInt(height - 1 + at) })
    t.is(baseFeePerGas[at], fee ?? undefined)
  }
})

test.serial('a search sees the transactions of both chains, and pages go over the fork', async (t) => {
  await using fork = await forkOf([upstream.urls.eth, upstream.urls.comet])
  const head = Number(upstream.simulation().node.chain.height)
  const { reader, wallet } = clientsOf({ urls: fork.urls, keys: upstream.keys }, upstream.settings.evmChainId)
  await reader.waitForTransactionReceipt({ hash: await wallet.sendTransaction({ to: friend, value: 1n }) })
  type Found = {
    readonly result: {
      readonly total_count: string
      readonly txs: readonly { readonly height: string }[]
    }
  }
  const search = async (params: object) => {
    const { result } = JSON.parse(await raw(fork.urls.comet, 'tx_search', { query: 'tx.height>0', ...params })) as Found
    return { count: result.total_count, heights: result.txs.map(({ height }) => Number(height)) }
  }
  const { heights } = await search({})
  t.deepEqual(heights, [2, Number(upstream.blockOfTransfer), head + 2])
  t.deepEqual(await search({ order_by: 'desc', per_page: '2' }), {
    count: '3',
    heights: heights.toReversed().slice(0, 2),
  })
  t.deepEqual(await search({ per_page: '2', page: '2' }), { count: '3', heights: heights.slice(2) })
  const uri = await fetch(`${fork.urls.comet}/tx_search?query="tx.height>0"&per_page=1`)
  t.is(((await uri.json()) as Found).result.total_count, '3')
  const refused = JSON.parse(await raw(fork.urls.comet, 'tx_search', { query: 'nonsense' })) as {
    error?: unknown
  }
  t.truthy(refused.error)
})

test.serial(
  'accounts of the other chain can be impersonated and edited, contracts deployed beside its own',
  async (t) => {
    await using fork = await forkOf([upstream.urls.eth])
    const { reader, wallet } = clientsOf(fork, upstream.settings.evmChainId)
    const owner = clientsOf(upstream, 1).account.address
    const call = async (method: string, params: unknown) =>
      JSON.parse(await raw(fork.urls.eth, method, params)) as { result?: unknown; error?: unknown }
    await call('anvil_setBalance', [friend, '0xde0b6b3a7640000'])
    t.is(await reader.getBalance({ address: friend }), 10n ** 18n)
    await call('anvil_impersonateAccount', [owner])
    const before = await reader.getBalance({ address: owner })
    const sent = await call('eth_sendTransaction', [{ from: owner, to: friend, value: '0x7' }])
    const receipt = await reader.waitForTransactionReceipt({ hash: sent.result as Hex })
    t.is(receipt.status, 'success')
    t.is(await reader.getBalance({ address: friend }), 10n ** 18n + 7n)
    t.is(await reader.getBalance({ address: owner }), before - 7n - receipt.gasUsed * receipt.effectiveGasPrice)
    const slot = `0x${'0'.repeat(63)}2` as const
    await call('anvil_setStorageAt', [upstream.token, slot, `0x${'0'.repeat(62)}2a`])
    t.is(hexToBigInt((await reader.getStorageAt({ address: upstream.token, slot })) ?? '0x0'), 42n)
    const deployed = await wallet.sendTransaction({ data: '0x602a60005260206000f3', to: null })
    t.is((await reader.waitForTransactionReceipt({ hash: deployed })).status, 'success')
  },
)

test.serial('cosmjs reads the first block of a fork, whose last block id is whole', async (t) => {
  const { eth, comet } = upstream.urls
  for (const from of [[eth, comet], [eth]]) {
    await using fork = await forkOf(from)
    const client = await Comet38Client.connect(fork.urls.comet)
    const height = Number(fork.simulation().node.chain.height)
    const { block } = await client.block(height)
    const { blockId } = await (await Comet38Client.connect(comet)).block(height - 1)
    t.deepEqual(block.header.lastBlockId?.hash, blockId.hash)
    t.is(block.header.lastBlockId?.parts.hash.length, 32)
    if (from.length === 2) t.deepEqual(block.header.lastBlockId, blockId)
  }
})

test.serial('the supply of a fork is that of the other chain and what was made for the fork', async (t) => {
  const { eth, comet } = upstream.urls
  const suppliesOf = async (url: string) => {
    const client = QueryClient.withExtensions(await Comet38Client.connect(url), setupBankExtension, setupMintExtension)
    const { amount } = await client.bank.supplyOf('atest')
    return { supply: BigInt(amount), inflation: (await client.mint.annualProvisions()).toFloatApproximation() }
  }
  const theirs = await suppliesOf(comet)
  const assumed = 10n ** 27n
  for (const [from, supply] of [
    [[eth, comet], theirs.supply],
    [[eth], assumed],
  ] as const) {
    await using fork = await forkOf(from)
    const ours = await suppliesOf(fork.urls.comet)
    t.true(ours.supply > supply && ours.supply < supply * 2n, `${ours.supply}`)
    t.true(ours.inflation < Number(ours.supply), 'a year brings less than the supply')
  }
})

test.serial('without the other chain what is known goes on, and what is not is an error that names it', async (t) => {
  const mortal = await startUpstream()
  await using fork = await forkOf([mortal.urls.eth])
  const { reader, wallet } = clientsOf(fork, mortal.settings.evmChainId)
  const balanceOf = {
    address: mortal.token,
    abi: tokenAbi,
    functionName: 'balanceOf',
    args: [friend],
  } as const
  t.is(await reader.readContract(balanceOf), 10n)
  t.is(await reader.getBalance({ address: friend }), 0n)
  const head = await reader.getBlockNumber()
  await mortal.close()
  const unknown = `0x${'ab'.repeat(20)}`
  const { error } = JSON.parse(await raw(fork.urls.eth, 'eth_getBalance', [unknown, 'latest'])) as {
    error: { code: number; message: string }
  }
  t.is(error.code, -32071)
  t.true(error.message.includes(`account ${unknown}`))
  t.is(await reader.getBlockNumber(), head, 'nothing is half done')
  t.is(await reader.readContract(balanceOf), 10n)
  const hash = await wallet.sendTransaction({ to: friend, value: 3n })
  t.is((await reader.waitForTransactionReceipt({ hash })).status, 'success')
  t.is(await reader.getBalance({ address: friend }), 3n)
  const before = await reader.getBlockNumber()
  await raw(fork.urls.eth, 'anvil_mine', ['0x3'])
  t.is(
    await reader.getBlockNumber(),
    before + 3n,
    'a block overwrites a slot of the history contract without reading it',
  )
})

test.serial('the control API fetches what it shows of the other chain, and says what it cannot fetch', async (t) => {
  const mortal = await startUpstream()
  await using fork = await forkOf([mortal.urls.eth])
  const shown = async (address: string) => {
    const answer = await fetch(`${fork.urls.control}/api/addresses/${address}`)
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  const { status, body } = await shown(mortal.token)
  t.deepEqual([status, body['exists']], [200, true])
  t.is(body['code'], await clientsOf(mortal, mortal.settings.evmChainId).reader.getCode({ address: mortal.token }))
  const call = await fetch(`${fork.urls.control}/api/call`, {
    method: 'POST',
    body: JSON.stringify({ side: 'eth', method: 'eth_getStorageAt', params: [mortal.token, '0x2', 'latest'] }),
  })
  t.deepEqual(await call.json(), {
    ...{ jsonrpc: '2.0', id: 1 },
    result: await clientsOf(mortal, mortal.settings.evmChainId).reader.getStorageAt({
      address: mortal.token,
      slot: '0x2',
    }),
  })
  await mortal.close()
  const away = await shown(friend)
  t.is(away.status, 400)
  t.regex(
    JSON.stringify(away.body),
    /account 0xf1f1.* is unknown: the node at http:\/\/127\.0\.0\.1:\d+, whose chain was forked, did not answer/,
  )
  t.is((await fetch(`${fork.urls.control}/api/accounts`)).status, 200, 'what helps only is left out')
})

test.serial('sessions fork on their own', async (t) => {
  await using fork = await forkOf([upstream.urls.eth])
  const read = async (path: string) =>
    JSON.parse(await raw(`${fork.urls.eth}${path}`, 'eth_getBalance', [friend, 'latest'])) as { result: Hex }
  await raw(`${fork.urls.eth}/s/a`, 'anvil_setBalance', [friend, '0x5'])
  t.deepEqual(
    [(await read('/s/a')).result, (await read('/s/b')).result, (await read('')).result],
    ['0x5', '0x0', '0x0'],
  )
})

test.serial('a reset goes back to the fork, as it is named by its height, and to no other place', async (t) => {
  await using fork = await forkOf([upstream.urls.eth])
  const { url, height } = {
    url: fork.urls.eth,
    height: Number(upstream.simulation().node.chain.height),
  }
  const { reader, account } = clientsOf(fork, upstream.settings.evmChainId)
  const money = await reader.getBalance({ address: account.address })
  t.is(money, 10_000n * 10n ** 18n, 'the other chain does not know this developer')
  await raw(url, 'anvil_setBalance', [account.address, '0x5'])
  const reset = async (blockNumber: number) =>
    JSON.parse(await raw(url, 'hardhat_reset', [{ forking: { jsonRpcUrl: upstream.urls.eth, blockNumber } }])) as {
      error?: { message: string }
    }
  t.is((await reset(height)).error, undefined)
  t.is(await reader.getBalance({ address: account.address }), money)
  t.regex((await reset(1)).error?.message ?? '', /fork at height \d+; start another chain with --fork-height/)
  const { result } = JSON.parse(await raw(url, 'hardhat_metadata', [])) as {
    result: { forkedNetwork: { forkBlockNumber: number } }
  }
  t.is(result.forkedNetwork.forkBlockNumber, height)
})

test.serial('while the other chain is away blocks that need it wait, and everything else is answered', async (t) => {
  const mortal = await startUpstream()
  await using fork = await start({
    ports: 'free',
    fork: { from: [mortal.urls.eth], timeoutMs: 300_000 },
    settings: { blocks: 'manual' },
  })
  const { reader, wallet } = clientsOf(fork, mortal.settings.evmChainId)
  await raw(fork.urls.eth, 'evm_mine', [])
  const head = await reader.getBlockNumber()
  const [one, two] = [`0x${'a1'.repeat(20)}`, `0x${'a2'.repeat(20)}`] as const
  t.is(await reader.getBalance({ address: one }), 0n)
  const fees = { gas: 50_000n, maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n, nonce: 0 }
  await wallet.sendTransaction({ to: two, value: 1n, ...fees })
  await mortal.close()
  const mined = JSON.parse(await raw(fork.urls.eth, 'evm_mine', [])) as {
    error: { code: number; message: string }
  }
  t.is(mined.error.code, -32071)
  t.true(mined.error.message.includes(two))
  t.is(await reader.getBlockNumber(), head)
  t.is(await reader.getBalance({ address: one }), 0n)
})
