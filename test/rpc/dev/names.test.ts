/**
 * Every name that a client of another development node may use is answered, or refused by its name.
 */
import test from 'ava'
import type { Abi, Hex } from 'viem'
import { start } from '../../../src/index.ts'
import { ethSide } from '../../../src/rpc/sides.ts'
import { demoToken } from '../../helpers/contracts.ts'
import { localSimulation } from '../../helpers/ethSimulation.ts'

const both = (verbs: string, ...prefixes: readonly string[]) =>
  prefixes.flatMap((prefix) => verbs.split(' ').map((verb) => `${prefix}_${verb}`))

const names = [
  ...both(
    'mine getAutomine reset setBalance addBalance dealERC20 setCode setNonce setStorageAt setCoinbase setMinGasPrice ' +
      'setNextBlockBaseFeePerGas impersonateAccount stopImpersonatingAccount autoImpersonateAccount dropTransaction ' +
      'dropAllTransactions dumpState loadState metadata setLoggingEnabled setPrevRandao',
    'anvil',
    'hardhat',
  ),
  ...both(
    'setBlockTimestampInterval removeBlockTimestampInterval reset setBalance setCode setNonce setStorageAt setCoinbase ' +
      'setMinGasPrice setNextBlockBaseFeePerGas setLoggingEnabled setRpcUrl impersonateAccount stopImpersonatingAccount ' +
      'dropTransaction dumpState loadState',
    'anvil',
    'hardhat',
    'ganache',
  ),
  ...both(
    'mine_detailed setAutomine setIntervalMining increaseTime setNextBlockTimestamp setTime snapshot revert setBlockGasLimit',
    'anvil',
    'evm',
  ),
  ...both(
    'getIntervalMining setERC20Balance setERC20Allowance setChainId removePoolTransactions nodeInfo reorg rollback ' +
      'getGenesisTime impersonateSignature getBlobByHash getBlobsByTransactionHash setFeeToken setValidatorFeeToken ' +
      'setFeeAmmLiquidity dealTIP20 setNextBlockPrevRandao getLastBlockWallTime',
    'anvil',
  ),
  ...both('intervalMine addCompilationResult getStackTraceFailuresCount', 'hardhat'),
  ...both(
    'mine setAccountBalance setAccountNonce setAccountCode setAccountStorageAt addAccount removeAccount increaseBlocks getLatest',
    'evm',
  ),
  ...both(
    'setBalance addBalance setErc20Balance addErc20Balance setMaxErc20Balance setStorageAt setNextBlockTimestamp',
    'tenderly',
  ),
  ...both(
    'getApiLevel hasCode getInternalOperations traceTransaction getTransactionError getBlockDetails getBlockDetailsByHash ' +
      'getBlockTransactions searchTransactionsBefore searchTransactionsAfter getTransactionBySenderAndNonce getContractCreator',
    'ots',
  ),
  ...both(
    'sendUnsignedTransaction sendTransactionSync sendRawTransactionSync fillTransaction getAccountInfo getStorageValues ' +
      'getTransactionBySenderAndNonce pendingTransactions resend callMany callBundle simulateV1 mining',
    'eth',
  ),
  ...both('start stop setGasPrice setEtherbase setExtra', 'miner'),
  ...both('content contentFrom status inspect', 'txpool'),
  ...both('clearTxpool codeByHash dbGet storageRangeAt', 'debug'),
  'erigon_getHeaderByNumber',
  'rpc_modules',
  'net_peerCount',
  'net_listening',
  'web3_clientVersion',
  'chainstage_reorg',
  'chainstage_faucet',
]

test('every name is there', (t) => {
  t.true(new Set(names).size > 150)
  t.deepEqual(
    names.filter((name) => !ethSide.dialect.table.byName.has(name)),
    [],
  )
})

test('what cannot be had says why', (t) => {
  const chain = localSimulation()
  for (const name of [
    'anvil_setFeeToken',
    'eth_callBundle',
    'debug_dbGet',
    'anvil_getBlobByHash',
    'evm_getLatest',
    'anvil_impersonateSignature',
  ]) {
    t.regex(chain.call(name, '0x1').error?.message ?? '', /^not supported by chainstage: /, name)
  }
})

const [alice, bob] = ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', '0x70997970c51812dc3a010c7d01b50e0d17dc79c8']

