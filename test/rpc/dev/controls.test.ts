import test from 'ava'
import { ethSimulation, localSimulation, type Asked } from '../../helpers/ethSimulation.ts'

function height({ call }: Asked): number {
  return Number(call('eth_blockNumber').result)
}

function timestamp({ call }: Asked): number {
  return Number((call('eth_getBlockByNumber', 'latest', false).result as { timestamp: string }).timestamp)
}

test('evm_mine makes a block', (t) => {
  const chain = ethSimulation()
  t.is(chain.call('evm_mine').result, '0x0')
  t.is(height(chain), 2)
})

test('anvil_mine makes blocks some seconds apart', (t) => {
  const chain = ethSimulation()
  chain.call('evm_mine')
  const before = timestamp(chain)
  t.is(chain.call('anvil_mine', '0x3', '0xa').result, null)
  t.is(height(chain), 5)
  t.true(timestamp(chain) - before >= 20)
})

for (const dialect of ['anvil', 'hardhat', 'ganache'] as const) {
  test(`evm_mine takes a timestamp, from which later blocks continue (${dialect})`, (t) => {
    const chain = localSimulation({ dialect })
    const at = timestamp(chain) + 1000
    chain.call('evm_mine', at)
    const timestamps = [timestamp(chain)]
    for (let block = 0; block < 3; block++) {
      chain.call('evm_mine')
      timestamps.push(timestamp(chain))
    }
    t.deepEqual(timestamps, [at, at + 1, at + 2, at + 3])
  })
}

test('evm_mine applies its timestamp to the first of several blocks', (t) => {
  const chain = localSimulation()
  const at = timestamp(chain) + 1000
  chain.call('evm_mine', { timestamp: at, blocks: 3 })
  t.is(timestamp(chain), at + 2)
})

test('evm_increaseTime moves block time by seconds and says the total', (t) => {
  const chain = ethSimulation()
  chain.call('evm_mine')
  const before = timestamp(chain)
  t.is(chain.call('evm_increaseTime', '0x64').result, 100)
  t.is(chain.call('evm_increaseTime', 100).result, 200)
  chain.call('evm_mine')
  t.true(timestamp(chain) - before >= 200 && timestamp(chain) - before <= 202)
})

test('evm_increaseTime returns whole seconds when block time is between two seconds', (t) => {
  const chain = localSimulation({ time: 'wall' })
  chain.tick(11)
  chain.call('evm_setNextBlockTimestamp', timestamp(chain) + 500)
  const { result } = chain.call('evm_increaseTime', 100)
  t.true(Number.isInteger(result), String(result))
})

test('evm_setTime moves block time and returns by how many seconds, as Anvil does', (t) => {
  const chain = localSimulation()
  const next = timestamp(chain) + 1
  t.is(chain.call('evm_setTime', next + 500).result, 500)
  t.is(chain.call('anvil_setTime', next + 700).result, 200)
  t.is(chain.call('evm_setTime', (next + 800) * 1000).result, 100)
  chain.call('evm_mine')
  t.is(timestamp(chain), next + 800)
  t.is(chain.call('evm_setTime', next + 800).result, 0)
})

test('evm_setTime counts from the second that has begun when block time is between two seconds', (t) => {
  const chain = localSimulation({ time: 'wall' })
  const at = timestamp(chain)
  chain.tick(11)
  t.is(chain.call('evm_setTime', at + 500).result, 500)
})

test('evm_setNextBlockTimestamp sets one and refuses the past', (t) => {
  const chain = ethSimulation()
  chain.call('evm_mine')
  const at = timestamp(chain) + 500
  t.is(chain.call('evm_setNextBlockTimestamp', at).result, null)
  chain.call('evm_mine')
  t.is(timestamp(chain), at)
  const refused = chain.call('evm_setNextBlockTimestamp', 1)
  t.is(refused.error?.code, -32602)
  t.regex(refused.error?.message ?? '', /seconds/)
})

for (const dialect of ['anvil', 'ganache'] as const) {
  test(`blocks may have the timestamp of the last one, as brownie's chain.mine asks for (${dialect})`, (t) => {
    const chain = localSimulation({ dialect })
    chain.call('evm_mine')
    const at = timestamp(chain)
    t.is(chain.call('evm_mine', at).result, '0x0')
    t.is(chain.call('evm_setNextBlockTimestamp', at).result, null)
    chain.call('evm_mine')
    t.deepEqual([height(chain), timestamp(chain)], [4, at])
    chain.call('evm_mine')
    t.is(timestamp(chain), at + 1)
  })
}

