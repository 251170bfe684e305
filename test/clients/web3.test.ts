/** What the `eth` of web3 (version 4) can ask of a node, over HTTP and over WebSocket. */
import { eventually } from '../helpers/server.ts'
import { absent, alice, bob, methodsOf, overBoth, transferOne, type Act, type Stage } from '../helpers/web3Stage.ts'

const aliceKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const word = `0x${'11'.repeat(32)}`
const slot = `0x${'00'.repeat(31)}02`

async function signedOf({ web3 }: Stage): Promise<string> {
  const gasPrice = await web3.eth.getGasPrice()
  const nonce = await web3.eth.getTransactionCount(alice)
  const tx = { from: alice, to: bob, value: 1, gas: 21_000, gasPrice, nonce, chainId: 31337 }
  return (await web3.eth.accounts.signTransaction(tx, aliceKey)).rawTransaction
}

const local = 'it asks nothing of the node'

const ethActs: Readonly<Record<string, Act | string>> = {
  constructor: local,
  setTransactionMiddleware: local,
  getTransactionMiddleware: local,
  clearSubscriptions: 'with subscribe',
  getCoinbase: async (t, { web3 }) => {
    const { miner } = await web3.eth.getBlock()
    t.is(await web3.eth.getCoinbase(), miner)
  },
  getHashrate: absent(({ web3 }) => web3.eth.getHashrate()),
  getHashRate: absent(({ web3 }) => web3.eth.getHashRate()),
  getPendingTransactions: async (t, { web3 }) => {
    t.deepEqual(await web3.eth.getPendingTransactions(), [])
  },
  getWork: absent(({ web3 }) => web3.eth.getWork()),
  submitWork: absent(({ web3 }) => web3.eth.submitWork('0x0000000000000001', word, word)),
  requestAccounts: async (t, { web3 }) => {
    const accounts = await web3.eth.getAccounts()
    t.deepEqual(
      await web3.eth.requestAccounts(),
      accounts.map((one) => one.toLowerCase()),
    )
  },
  signTransaction: async (t, { web3 }) => {
    const signed = await web3.eth.signTransaction({
      from: alice,
      to: bob,
      value: 0,
      gas: 21_000,
      gasPrice: 1,
      nonce: 0,
    })
    t.is(web3.eth.accounts.recoverTransaction(String(signed.raw)), alice)
  },
  // Version 4 of the method, and the first one, sign the same.
  signTypedData: async (t, { web3 }) => {
    const data = {
      types: {
        EIP712Domain: [{ name: 'name', type: 'string' }],
        Note: [{ name: 'text', type: 'string' }],
      },
      primaryType: 'Note',
      domain: { name: 'Demo' },
      message: { text: 'hi' },
    }
    const signature = await web3.eth.signTypedData(bob, data)
    t.regex(signature, /^0x[0-9a-f]{130}$/)
    t.is(await web3.eth.signTypedData(bob, data, true), signature)
  },
  getProtocolVersion: async (t, { web3 }) => {
    t.is(await web3.eth.getProtocolVersion(), '0x41')
  },
  isSyncing: async (t, { web3 }) => {
    t.is(await web3.eth.isSyncing(), false)
  },
  isMining: async (t, { web3 }) => {
    t.true(await web3.eth.isMining())
  },
  getGasPrice: async (t, { web3 }) => {
    t.true((await web3.eth.getGasPrice()) > 0n)
  },
  getMaxPriorityFeePerGas: async (t, { web3 }) => {
    t.is(typeof (await web3.eth.getMaxPriorityFeePerGas()), 'bigint')
  },
  calculateFeeData: async (t, { web3 }) => {
    const { maxFeePerGas, baseFeePerGas } = await web3.eth.calculateFeeData()
    t.true((maxFeePerGas ?? 0n) > (baseFeePerGas ?? 0n))
  },
  getAccounts: async (t, { web3 }) => {
    t.deepEqual((await web3.eth.getAccounts()).slice(0, 2), [alice, bob])
  },
  getBlockNumber: async (t, { web3, block }) => {
    t.true((await web3.eth.getBlockNumber()) >= block)
  },
  getBalance: async (t, { web3 }) => {
    t.is(await web3.eth.getBalance(bob, 1), 10_000n * 10n ** 18n)
  },
  getStorageAt: async (t, { web3, token }) => {
    t.is(BigInt(await web3.eth.getStorageAt(token, 2)), 10n ** 24n)
  },
  getCode: async (t, { web3, token }) => {
    t.regex(await web3.eth.getCode(token), /^0x60/)
  },
  getBlock: async (t, { web3, block, blockHash, hash }) => {
    t.is((await web3.eth.getBlock(block)).hash, blockHash)
    t.like((await web3.eth.getBlock(blockHash, true)).transactions[0], { hash })
  },
  getBlockTransactionCount: async (t, { web3, block, blockHash }) => {
    t.is(await web3.eth.getBlockTransactionCount(block), 1n)
    t.is(await web3.eth.getBlockTransactionCount(blockHash), 1n)
  },
  getBlockUncleCount: async (t, { web3, block }) => {
    t.is(await web3.eth.getBlockUncleCount(block), 0n)
  },
  getUncle: async (t, { web3, block }) => {
    t.falsy(await web3.eth.getUncle(block, 0))
  },
  getTransaction: async (t, { web3, hash, blockHash }) => {
    t.like(await web3.eth.getTransaction(hash), { hash, blockHash, from: alice.toLowerCase() })
  },
  getTransactionFromBlock: async (t, { web3, block, hash }) => {
    t.like(await web3.eth.getTransactionFromBlock(block, 0), { hash })
  },
  getTransactionReceipt: async (t, { web3, hash }) => {
    t.like(await web3.eth.getTransactionReceipt(hash), { transactionHash: hash, status: 1n })
  },
  getTransactionCount: async (t, { web3 }) => {
    t.true((await web3.eth.getTransactionCount(alice, 'pending')) >= 2n)
  },
  sendTransaction: async (t, { web3 }) => {
    const receipt = await web3.eth.sendTransaction({ from: bob, to: alice, value: 1 })
    t.is(receipt.status, 1n)
  },
  sendSignedTransaction: async (t, stage) => {
    const receipt = await stage.web3.eth.sendSignedTransaction(await signedOf(stage))
    t.is(receipt.status, 1n)
  },
  sign: async (t, { web3 }) => {
    const signature = await web3.eth.sign(web3.utils.utf8ToHex('hi'), bob)
    if (typeof signature !== 'string') throw new Error('the node signs with a text')
    t.is(web3.eth.accounts.recover('hi', signature), bob)
  },
  call: async (t, { web3, token }) => {
    t.is(BigInt(await web3.eth.call({ to: token, data: '0x313ce567' })), 18n)
  },
  estimateGas: async (t, { web3 }) => {
    t.is(await web3.eth.estimateGas({ from: alice, to: bob, value: 1 }), 21_000n)
  },
  getPastLogs: async (t, { web3, token, block, hash }) => {
    const logs = await web3.eth.getPastLogs({ address: token, fromBlock: block, toBlock: block })
    t.like(logs, [{ transactionHash: hash }])
  },
  getChainId: async (t, { web3 }) => {
    t.is(await web3.eth.getChainId(), 31337n)
  },
  getNodeInfo: async (t, { web3 }) => {
    t.regex(await web3.eth.getNodeInfo(), /chainstage/)
  },
  getProof: async (t, { web3, token, block }) => {
    const { storageProof } = await web3.eth.getProof(token, [slot], block)
    t.is(BigInt(storageProof[0]?.value ?? 0), 10n ** 24n)
  },
  getFeeHistory: async (t, { web3 }) => {
    const { baseFeePerGas, reward } = await web3.eth.getFeeHistory(2, 'latest', [10, 50])
    t.is((baseFeePerGas as unknown as readonly bigint[]).length, 3)
    t.is(reward[0]?.length, 2)
  },
  createAccessList: async (t, { web3, token }) => {
    const list = await web3.eth.createAccessList({ from: alice, to: token, data: '0x313ce567' })
    t.is(list?.accessList?.length, 0)
  },
  createNewFilter: async (t, stage) => {
    const { eth } = stage.web3
    const filter = await eth.createNewFilter({ address: stage.token })
    const hash = await transferOne(stage)
    t.like(await eth.getFilterLogs(filter), [{ transactionHash: hash }])
    t.like(await eth.getFilterChanges(filter), [{ transactionHash: hash }])
    t.true(await eth.uninstallFilter(filter))
    t.false(await eth.uninstallFilter(filter))
  },
  getFilterChanges: 'with createNewFilter',
  getFilterLogs: 'with createNewFilter',
  uninstallFilter: 'with createNewFilter',
  createNewBlockFilter: async (t, stage) => {
    const filter = await stage.web3.eth.createNewBlockFilter()
    await transferOne(stage)
    t.is((await stage.web3.eth.getFilterChanges(filter)).length, 1)
  },
  createNewPendingTransactionFilter: async (t, stage) => {
    const filter = await stage.web3.eth.createNewPendingTransactionFilter()
    const hash = await transferOne(stage)
    t.deepEqual<unknown[], unknown[]>(await stage.web3.eth.getFilterChanges(filter), [hash])
  },
  subscribe: async (t, stage) => {
    const { eth } = stage.web3
    if (stage.kind === 'http') {
      await t.throwsAsync(async () => {
        await eth.subscribe('newHeads')
      })
      return
    }
    const [heads, logs, hashes] = [[], [], []] as [bigint[], string[], string[]]
    const onHeads = await eth.subscribe('newHeads')
    onHeads.on('data', ({ number }) => {
      heads.push(BigInt(number ?? 0))
    })
    const onLogs = await eth.subscribe('logs', { address: stage.token })
    onLogs.on('data', ({ transactionHash }) => {
      logs.push(String(transactionHash))
    })
    const onPending = await eth.subscribe('newPendingTransactions')
    onPending.on('data', (hash) => {
      hashes.push(String(hash))
    })
    const hash = await transferOne(stage)
    await eventually(() => heads.length > 0 && logs.length > 0 && hashes.length > 0)
    t.deepEqual([logs, hashes], [[hash], [hash]])
    t.deepEqual(heads, [await eth.getBlockNumber()])
    eth.clearSubscriptions()
    await eventually(() => stage.server.simulation().node.subscriptions.eth.size === 0)
  },
}

overBoth({ eth: ethActs }, (t, { web3 }) => {
  t.deepEqual(Object.keys(ethActs).sort(), methodsOf(web3.eth))
})
