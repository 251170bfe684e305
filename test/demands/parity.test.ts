/** What users asked of other tools (`peers.md` §4), E, F and G: parity, operations, Cosmos. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import anyTest, { type TestFn } from 'ava'
import { encodeFunctionData, parseAbi } from 'viem'
import { start } from '../../src/shell/start.ts'
import { withChain, type ChainContext } from '../../src/shell/testing/ava.ts'
import { scratch } from '../helpers/cli.ts'

const test = anyTest as TestFn<ChainContext>
withChain(test, { settings: { pace: 'manual' } })

type Chain = ChainContext['chain']
const call = <Result = unknown>(chain: Pick<Chain, 'eth'>, method: string, ...params: unknown[]) =>
  chain.eth.request<Result>({ method, params })
const [from, to] = ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', '0x70997970c51812dc3a010c7d01b50e0d17dc79c8']
const send = (chain: Chain) => call<string>(chain, 'eth_sendTransaction', { from, to, value: '0x1' })

test('demand 30: all receipts of a block come at once', async (t) => {
  const { chain } = t.context
  const hash = await send(chain)
  const receipts = await call<{ transactionHash: string }[]>(chain, 'eth_getBlockReceipts', 'latest')
  t.deepEqual(
    receipts.map(({ transactionHash }) => transactionHash),
    [hash],
  )
})

test('demand 31: what waits is seen whole', async (t) => {
  const { chain } = t.context
  await call(chain, 'evm_setAutomine', false)
  await send(chain)
  const { pending } = await call<{ pending: Record<string, unknown> }>(chain, 'txpool_content')
  t.is(Object.keys(pending).length, 1)
})

test('demand 32: the names that Anvil and Hardhat have for a reset both reset', async (t) => {
  for (const name of ['anvil_reset', 'hardhat_reset']) {
    const { chain } = t.context
    await send(chain)
    await call(chain, name)
    t.is(await call(chain, 'eth_getTransactionCount', from, 'latest'), '0x0')
  }
})

test('demand 33: an EVM of Cosmos has the controls of development nodes', async (t) => {
  const { chain } = t.context
  const before = BigInt(await call<string>(chain, 'eth_blockNumber'))
  for (const name of ['evm_mine', 'anvil_mine', 'hardhat_mine']) await call(chain, name)
  t.is(BigInt(await call<string>(chain, 'eth_blockNumber')) - before, 3n)
  t.regex(
    await chain.comet
      .call<{ response: { version?: string } }>('abci_info')
      .then(({ response }) => JSON.stringify(response)),
    /last_block_height/,
  )
})

test('demand 34: precompiles with state are there: the bank knows what the chain knows', async (t) => {
  const data = encodeFunctionData({
    abi: parseAbi(['function supplyOf(address) view returns (uint256)']),
    args: ['0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'],
  })
  const supply = await call<string>(
    t.context.chain,
    'eth_call',
    { to: '0x0000000000000000000000000000000000000804', data },
    'latest',
  )
  t.true(BigInt(supply) > 0n)
})

test('demand 35: heads come in every mode of making blocks', async (t) => {
  const { chain } = t.context
  const heads: unknown[] = []
  chain.eth.on('message', ({ data }) => {
    heads.push(data.result)
  })
  await call(chain, 'eth_subscribe', 'newHeads')
  await send(chain)
  t.is(heads.length, 1)
  chain.operate({ type: 'setBlockPolicy', policy: { mode: 'interval', intervalMs: 1000n } })
  await chain.advance('3s')
  t.is(heads.length, 4)
  chain.operate({ type: 'setBlockPolicy', policy: { mode: 'manual' } })
  chain.mine(2)
  t.is(heads.length, 6)
})

test('demand 36: one file says what else were fifteen flags', async (t) => {
  const path = join(scratch(), 's.json5')
  writeFileSync(
    path,
    `{ chainstage: 1, name: 's', seed: 'own',
    chain: { profile: 'local', evmChainId: 4242, cosmosChainId: 'mine-1', accounts: 3, validators: 4 },
    clock: { pace: 'manual', blocks: 'interval', interval: '3s', blockTime: '7s', genesisTime: '2030-05-06T07:08:09Z' } }`,
  )
  await using server = await start({ scenario: path, ports: 'none' })
  t.is(await call(server, 'eth_chainId'), '0x1092')
  t.is((await call<string[]>(server, 'eth_accounts')).length, 3)
  await server.advance('6s')
  const { node_info: node } = await server.comet.call<{ node_info: { network: string } }>('status')
  t.is(node.network, 'mine-1')
  const { validators } = await server.comet.call<{ validators: unknown[] }>('validators')
  t.is(validators.length, 4)
  const times = await Promise.all(
    ['0x1', '0x2'].map(async (tag) =>
      Number((await call<{ timestamp: string }>(server, 'eth_getBlockByNumber', tag, false)).timestamp),
    ),
  )
  t.deepEqual([(times[1] ?? 0) - (times[0] ?? 0), new Date((times[0] ?? 0) * 1000).getUTCFullYear()], [7, 2030])
})

test('demand 38: who has started it can ask at once', async (t) => {
  await using server = await start({ ports: 'free', settings: { pace: 'manual' } })
  const answer = await fetch(server.urls.eth, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}',
  })
  t.is(((await answer.json()) as { result: string }).result, '0x1')
})

test('demand 41: it runs inside a program, without a port', async (t) => {
  await using server = await start({ ports: 'none', settings: { pace: 'manual' } })
  t.is(server.urls.eth, '')
  t.is(await call(server, 'eth_chainId'), '0x7a69')
})

test('demand 42: a fresh chain costs no start: it shares all that does not change with the one that runs', async (t) => {
  await using server = await start({ ports: 'none', settings: { pace: 'manual' } })
  server.mine(5)
  for (let count = 0; count < 20; count++) {
    await using session = server.session()
    const { node } = session.simulation()
    t.is(node.chain.genesis, server.simulation().node.chain.genesis)
    t.is(node.origin, server.simulation().node.origin)
    t.is(session.mine(), 2)
  }
})

test('demand 43: one command gives one node with both interfaces', async (t) => {
  const { chain } = t.context
  const [ethereum, comet] = [
    await call(chain, 'eth_blockNumber'),
    await chain.comet.call<{ sync_info: Record<string, string> }>('status'),
  ]
  t.is(Number(ethereum), Number(comet.sync_info['latest_block_height']))
})

test('demand 50: a page of any origin reads the answers', async (t) => {
  for (const url of [t.context.chain.urls.eth, `${t.context.chain.urls.comet}/status`]) {
    const answer = await fetch(url, { headers: { origin: 'http://localhost:5173' } })
    t.truthy(answer.headers.get('access-control-allow-origin'))
  }
})

test('demand 51: the hash of a block that one method gives, every other takes', async (t) => {
  const { chain } = t.context
  const hash = await send(chain)
  const { blockHash } = await call<{ blockHash: string }>(chain, 'eth_getTransactionReceipt', hash)
  const { transactions } = await call<{ transactions: string[] }>(chain, 'eth_getBlockByHash', blockHash, false)
  t.deepEqual(transactions, [hash])
  t.is((await call<{ hash: string }>(chain, 'eth_getBlockByNumber', 'latest', false)).hash, blockHash)
  t.deepEqual(await call(chain, 'eth_getLogs', { blockHash }), [])
})

test('demand 52: as many as one likes run side by side on free ports', async (t) => {
  const servers = await Promise.all([1, 2, 3].map(() => start({ ports: 'free', settings: { pace: 'manual' } })))
  t.is(new Set(servers.flatMap(({ urls: { eth, comet } }) => [eth, comet])).size, 6)
  await Promise.all(servers.map((one) => one.close()))
})

test('demand 53: a bad genesis names the member at fault', async (t) => {
  const genesis = readFileSync(new URL('../../../genesis/evmd.json', import.meta.url), 'utf8')
    .replace('"initial_height": "1"', '"initial_height": "one"')
    .replace('"initial_height":"1"', '"initial_height":"one"')
  await t.throwsAsync(start({ ports: 'none', genesis }), { message: /initial_height/ })
})

test('demand 54: CometBFT without an EVM is there for applications with one participant', async (t) => {
  await using server = await start({ ports: 'none', settings: { pace: 'manual', application: 'kvstore' } })
  const tx = Buffer.from('name=satoshi').toString('base64')
  await server.comet.call('broadcast_tx_sync', { tx })
  const { response } = await server.comet.call<{ response: { value: string } }>('abci_query', {
    path: '',
    data: Buffer.from('name').toString('hex'),
  })
  t.is(Buffer.from(response.value, 'base64').toString(), 'satoshi')
})