test('Hardhat refuses the timestamp of the last block', (t) => {
  const chain = localSimulation({ dialect: 'hardhat' })
  chain.call('evm_mine')
  const at = timestamp(chain)
  t.regex(chain.call('evm_mine', at).error?.message ?? '', /is not later than the last block's/)
  t.is(height(chain), 2)
})

test('block time stays in what RFC 3339 can hold', (t) => {
  const chain = ethSimulation()
  chain.call('evm_mine')
  const last = 253_402_300_799n
  const controls = [
    ['evm_setNextBlockTimestamp', '0xffffffffffffffff'],
    ['anvil_setNextBlockTimestamp', `0x1${'00'.repeat(15)}`],
    ['evm_setNextBlockTimestamp', `0x${(last + 1n).toString(16)}`],
    ['evm_increaseTime', `0x${last.toString(16)}`],
    ['evm_mine', '0xffffffffffffffff'],
    ['anvil_mine', '0x2', '0xffffffffff'],
    ['evm_setTime', '0xffffffffffffffff'],
  ] as const
  for (const [method, ...params] of controls) {
    const { error } = chain.call(method, ...params)
    t.is(error?.code, -32602, method)
    t.regex(error?.message ?? '', /at most 253402300799 seconds/, method)
  }
  chain.call('evm_setNextBlockTimestamp', `0x${last.toString(16)}`)
  chain.call('evm_mine')
  t.is(timestamp(chain), Number(last))
})

test('an interval with which the next block would come after the year 9999 is refused', (t) => {
  const chain = ethSimulation()
  chain.call('evm_mine')
  const { error } = chain.call('anvil_setBlockTimestampInterval', '0xffffffffffffffff')
  t.regex(error?.message ?? '', /^expected a time of at most 253402300799 seconds/)
  const before = timestamp(chain)
  chain.call('evm_mine')
  t.is(timestamp(chain), before + 1)
})

test('blocks are some block time apart when asked to be', (t) => {
  const chain = ethSimulation()
  chain.call('evm_mine')
  chain.call('anvil_setBlockTimestampInterval', 60)
  const before = timestamp(chain)
  chain.call('anvil_mine', 2)
  t.is(timestamp(chain) - before, 120)
})

test('anvil_removeBlockTimestampInterval says whether blocks were another interval apart', (t) => {
  const chain = localSimulation()
  t.is(chain.call('anvil_removeBlockTimestampInterval').result, false)
  chain.call('anvil_setBlockTimestampInterval', 60)
  t.is(chain.call('anvil_removeBlockTimestampInterval').result, true)
  t.is(chain.call('anvil_removeBlockTimestampInterval').result, false)
  const before = timestamp(chain)
  chain.call('anvil_mine', 2)
  t.is(timestamp(chain) - before, 2)
})

test('a checkpoint brings the chain back once, and takes younger ones with it', (t) => {
  const chain = ethSimulation()
  chain.call('evm_mine')
  const first = chain.call('evm_snapshot').result
  chain.call('evm_mine')
  const second = chain.call('evm_snapshot').result
  chain.call('evm_mine')
  t.is(chain.call('evm_revert', first).result, true)
  t.is(height(chain), 2)
  t.is(chain.call('evm_revert', first).result, false)
  t.is(chain.call('evm_revert', second).result, false)
})

test('evm_revert takes the number of a checkpoint, as Anvil does, and names what it expected', (t) => {
  const { call } = localSimulation()
  const id = Number(call('evm_snapshot').result)
  t.is(call('evm_revert', 99).result, false)
  t.is(call('evm_revert', id).result, true)
  t.regex(call('evm_revert', {}).error?.message ?? '', /expected the id of a checkpoint.*evm_snapshot.*received \{\}/)
})

test('anvil_reset goes back to the start', (t) => {
  const chain = ethSimulation()
  chain.call('anvil_mine', 5)
  t.is(chain.call('anvil_reset', { forking: { blockNumber: null } }).result, null)
  t.is(height(chain), 1)
  chain.call('evm_mine')
  t.is(height(chain), 2)
})

test('interval mining makes blocks as time passes, and stops', (t) => {
  const chain = ethSimulation()
  chain.call('evm_setIntervalMining', 2)
  t.is(chain.call('anvil_getIntervalMining').result, 2)
  chain.tick(6000)
  t.is(height(chain), 4)
  chain.call('evm_setIntervalMining', 0)
  chain.tick(6000)
  t.is(height(chain), 4)
  t.is(chain.call('anvil_getIntervalMining').result, null)
})

for (const [dialect, modes] of [
  ['anvil', ['interval', 'interval', 'auto', 'interval', 'manual']],
  ['hardhat', ['mixed', 'interval', 'mixed', 'mixed', 'auto']],
  ['ganache', ['mixed', 'interval', 'mixed', 'mixed', 'auto']],
] as const) {
  test(`interval mining and automine exclude each other as in Anvil, or are independent (${dialect})`, (t) => {
    const chain = localSimulation({ dialect })
    const calls = [
      ['evm_setIntervalMining', 4000],
      ['evm_setAutomine', false],
      ['evm_setAutomine', true],
      ['evm_setIntervalMining', 4000],
      ['evm_setIntervalMining', 0],
    ] as const
    const seen = calls.map(([method, value]) => {
      chain.call(method, value)
      return chain.simulation().node.chain.policy.mode
    })
    t.deepEqual(seen, modes)
  })
}

test('with an interval, a transaction waits for its block, as in Anvil', (t) => {
  const chain = localSimulation()
  chain.call('anvil_setIntervalMining', 2)
  const [from, to] = chain.call('eth_accounts').result as readonly string[]
  const hash = chain.call('eth_sendTransaction', { from, to, value: '0x1' }).result
  t.is(chain.call('eth_getTransactionReceipt', hash).result, null)
  chain.tick(2000)
  t.like(chain.call('eth_getTransactionReceipt', hash).result, { status: '0x1' })
})

test('automine is turned on and off', (t) => {
  const chain = ethSimulation()
  t.is(chain.call('anvil_getAutomine').result, false)
  chain.call('evm_setAutomine', true)
  t.is(chain.call('hardhat_getAutomine').result, true)
})

test('subscribers hear of mined blocks, filters gather them', (t) => {
  const chain = ethSimulation()
  const [subscribed = ''] = chain.over(1, '{"jsonrpc":"2.0","id":"s","method":"eth_subscribe","params":["newHeads"]}')
  const id = (JSON.parse(subscribed) as { result: string }).result
  const filter = chain.call('eth_newBlockFilter').result
  const heads = chain.over(1, '{"jsonrpc":"2.0","id":2,"method":"anvil_mine","params":[2]}')
  t.is(heads.length, 3)
  const pushed = JSON.parse(heads[0] ?? '') as {
    params: { subscription: string; result: { hash: string; number: string } }
  }
  t.is(pushed.params.subscription, id)
  t.is(pushed.params.result.number, '0x2')
  const hashes = chain.call('eth_getFilterChanges', filter).result as string[]
  t.is(hashes.length, 2)
  t.is(hashes[0], pushed.params.result.hash)
  t.deepEqual(chain.call('eth_getFilterChanges', filter).result, [])
  t.is(chain.call('eth_uninstallFilter', filter).result, true)
  t.is(chain.call('eth_getFilterChanges', filter).error?.message, `filter ${String(filter)} not found`)
  t.deepEqual(chain.over(1, `{"jsonrpc":"2.0","id":3,"method":"eth_unsubscribe","params":["${id}"]}`), [
    '{"jsonrpc":"2.0","id":3,"result":true}\n',
  ])
  t.is(chain.over(1, '{"jsonrpc":"2.0","id":4,"method":"evm_mine"}').length, 1)
})

test('the cap on filters is text where the node answers so', (t) => {
  const chain = ethSimulation({ filterCap: 1, quirks: ['filter-cap-as-text'] })
  t.regex(String(chain.call('eth_newBlockFilter').result), /^0x/)
  t.is(chain.call('eth_newBlockFilter').result, 'error creating block filter: max limit reached')
  t.is(chain.call('eth_newFilter', {}).error?.message, 'error creating filter: max limit reached')
})

test('a filter that nobody polls is gone after five minutes', (t) => {
  const chain = ethSimulation()
  const filter = chain.call('eth_newBlockFilter').result
  chain.tick(300_001)
  t.is(chain.call('eth_getFilterChanges', filter).error?.code, -32000)
})

test('a receipt of an unknown hash is null at once, or waits as the node does', (t) => {
  const unknown = `0x${'11'.repeat(32)}`
  t.is(ethSimulation().call('eth_getTransactionReceipt', unknown).result, null)
  const faithful = ethSimulation({ quirks: ['receipt-blocks-on-unknown'], mempoolMaxTxs: -1 })
  t.throws(() => faithful.call('eth_getTransactionReceipt', unknown), { message: /not answered/ })
  const [late = ''] = faithful.tick(30_000)
  t.deepEqual(JSON.parse(late), { jsonrpc: '2.0', id: 1, error: { code: -32002, message: 'request timed out' } })
})

test('the newest block is found by number, tag and hash', (t) => {
  const chain = ethSimulation()
  chain.call('evm_mine')
  const block = chain.call('eth_getBlockByNumber', 'latest', false).result as { hash: string; parentHash: string }
  t.deepEqual(chain.call('eth_getBlockByHash', block.hash, false).result, block)
  t.deepEqual(chain.call('eth_getBlockByNumber', '0x2', true).result, { ...block })
  t.is((chain.call('eth_getBlockByNumber', 'earliest', false).result as { hash: string }).hash, block.parentHash)
  t.is(chain.call('eth_getBlockByNumber', '0x9', false).result, null)
})

test('new accounts are the same every time and sign', (t) => {
  const made = () => ethSimulation().call('personal_newAccount', 'pw').result
  t.is(made(), made())
  const chain = ethSimulation()
  const address = chain.call('personal_newAccount', 'pw').result
  t.deepEqual(chain.call('eth_accounts').result, [address])
  const signature = chain.call('personal_sign', '0x68656c6c6f', address, '').result
  t.is(chain.call('personal_ecRecover', '0x68656c6c6f', signature).result, address)
})
