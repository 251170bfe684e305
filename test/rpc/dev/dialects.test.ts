import test from 'ava'
import type { Settings } from '../../../src/settings/settings.ts'
import { rpc, startControlled } from '../../helpers/control.ts'

type Expected = readonly [method: string, params: readonly unknown[], result: unknown]

const answers = test.macro(
  async (t, path: string, settings: Partial<Pick<Settings, 'dialect'>>, expected: readonly Expected[]) => {
    await using server = await startControlled({ pace: 'manual', ...settings })
    for (const [method, params, result] of expected) {
      t.deepEqual(await rpc(`${server.urls.eth}${path}`, method, ...params), result, method)
    }
    t.is(server.simulation().node.chain.policy.intervalMs, 5000n)
  },
)

const hardhat: readonly Expected[] = [
  ['evm_mine', [], '0'],
  ['evm_increaseTime', [100], '100'],
  ['evm_increaseTime', ['0x1'], '101'],
  ['evm_setNextBlockTimestamp', [2_000_000_000], '2000000000'],
  ['evm_setAutomine', [false], true],
  ['evm_setIntervalMining', [5000], true],
  ['hardhat_setNonce', [`0x${'11'.repeat(20)}`, '0x1'], true],
  ['hardhat_dropTransaction', [`0x${'11'.repeat(32)}`], false],
]
const anvil: readonly Expected[] = [
  ['evm_mine', [], '0x0'],
  ['evm_increaseTime', [100], 100],
  ['evm_setNextBlockTimestamp', [2_000_000_000], null],
  ['evm_setAccountNonce', [`0x${'11'.repeat(20)}`, '0x1'], null],
  ['evm_setAutomine', [false], null],
  ['evm_setIntervalMining', [5], null],
]
const ganache: readonly Expected[] = [
  ['evm_mine', [{ blocks: '0x2' }], '0x0'],
  ['evm_increaseTime', [100], 100],
  ['evm_setTime', [1_900_000_000_000], 164_310_397],
  ['evm_setAccountNonce', [`0x${'11'.repeat(20)}`, '0x1'], true],
  ['eth_getLogs', [{ fromBlock: 1, toBlock: 2 }], []],
  ['miner_stop', [], true],
  ['eth_mining', [], false],
  ['miner_start', [], true],
  ['evm_setIntervalMining', [5], null],
]
test('units and answers are those of Hardhat on its path', answers, '/hardhat', {}, hardhat)
test('units and answers are those of Hardhat with --dialect hardhat', answers, '', { dialect: 'hardhat' }, hardhat)
test('units and answers are those of Anvil when nothing is said', answers, '', {}, anvil)
test('the path counts more than the setting', answers, '/anvil', { dialect: 'hardhat' }, anvil)
test('units and answers are those of Ganache on its path', answers, '/ganache', {}, ganache)

test('a filter with JSON numbers is read on the path of Ganache alone, in whatever order the paths are asked', async (t) => {
  await using server = await startControlled()
  const filter = { fromBlock: 1, toBlock: 1 }
  const refused = { message: /hex string without 0x prefix/ }
  await t.throwsAsync(rpc(server.urls.eth, 'eth_getLogs', filter), refused)
  t.deepEqual(await rpc(`${server.urls.eth}/ganache`, 'eth_getLogs', filter), [])
  await t.throwsAsync(rpc(server.urls.eth, 'eth_getLogs', filter), refused)
})

test('a client that names Hardhat in its User-Agent gets the dialect of Hardhat, unless another is chosen', async (t) => {
  await using server = await startControlled()
  await using chosen = await startControlled({ dialect: 'anvil' })
  await using plain = await startControlled({ ethApi: ['eth', 'net', 'web3', 'debug'] })
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'evm_mine', params: [] })
  const mine = async (url: string, agent: string) => {
    const headers = { 'content-type': 'application/json', 'user-agent': agent }
    return ((await (await fetch(url, { method: 'POST', headers, body })).json()) as { result?: unknown }).result
  }
  t.is(await mine(server.urls.eth, 'hardhat 2.26.3'), '0')
  t.is(await mine(`${server.urls.eth}/s/one`, 'Hardhat/3.1'), '0')
  t.is(await mine(`${server.urls.eth}/anvil`, 'hardhat 2.26.3'), '0x0')
  t.is(await mine(server.urls.eth, 'hardhatter'), '0x0')
  t.is(await mine(chosen.urls.eth, 'hardhat 2.26.3'), '0x0')
  t.is(await mine(plain.urls.eth, 'hardhat 2.26.3'), undefined)
})

test('the name of the client lets test helpers run', async (t) => {
  await using server = await startControlled()
  const nameOf = (path: string) => rpc(`${server.urls.eth}${path}`, 'web3_clientVersion')
  t.regex(String(await nameOf('')), /^anvil\//)
  t.regex(String(await nameOf('/hardhat')), /^HardhatNetwork\//)
  t.regex(String(await nameOf('/s/one/ganache')), /^Ganache\//)
})

test("a name that is nowhere is not supported in Hardhat's words", async (t) => {
  await using server = await startControlled()
  await t.throwsAsync(rpc(`${server.urls.eth}/hardhat`, 'hardhat_teleport'), { message: /-32004/ })
  await t.throwsAsync(rpc(server.urls.eth, 'hardhat_teleport'), { message: /-32601/ })
})

test('a send that fails in its block rejects as on Hardhat, and is mined all the same', async (t) => {
  await using server = await startControlled({ blocks: 'auto' })
  const [from, to] = ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', '0x00000000000000000000000000000000000c0de1']
  const send = (path: string, code: string) =>
    rpc(server.urls.eth, 'anvil_setCode', to, code).then(() =>
      rpc(`${server.urls.eth}${path}`, 'eth_sendTransaction', { from, to, gas: '0x186a0' }),
    )
  await t.throwsAsync(send('/hardhat', '0x60aa5f5360015ffd'), {
    message: /execution reverted \(transaction 0x[0-9a-f]{64}\)/,
  })
  await t.throwsAsync(send('/hardhat', '0x5b5f56'), { message: /out of gas/ })
  t.is(await rpc(server.urls.eth, 'eth_getTransactionCount', from, 'latest'), '0x2')
  t.regex(String(await send('/hardhat', '0x00')), /^0x[0-9a-f]{64}$/)
  t.regex(String(await send('', '0x60aa5f5360015ffd')), /^0x[0-9a-f]{64}$/, 'Anvil returns the hash')
})

test('a wrong type names the unit that was expected', async (t) => {
  await using server = await startControlled()
  await t.throwsAsync(rpc(server.urls.eth, 'evm_increaseTime', 'soon'), { message: /whole number of seconds/ })
  await t.throwsAsync(rpc(server.urls.eth, 'evm_setIntervalMining', [1, 2]), {
    message: /milliseconds in the Hardhat dialect/,
  })
  await t.throwsAsync(rpc(server.urls.eth, 'anvil_setBalance', `0x${'11'.repeat(20)}`, '1.5'), {
    message: /whole number of wei/,
  })
})
