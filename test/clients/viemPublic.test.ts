/** Every public action of viem, over HTTP and over WebSocket. */
import { encodeFunctionData, hashMessage, keccak256, parseEther, publicActions, type PublicActions } from 'viem'
import { abi, absent, actOnBoth, alice, bob, transferOne, type Act, type Stage } from '../helpers/viemStage.ts'
import { watches } from '../helpers/viemWatches.ts'

const noEns = 'no chain of ours has the contracts of ENS'
const event = abi[3]
const typed = {
  domain: { name: 'Demo', chainId: 31337 },
  types: { Note: [{ name: 'text', type: 'string' }] },
  primaryType: 'Note',
  message: { text: 'hi' },
} as const
const note = (account: Stage['client']) => account.signTypedData(typed)
const balanceOfBob = { abi, functionName: 'balanceOf', args: [bob] } as const

/** What is done with each action, or why it is not. */
const acts: Record<keyof PublicActions, Act | string> = {
  call: async (t, { client, token }) => {
    const data = encodeFunctionData(balanceOfBob)
    t.is(BigInt((await client.call({ to: token, data })).data ?? '0x0') >= 5n, true)
  },
  createAccessList: async (t, { client, token, sent }) => {
    const data = encodeFunctionData({ abi, functionName: 'transfer', args: [bob, 1n] })
    const { accessList, gasUsed } = await client.createAccessList({
      to: token,
      data,
      blockNumber: sent.blockNumber,
    })
    t.deepEqual(
      accessList.map((one) => one.address),
      [token.toLowerCase() as typeof token],
    )
    t.true(gasUsed > 21_000n)
  },
  createBlockFilter: async (t, { client }) => {
    const filter = await client.createBlockFilter()
    await client.sendTransaction({ to: bob, value: 1n })
    const { hash } = await client.getBlock()
    t.deepEqual(await client.getFilterChanges({ filter }), [hash])
  },
  createContractEventFilter: async (t, stage) => {
    const { client, token: address } = stage
    const filter = await client.createContractEventFilter({ abi, address, eventName: 'Transfer' })
    const hash = await transferOne(stage)
    const logs = await client.getFilterChanges({ filter })
    t.deepEqual(
      logs.map((log) => [log.transactionHash, log.args.value]),
      [[hash, 1n]],
    )
  },
  createEventFilter: async (t, { client, token: address, sent }) => {
    const filter = await client.createEventFilter({
      address,
      event,
      args: { to: bob },
      fromBlock: sent.blockNumber,
      toBlock: sent.blockNumber,
    })
    const logs = await client.getFilterLogs({ filter })
    t.deepEqual(
      logs.map((log) => log.args),
      [{ from: alice.address, to: bob, value: 5n }],
    )
  },
  createPendingTransactionFilter: async (t, { client }) => {
    const filter = await client.createPendingTransactionFilter()
    const hash = await client.sendTransaction({ to: bob, value: 1n })
    t.deepEqual(await client.getFilterChanges({ filter }), [hash])
  },
  estimateContractGas: async (t, { client, token: address, sent }) => {
    const gas = await client.estimateContractGas({
      address,
      abi,
      functionName: 'transfer',
      args: [bob, 1n],
      account: alice.address,
    })
    t.true(gas >= 21_000n && gas <= sent.gasUsed * 2n, `${gas}`)
  },
  estimateFeesPerGas: async (t, { client }) => {
    const { maxFeePerGas, maxPriorityFeePerGas } = await client.estimateFeesPerGas()
    t.true(maxFeePerGas >= maxPriorityFeePerGas)
  },
  estimateGas: async (t, { client }) => {
    t.is(await client.estimateGas({ to: bob, value: 1n }), 21_000n)
  },
  estimateMaxPriorityFeePerGas: async (t, { client }) => {
    t.is(typeof (await client.estimateMaxPriorityFeePerGas()), 'bigint')
  },
  fillTransaction: absent(({ client }) => client.fillTransaction({ to: bob, value: 1n })),
  getBalance: async (t, { client }) => {
    t.is(await client.getBalance({ address: bob, blockNumber: 1n }), parseEther('10000'))
  },
  getBlobBaseFee: absent(({ client }) => client.getBlobBaseFee()),
  getBlock: async (t, { client, sent }) => {
    const byNumber = await client.getBlock({ blockNumber: sent.blockNumber })
    const byHash = await client.getBlock({ blockHash: sent.blockHash, includeTransactions: true })
    t.deepEqual(byNumber.transactions, [sent.transactionHash])
    t.is(byHash.transactions[0]?.hash, sent.transactionHash)
    t.is(byNumber.hash, byHash.hash)
  },
  getBlockNumber: async (t, { client, sent }) => {
    t.true((await client.getBlockNumber()) >= sent.blockNumber)
  },
  getBlockReceipts: async (t, { client, sent }) => {
    const [byHash, byNumber] = [
      await client.getBlockReceipts({ blockHash: sent.blockHash }),
      await client.getBlockReceipts({ blockNumber: sent.blockNumber }),
    ]
    t.deepEqual(
      byHash.map((one) => one.transactionHash),
      [sent.transactionHash],
    )
    t.deepEqual(byHash, byNumber)
  },
  getBlockTransactionCount: async (t, { client, sent }) => {
    t.is(await client.getBlockTransactionCount({ blockHash: sent.blockHash }), 1)
    t.is(await client.getBlockTransactionCount({ blockNumber: sent.blockNumber }), 1)
  },
  getBytecode: async (t, { client, token: address }) => {
    t.regex((await client.getBytecode({ address })) ?? '', /^0x60/)
  },
  getChainId: async (t, { client }) => {
    t.is(await client.getChainId(), 31337)
  },
  getCode: async (t, { client, token: address }) => {
    t.is(await client.getCode({ address: bob }), undefined)
    t.regex((await client.getCode({ address })) ?? '', /^0x60/)
  },
  getContractEvents: async (t, { client, token: address, sent }) => {
    const logs = await client.getContractEvents({
      address,
      abi,
      eventName: 'Transfer',
      fromBlock: 1n,
      toBlock: sent.blockNumber,
    })
    t.deepEqual(
      logs.map((log) => log.args.value),
      [parseEther('1000000'), 5n],
    )
  },
  getDelegation: async (t, { client, token: address }) => {
    t.is(await client.getDelegation({ address }), undefined)
  },
  getEip712Domain: async (t, { client, token: address }) => {
    const {
      domain: { verifyingContract, ...domain },
    } = await client.getEip712Domain({ address })
    t.like(domain, { name: 'Demo', version: '1', chainId: 31337 })
    t.is(verifyingContract.toLowerCase(), address)
  },
  getEnsAddress: noEns,
  getEnsAvatar: noEns,
  getEnsName: noEns,
  getEnsResolver: noEns,
  getEnsText: noEns,
  getFeeHistory: async (t, { client }) => {
    const { baseFeePerGas, reward } = await client.getFeeHistory({
      blockCount: 2,
      rewardPercentiles: [10, 50],
    })
    t.is(baseFeePerGas.length, 3)
    t.deepEqual(
      reward?.map((one) => one.length),
      [2, 2],
    )
  },
  getFilterChanges: async (t, { client }) => {
    const filter = await client.createBlockFilter()
    t.deepEqual(await client.getFilterChanges({ filter }), [])
  },
  getFilterLogs: async (t, { client, token: address, sent: { blockHash, blockNumber } }) => {
    const filter = await client.createContractEventFilter({ abi, address, fromBlock: blockNumber })
    const [first] = await client.getFilterLogs({ filter })
    t.is(first?.blockHash, blockHash)
  },
  getGasPrice: async (t, { client }) => {
    t.true((await client.getGasPrice()) > 0n)
  },
  getLogs: async (t, { client, token: address, sent: { blockHash } }) => {
    const logs = await client.getLogs({ address, event, blockHash })
    t.deepEqual(
      logs.map((log) => log.args),
      [{ from: alice.address, to: bob, value: 5n }],
    )
  },
  getProof: async (t, { client, token: address, sent: { blockNumber } }) => {
    const slot = `0x${'00'.repeat(31)}02` as const
    const proof = await client.getProof({ address, storageKeys: [slot], blockNumber })
    t.is(proof.storageProof[0]?.value, parseEther('1000000'))
    t.true(proof.accountProof.length > 0)
  },
  getRawTransaction: async (t, { client, sent }) => {
    const raw = await client.getRawTransaction({ hash: sent.transactionHash })
    t.is(keccak256(raw ?? '0x'), sent.transactionHash)
  },
  getStorageAt: async (t, { client, token: address }) => {
    t.is(BigInt((await client.getStorageAt({ address, slot: '0x2' })) ?? 0), parseEther('1000000'))
  },
  getStorageValues: async (t, { client, token }) => {
    const slot = `0x${'00'.repeat(32)}` as const
    const values = await client.getStorageValues({ requests: { [token]: [slot] } })
    t.deepEqual(Object.values(values), [[await client.getStorageAt({ address: token, slot })]])
  },
  getTransaction: async (t, { client, sent }) => {
    const byHash = await client.getTransaction({ hash: sent.transactionHash })
    const byPlace = await client.getTransaction({ blockHash: sent.blockHash, index: 0 })
    const byNumber = await client.getTransaction({ blockNumber: sent.blockNumber, index: 0 })
    t.is(byHash.from, alice.address.toLowerCase() as typeof bob)
    t.deepEqual(byPlace, byHash)
    t.deepEqual(byNumber, byHash)
  },
  getTransactionConfirmations: async (t, { client, sent }) => {
    const { transactionHash: hash, blockNumber } = sent
    const head = await client.getBlockNumber()
    t.is(await client.getTransactionConfirmations({ hash }), head - blockNumber + 1n)
  },
  getTransactionCount: async (t, { client }) => {
    t.true((await client.getTransactionCount({ address: alice.address, blockTag: 'pending' })) >= 2)
  },
  getTransactionReceipt: async (t, { client, sent }) => {
    t.deepEqual(await client.getTransactionReceipt({ hash: sent.transactionHash }), sent)
  },
  multicall: async (t, { client, token: address }) => {
    const multicallAddress = '0xcA11bde05977b3631167028862bE2a173976CA11'
    for (const way of [{ multicallAddress } as const, { deployless: true } as const]) {
      const results = await client.multicall({
        contracts: [
          { address, ...balanceOfBob },
          { address, abi, functionName: 'symbol' },
        ],
        allowFailure: false,
        ...way,
      })
      t.is(results[1], 'DEMO')
      t.true(results[0] >= 5n)
    }
  },
  prepareTransactionRequest: async (t, { client }) => {
    const request = await client.prepareTransactionRequest({ to: bob, value: 1n })
    t.is(request.gas, 21_000n)
    t.is(request.type, 'eip1559')
  },
  readContract: async (t, { client, token: address }) => {
    t.is(await client.readContract({ address, abi, functionName: 'symbol' }), 'DEMO')
  },
  sendRawTransaction: async (t, { client }) => {
    const request = await client.prepareTransactionRequest({ to: bob, value: 1n })
    const serializedTransaction = await client.signTransaction(request)
    const hash = await client.sendRawTransaction({ serializedTransaction })
    t.is((await client.getTransactionReceipt({ hash })).status, 'success')
  },
  sendRawTransactionSync: async (t, { client }) => {
    const request = await client.prepareTransactionRequest({ to: bob, value: 1n })
    const serializedTransaction = await client.signTransaction(request)
    const { status } = await client.sendRawTransactionSync({ serializedTransaction })
    t.is(status, 'success')
  },
  simulate: async (t, { client }) => {
    const [block] = await client.simulate({ blocks: [{ calls: [{ to: bob }] }] })
    t.deepEqual(
      block?.calls.map(({ status, gasUsed }) => [status, gasUsed]),
      [['success', 21_000n]],
    )
  },
  simulateBlocks: async (t, { client }) => {
    const head = await client.getBlockNumber()
    const blocks = await client.simulateBlocks({ blocks: [{ calls: [] }, { calls: [] }] })
    t.deepEqual(
      blocks.map(({ number }) => number),
      [head + 1n, head + 2n],
    )
  },
  simulateCalls: async (t, { client, token: address }) => {
    const { results } = await client.simulateCalls({
      account: alice.address,
      calls: [{ to: address, abi, functionName: 'symbol' }, { to: bob }],
    })
    t.deepEqual(
      results.map(({ status }) => status),
      ['success', 'success'],
    )
    t.is(results[0]?.result, 'DEMO')
  },
  simulateContract: async (t, { client, token: address }) => {
    const { result } = await client.simulateContract({
      address,
      abi,
      functionName: 'transfer',
      args: [bob, 1n],
    })
    t.true(result)
  },
  token: async (t, { client, token }) => {
    t.like(await client.token.getMetadata({ token }), { symbol: 'DEMO', decimals: 18 })
    t.like(await client.token.getTotalSupply({ token }), { amount: parseEther('1000000') })
    t.like(await client.token.getAllowance({ token, account: alice.address, spender: bob }), {
      amount: 0n,
    })
    t.true((await client.token.getBalance({ token, account: bob })).amount >= 5n)
  },
  uninstallFilter: async (t, { client }) => {
    const filter = await client.createBlockFilter()
    t.true(await client.uninstallFilter({ filter }))
    t.false(await client.uninstallFilter({ filter }))
  },
  verifyHash: async (t, { client }) => {
    const signature = await client.signMessage({ message: 'hi' })
    const [hash, other] = [hashMessage('hi'), hashMessage('ho')]
    t.true(await client.verifyHash({ address: alice.address, hash, signature }))
    t.false(await client.verifyHash({ address: alice.address, hash: other, signature }))
  },
  verifyMessage: async (t, { client }) => {
    const signature = await client.signMessage({ message: 'hi' })
    t.true(await client.verifyMessage({ address: alice.address, message: 'hi', signature }))
    t.false(await client.verifyMessage({ address: bob, message: 'hi', signature }))
  },
  verifySiweMessage: 'it reads a text and then asks as verifyMessage does',
  verifyTypedData: async (t, { client }) => {
    const signature = await note(client)
    t.true(await client.verifyTypedData({ ...typed, address: alice.address, signature }))
  },
  waitForTransactionReceipt: async (t, { client, sent: { transactionHash: hash } }) => {
    t.is((await client.waitForTransactionReceipt({ hash })).status, 'success')
  },
  ...watches,
}

actOnBoth(acts, publicActions)
