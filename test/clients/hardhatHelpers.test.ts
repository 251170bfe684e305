/** hardhat-network-helpers as their users run them: in a Hardhat project, against the node. */
import test, { type ExecutionContext } from 'ava'
import { rpc } from '../helpers/control.ts'
import { hardhatProject, runHardhat } from '../helpers/hardhat.ts'
import { startLocal } from '../helpers/server.ts'

const config = (url: string): string => `
module.exports = { solidity: '0.8.24', networks: { chainstage: { url: '${url}' } } }
`

// Every helper that the package exports is run, or the last test of the project fails.
const suite = `
const assert = require('node:assert/strict')
const { network } = require('hardhat')
const all = require('@nomicfoundation/hardhat-network-helpers')
const used = new Set()
const watched = (object, prefix) => new Proxy(object, {
  get: (from, name) => {
    const value = from[name]
    if (name === 'time' || name === 'duration') return watched(value, prefix + name + '.')
    used.add(prefix + name)
    return value
  },
})
const helpers = watched(all, '')
const { time } = helpers
const ask = (method, ...params) => network.provider.request({ method, params })
const height = async () => Number(await ask('eth_blockNumber'))
const block = () => ask('eth_getBlockByNumber', 'latest', false)
const whale = '0x1111111111111111111111111111111111111111'
const bob = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

describe('helpers', () => {
  beforeEach(() => helpers.reset())

  it('mine', async () => {
    const before = await height()
    await helpers.mine()
    assert.equal(await height(), before + 1)
    const at = Number((await block()).timestamp)
    await helpers.mine(3, { interval: 60 })
    assert.equal(await height(), before + 4)
    const gone = Number((await block()).timestamp) - at
    assert.ok(gone >= 120 && gone <= 185, String(gone))
    await helpers.mineUpTo(before + 20)
    assert.equal(await height(), before + 20)
    await time.advanceBlock()
    await time.advanceBlockTo(before + 22)
    assert.equal(await height(), before + 22)
    await assert.rejects(helpers.mineUpTo(1), /not larger than current block number/)
  })
  it('time', async () => {
    const before = await time.latest()
    assert.equal(await time.latestBlock(), await height())
    const at = await time.increase(time.duration.days(2))
    assert.equal(at, before + 172800)
    assert.equal(await time.latest(), at)
    await time.increaseTo(at + 1000)
    assert.equal(await time.latest(), at + 1000)
    await assert.rejects(time.increaseTo(at), /not later than the last block/)
    await time.setNextBlockTimestamp(at + 5000)
    assert.equal(await time.latest(), at + 1000)
    await helpers.mine()
    assert.equal(await time.latest(), at + 5000)
  })
  it('time.duration', () => {
    const { years, weeks, days, hours, minutes, seconds, millis } = time.duration
    assert.deepEqual([years(1), weeks(1), days(1), hours(1), minutes(1), seconds(1), millis(1500)],
      [31536000, 604800, 86400, 3600, 60, 1, 1])
  })
  it('accounts', async () => {
    await helpers.setBalance(whale, 10n ** 18n)
    assert.equal(BigInt(await ask('eth_getBalance', whale, 'latest')), 10n ** 18n)
    await helpers.setCode(whale, '0x60016000')
    assert.equal(await ask('eth_getCode', whale, 'latest'), '0x60016000')
    await helpers.setNonce(bob, 9)
    assert.equal(await ask('eth_getTransactionCount', bob, 'latest'), '0x9')
    await assert.rejects(helpers.setNonce(bob, 1), /expected a nonce of at least 9, received 1/)
    await helpers.setStorageAt(whale, 3, 77)
    assert.equal(BigInt(await helpers.getStorageAt(whale, 3)), 77n)
    assert.equal(BigInt(await helpers.getStorageAt(whale, 4, 'latest')), 0n)
    await assert.rejects(helpers.setBalance('0x12', 1), /not a valid address/)
  })
  it('blocks', async () => {
    await helpers.setCoinbase(whale)
    await helpers.setNextBlockBaseFeePerGas(2_000_000_000)
    await helpers.mine()
    assert.equal((await block()).miner, whale)
    assert.equal(Number((await block()).baseFeePerGas), 2_000_000_000)
    await helpers.setBlockGasLimit(12_345_678)
    await helpers.mine(2)
    assert.equal(Number((await block()).gasLimit), 12_345_678)
  })
  it('setPrevRandao', async () => {
    await helpers.setPrevRandao(5)
    await helpers.mine()
    assert.equal(BigInt((await block()).mixHash), 5n)
  })
  it('impersonation', async () => {
    await helpers.setBalance(whale, 10n ** 18n)
    const send = () => ask('eth_sendTransaction', { from: whale, to: bob, value: '0x1' })
    await assert.rejects(send())
    await helpers.impersonateAccount(whale)
    const { from, status } = await ask('eth_getTransactionReceipt', await send())
    assert.deepEqual([from, status], [whale, '0x1'])
    await helpers.stopImpersonatingAccount(whale)
    await assert.rejects(send())
  })
  it('dropTransaction', async () => {
    await ask('evm_setAutomine', false)
    const [from] = await ask('eth_accounts')
    const hash = await ask('eth_sendTransaction', { from, to: bob, value: '0x1' })
    assert.equal(await helpers.dropTransaction(hash), true)
    assert.equal(await helpers.dropTransaction('0x' + '12'.repeat(32)), false)
    await helpers.mine()
    assert.equal(await ask('eth_getTransactionReceipt', hash), null)
    await ask('evm_setAutomine', true)
  })
  it('takeSnapshot', async () => {
    const before = await height()
    const snapshot = await helpers.takeSnapshot()
    for (let times = 0; times < 2; times++) {
      await helpers.mine(5)
      await snapshot.restore()
      assert.equal(await height(), before)
    }
  })
  it('loadFixture', async () => {
    let made = 0
    async function fixture() {
      made++
      await helpers.setBalance(whale, 5)
      return 'made'
    }
    for (let times = 0; times < 3; times++) {
      assert.equal(await helpers.loadFixture(fixture), 'made')
      assert.equal(BigInt(await ask('eth_getBalance', whale, 'latest')), 5n)
      await helpers.setBalance(whale, 6)
    }
    assert.equal(made, 1)
    await helpers.clearSnapshots()
    await helpers.loadFixture(fixture)
    assert.equal(made, 2)
  })
  it('reset', async () => {
    await helpers.mine(7)
    await helpers.reset()
    assert.ok(await height() <= 1)
    await assert.rejects(helpers.reset('http://127.0.0.1:1'), /jsonRpcUrl/)
  })
  it('nothing is left out', () => {
    const names = (object, prefix) => Object.keys(object).flatMap((name) => (
      name === 'time' || name === 'duration' ? names(object[name], prefix + name + '.') : [prefix + name]
    ))
    assert.deepEqual(names(all, '').filter((name) => !used.has(name)), [])
  })
})
`