test("Tenderly's names set balances of one account or several, tokens, storage, time and blocks", async (t) => {
  await using chain = await start({ ports: 'none' })
  const ask = <Answer = string>(method: string, ...params: unknown[]) => chain.eth.request<Answer>({ method, params })
  const wei = async (who: string) => BigInt(await ask('eth_getBalance', who, 'latest'))
  await ask('tenderly_setBalance', [alice, bob], '0x5')
  await ask('tenderly_addBalance', bob, '0x2')
  t.deepEqual([await wei(alice), await wei(bob)], [5n, 7n])
  await ask('tenderly_setBalance', alice, '0xde0b6b3a7640000')
  const { bytecode } = demoToken() as { abi: Abi; bytecode: Hex }
  const { contractAddress: token } = await ask<{ contractAddress: string }>('eth_sendTransactionSync', {
    from: alice,
    data: bytecode,
  })
  const tokens = async (who: string) =>
    BigInt(await ask('eth_call', { to: token, data: `0x70a08231${who.slice(2).padStart(64, '0')}` }, 'latest'))
  await ask('tenderly_setErc20Balance', token, [alice, bob], '0x64')
  await ask('tenderly_addErc20Balance', token, bob, '0x1')
  t.deepEqual([await tokens(alice), await tokens(bob)], [100n, 101n])
  await ask('tenderly_setMaxErc20Balance', token, bob)
  t.is(await tokens(bob), 2n ** 256n - 1n)
  const word = `0x${'ab'.repeat(32)}`
  await ask('tenderly_setStorageAt', bob, '0x1', word)
  t.deepEqual(await ask<unknown>('eth_getStorageValues', { [bob]: ['0x1', `0x${'0'.repeat(64)}`] }, 'latest'), {
    [bob]: [word, `0x${'0'.repeat(64)}`],
  })
  await ask('tenderly_setNextBlockTimestamp', 2_000_000_000)
  const hash = await ask('evm_increaseBlocks', '0x2')
  const head = await ask<{ hash: string; number: string }>('eth_getBlockByNumber', 'latest', false)
  t.is(head.hash, hash)
  t.is(
    (await ask<{ timestamp: string }>('eth_getBlockByNumber', `0x${(Number(head.number) - 1).toString(16)}`, false))
      .timestamp,
    '0x77359400',
  )
})

test('evm_increaseBlocks mines as many blocks as other calls may, and no more', async (t) => {
  await using chain = await start({ ports: 'none' })
  const increase = (blocks: string) => chain.eth.request({ method: 'evm_increaseBlocks', params: [blocks] })
  const message = 'expected at most 1000000 blocks, received 1000001'
  await t.throwsAsync(increase('0xf4241'), { message })
  const head = await chain.eth.request<{ hash: string }>({
    method: 'eth_getBlockByNumber',
    params: ['latest', false],
  })
  t.is(await increase('0x0'), head.hash)
})

test('what waits, accounts whole, and transactions by sender and nonce', async (t) => {
  await using chain = await start({ ports: 'none' })
  const ask = <Answer = string>(method: string, ...params: unknown[]) => chain.eth.request<Answer>({ method, params })
  const first = await ask('eth_sendTransaction', { from: alice, to: bob, value: '0x1' })
  await ask('evm_setAutomine', false)
  const second = await ask('eth_sendTransaction', { from: alice, to: bob, value: '0x2' })
  const waiting =
    await ask<
      {
        hash: string
        blockHash: null
        value: string
      }[]
    >('eth_pendingTransactions')
  t.deepEqual(
    waiting.map(({ hash, blockHash, value }) => [hash, blockHash, value]),
    [[second, null, '0x2']],
  )
  await ask('debug_clearTxpool')
  t.deepEqual(await ask<unknown>('eth_pendingTransactions'), [])
  t.is((await ask<{ hash: string }>('eth_getTransactionBySenderAndNonce', alice, '0x0')).hash, first)
  t.is(await ask<unknown>('eth_getTransactionBySenderAndNonce', alice, '0x9'), null)
  await ask('anvil_setCode', bob, '0x00')
  t.deepEqual(await ask<unknown>('eth_getAccountInfo', bob, 'latest'), {
    balance: await ask('eth_getBalance', bob, 'latest'),
    nonce: '0x0',
    code: '0x00',
  })
})

test('what is refused gives its reason for the parameters of other nodes too', (t) => {
  const chain = localSimulation()
  for (const [name, ...params] of [
    ['debug_storageRangeAt', `0x${'11'.repeat(32)}`, 0, `0x${'22'.repeat(20)}`, '0x', 10],
    ['debug_codeByHash', `0x${'11'.repeat(32)}`, null],
    ['anvil_impersonateSignature', '0x11', `0x${'22'.repeat(20)}`],
  ] as const) {
    t.regex(chain.call(name, ...params).error?.message ?? '', /^not supported by chainstage: /, name)
  }
})
