import test from 'ava'
import { createPublicClient, createWalletClient, custom, encodeFunctionData, type Abi, type Address } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { start } from '../../../src/index.ts'
import { compileSolidity } from '../../helpers/contracts.ts'
import { localSimulation } from '../../helpers/ethSimulation.ts'
import { chainOf } from '../../helpers/server.ts'

const account = mnemonicToAccount('test test test test test test test test test test test junk')
const bob: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

const source = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
contract Child {}
contract Factory {
  event Made(address child);
  function make(address payable to) external payable {
    emit Made(address(new Child()));
    to.transfer(msg.value);
  }
  function refuse() external pure { revert("no"); }
}`

test('an explorer finds its way: details, pages, searches, inner calls, creators', async (t) => {
  await using chain = await start({ ports: 'none' })
  const ask = <Result>(method: string, ...params: unknown[]) => chain.eth.request<Result>({ method, params })
  const reader = createPublicClient({ transport: custom(chain.eth) })
  const writer = createWalletClient({ account, chain: chainOf('http://nowhere.invalid'), transport: custom(chain.eth) })
  const { abi, bytecode } = compileSolidity(source)['Factory'] as unknown as {
    abi: Abi
    bytecode: `0x${string}`
  }
  const deployed = await writer.deployContract({ abi, bytecode, args: [] })
  const factory = (await reader.getTransactionReceipt({ hash: deployed })).contractAddress as Address
  const made = await writer.sendTransaction({
    to: factory,
    data: encodeFunctionData({ abi, functionName: 'make', args: [bob] }),
    value: 9n,
    gas: 500_000n,
  })
  const receipt = await reader.getTransactionReceipt({ hash: made })
  const child = `0x${receipt.logs[0]?.data.slice(26) ?? ''}`
  const failed = await writer.sendTransaction({
    to: factory,
    data: encodeFunctionData({ abi, functionName: 'refuse', args: [] }),
    gas: 100_000n,
  })

  t.is(await ask('ots_getApiLevel'), 8)
  t.true(await ask('ots_hasCode', factory, 'latest'))
  t.false(await ask('ots_hasCode', bob, 'latest'))
  t.deepEqual(await ask('ots_getContractCreator', factory), { hash: deployed, creator: account.address.toLowerCase() })
  t.deepEqual(await ask('ots_getContractCreator', child), { hash: made, creator: factory.toLowerCase() })
  t.is(await ask('ots_getContractCreator', bob), null)
  t.is(await ask('ots_getTransactionBySenderAndNonce', account.address, 1), made)
  t.deepEqual(await ask('ots_getInternalOperations', made), [
    { type: 2, from: factory.toLowerCase(), to: child, value: '0x0' },
    { type: 0, from: factory.toLowerCase(), to: bob.toLowerCase(), value: '0x9' },
  ])
  const calls = await ask<{ type: string; depth: number }[]>('ots_traceTransaction', made)
  t.deepEqual(
    calls.map(({ type, depth }) => [type, depth]),
    [
      ['CALL', 0],
      ['CREATE', 1],
      ['CALL', 1],
    ],
  )
  t.regex(await ask<string>('ots_getTransactionError', failed), /^0x08c379a0/)
  t.is(await ask('ots_getTransactionError', made), '0x')

  const details = await ask<{ block: { transactionCount: number }; totalFees: string }>(
    'ots_getBlockDetails',
    receipt.blockNumber.toString(),
  ).catch(() =>
    ask<{ block: { transactionCount: number }; totalFees: string }>(
      'ots_getBlockDetails',
      `0x${receipt.blockNumber.toString(16)}`,
    ),
  )
  t.is(details.block.transactionCount, 1)
  t.is(BigInt(details.totalFees), receipt.gasUsed * receipt.effectiveGasPrice)
  t.deepEqual(await ask('ots_getBlockDetailsByHash', receipt.blockHash), details)
  const page = await ask<{ fullblock: { transactions: { hash: string }[] }; receipts: unknown[] }>(
    'ots_getBlockTransactions',
    `0x${receipt.blockNumber.toString(16)}`,
    0,
    10,
  )
  t.is(page.fullblock.transactions[0]?.hash, made)

  type Found = { txs: { hash: string }[]; firstPage: boolean; lastPage: boolean }
  const all = await ask<Found>('ots_searchTransactionsBefore', factory, 0, 25)
  t.deepEqual([all.txs.map(({ hash }) => hash), all.firstPage, all.lastPage], [[failed, made, deployed], true, true])
  const after = await ask<Found>('ots_searchTransactionsAfter', factory, 0, 2)
  t.deepEqual([after.txs.map(({ hash }) => hash), after.firstPage, after.lastPage], [[made, deployed], false, true])
  await t.throwsAsync(ask('ots_searchTransactionsBefore', factory, 0, 0), { message: /a page of 1 to 1000/ })
})

test('the creator of a contract that no other created is found without old states', (t) => {
  const chain = localSimulation({}, { states: { recent: 2n, interval: 1n } })
  const [from] = chain.call('eth_accounts').result as [Address]
  const hash = chain.call('eth_sendTransaction', { from, data: '0x6001600c60003960016000f300' }).result
  const { contractAddress } = chain.call('eth_getTransactionReceipt', hash).result as { contractAddress: string }
  for (let block = 0; block < 20; block++) chain.command({ type: 'produceBlock' })
  t.truthy(chain.call('eth_getCode', contractAddress, '0x2').error)
  t.deepEqual(chain.call('ots_getContractCreator', contractAddress).result, { hash, creator: from.toLowerCase() })
})

test('a creation that left no code has not created the contract that an operator sets later', (t) => {
  const chain = localSimulation({}, {})
  const [from] = chain.call('eth_accounts').result as [Address]
  const hash = chain.call('eth_sendTransaction', { from, data: '0x00' }).result
  const { contractAddress } = chain.call('eth_getTransactionReceipt', hash).result as { contractAddress: string }
  chain.call('anvil_setCode', contractAddress, '0x00')
  chain.command({ type: 'produceBlock' })
  t.true(chain.call('ots_hasCode', contractAddress, 'latest').result)
  t.is(chain.call('ots_getContractCreator', contractAddress).result, null)
})