test('hardhat-network-helpers do to the node what they do to Hardhat', async (t) => {
  await using server = await startLocal({ dialect: 'hardhat' })
  const { eth } = server.urls
  const folder = hardhatProject({
    'package.json': '{ "name": "demo", "private": true }',
    'hardhat.config.cjs': config(eth),
    'test/helpers.js': suite,
  })
  const { code, out } = await runHardhat(folder, ['--config', 'hardhat.config.cjs', 'test', '--no-compile'])
  t.is(code, 0, out)
  t.regex(out, /12 passing/)
})

type Send = (method: string, ...params: readonly unknown[]) => Promise<unknown>

/**
 * Which names the helpers of each version run on (`peers.md` §2.2); these are their own words for
 * it.
 */
const gates = {
  v2: ['hardhatnetwork', 'zksync', 'anvil'],
  v3: ['hardhat', 'zksync', 'anvil'],
} as const

/** What the helpers of version 3 send, and of which type they insist each answer is. */
async function helpersOf3(t: ExecutionContext, send: Send): Promise<void> {
  const whale = '0x1111111111111111111111111111111111111111'
  const height = async () => BigInt((await send('eth_blockNumber')) as string)
  const before = await height()
  await send('hardhat_mine', '0x3', '0x3c')
  t.is(await height(), before + 3n)
  const snapshot = await send('evm_snapshot')
  t.is(typeof snapshot, 'string')
  await send('hardhat_setStorageAt', whale, '0x3', `0x${'4d'.padStart(64, '0')}`)
  t.is(BigInt((await send('eth_getStorageAt', whale, '0x3', 'latest')) as string), 0x4dn)
  await send('hardhat_mine', '0x1')
  t.is(await send('evm_revert', snapshot), true)
  t.is(await send('evm_revert', snapshot), false)
  t.is(await height(), before + 3n)
  t.is(await send('hardhat_dropTransaction', `0x${'12'.repeat(32)}`), false)
  const { timestamp } = (await send('eth_getBlockByNumber', 'latest', false)) as { timestamp: string }
  await send('evm_setNextBlockTimestamp', `0x${(BigInt(timestamp) + 500n).toString(16)}`)
  await send('hardhat_mine')
  const next = (await send('eth_getBlockByNumber', 'latest', false)) as { timestamp: string }
  t.is(BigInt(next.timestamp), BigInt(timestamp) + 500n)
}

test('the helpers of Hardhat 3 run on the chain as it starts and in the dialect of Hardhat, as those of 2 do', async (t) => {
  await using server = await startLocal()
  for (const path of ['', '/anvil', '/hardhat']) {
    const send: Send = (method, ...params) => rpc(`${server.urls.eth}${path}`, method, ...params)
    const name = ((await send('web3_clientVersion')) as string).toLowerCase()
    for (const known of [gates.v2, gates.v3]) {
      t.true(
        known.some((one) => name.startsWith(one)),
        `${path} ${name}`,
      )
    }
    await helpersOf3(t, send)
  }
  const ganache = ((await rpc(`${server.urls.eth}/ganache`, 'web3_clientVersion')) as string).toLowerCase()
  t.false(gates.v3.some((one) => ganache.startsWith(one)))
})
