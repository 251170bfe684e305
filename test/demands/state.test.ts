/** What users asked of other tools (`peers.md` §4), C and D: state, wallets and clients. */
import { fileURLToPath } from 'node:url'
import anyTest, { type TestFn } from 'ava'
import { start } from '../../src/shell/start.ts'
import { withChain, type ChainContext } from '../../src/shell/testing/ava.ts'

const test = anyTest as TestFn<ChainContext>
withChain(test, { settings: { pace: 'manual' } })

type Chain = ChainContext['chain']
const call = <Result = unknown>(chain: Pick<Chain, 'eth'>, method: string, ...params: unknown[]) =>
  chain.eth.request<Result>({ method, params })
const stranger = '0x00000000000000000000000000000000000dec1d'
const [from, to] = ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', '0x70997970c51812dc3a010c7d01b50e0d17dc79c8']

test('demand 22: what is pruned is gone from memory, and the chain goes on', async (t) => {
  const { chain } = t.context
  chain.mine(300)
  chain.operate({ type: 'prune', below: 290n })
  t.true(chain.simulation().node.chain.history.records.storage.gone >= 2)
  await t.throwsAsync(chain.comet.call('block', { height: '5' }), { message: 'Internal error' })
  t.is(chain.mine(), 302)
})

test('demand 23: accounts, contracts and a past come out of a file, before the first answer', async (t) => {
  const scenario = fileURLToPath(new URL('../../../scenarios/token-demo.json5', import.meta.url))
  await using server = await start({
    scenario,
    ports: 'none',
    settings: { pace: 'manual' },
    vars: { users: '3', blocks: '10', transfers: '5', purchases: '3', days: '1' },
  })
  t.true(BigInt(await call<string>(server, 'eth_blockNumber')) > 10n)
  t.true((await call<string[]>(server, 'eth_accounts')).length >= 14)
})

test('demand 25: what one test does, another does not see, though they run at the same time', async (t) => {
  await using server = await start({ ports: 'none', settings: { pace: 'manual' } })
  await using one = server.session()
  await using other = server.session()
  const seen = async (chain: Pick<Chain, 'eth'>) => [
    await call(chain, 'eth_getBalance', stranger, 'latest'),
    await call(chain, 'eth_blockNumber'),
    await call(chain, 'eth_getTransactionCount', from, 'latest'),
  ]
  const untouched = await seen(other)
  await call(one, 'anvil_setBalance', stranger, '0x1')
  await call(one, 'eth_sendTransaction', { from, to, value: '0x1' })
  t.deepEqual(await seen(one), ['0x1', '0x2', '0x1'])
  t.deepEqual(await seen(other), untouched)
  t.deepEqual(await seen(server), untouched)
})

test('demand 28: a client that asks whether this is Anvil, Hardhat or Ganache can be told so', async (t) => {
  for (const [dialect, name] of [
    ['anvil', /^anvil\//],
    ['hardhat', /^HardhatNetwork\//],
    ['ganache', /^Ganache\//],
  ] as const) {
    await using server = await start({ ports: 'none', settings: { pace: 'manual', dialect } })
    t.regex(await call<string>(server, 'web3_clientVersion'), name)
  }
  const { chain } = t.context
  t.like(await call<object>(chain, 'anvil_nodeInfo'), { currentBlockNumber: '0x1', environment: { chainId: 31337 } })
  t.like(await call<object>(chain, 'hardhat_metadata'), { chainId: 31337 })
})

test('demand 29: an account that nobody has the key of sends, and any wallet gets funds', async (t) => {
  const { chain } = t.context
  chain.faucet(stranger, 10n ** 18n)
  await call(chain, 'anvil_impersonateAccount', stranger)
  const hash = await call(chain, 'eth_sendTransaction', { from: stranger, to, value: '0x5' })
  t.is((await call<{ status: string }>(chain, 'eth_getTransactionReceipt', hash)).status, '0x1')
})

test('demand 48: a sequence that is wrong is refused with the numbers, and many quick ones in order pass', async (t) => {
  const { chain } = t.context
  const send = (nonce: number) =>
    call<string>(chain, 'eth_sendTransaction', { from, to, value: '0x1', nonce: `0x${nonce.toString(16)}` })
  const hashes = await Promise.all(Array.from({ length: 12 }, (_, nonce) => send(nonce)))
  t.is(new Set(hashes).size, 12)
  t.is(await call(chain, 'eth_getTransactionCount', from, 'latest'), '0xc')
  await t.throwsAsync(send(3), { message: /nonce|sequence/ })
})
