import { fileURLToPath } from 'node:url'
import test from 'ava'
import { createPublicClient, createWalletClient, custom, http, parseAbi, type Address, type PublicClient } from 'viem'
import type { Settings } from '../../src/index.ts'
import { start, type Server } from '../../src/shell/start.ts'

const scenario = fileURLToPath(new URL('../../../scenarios/token-demo.json5', import.meta.url))
const vars = { days: '2', users: '5', blocks: '24', transfers: '20', purchases: '10' }
const abi = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function transfer(address,uint256) returns (bool)',
  'function sold() view returns (uint256)',
])

/** Returns the address of a contract of the fixtures. */
function made(server: Server, name: string): Address {
  const { fixtures } = server.simulation().plan
  const { makes } = fixtures.txs.find(({ what }) => what === `contract ${name}`) ?? {}
  return `0x${Buffer.from(makes ?? []).toString('hex')}`
}

/** Returns how much of the token the first account has. */
function demoOfYou(server: Server, client: PublicClient): Promise<bigint> {
  const you = Buffer.from(server.keys[0]?.address ?? []).toString('hex')
  return client.readContract({ address: made(server, 'demo'), abi, functionName: 'balanceOf', args: [`0x${you}`] })
}

test('viem finds accounts, contracts and a past before it has sent anything', async (t) => {
  await using server = await start({ scenario, vars, ports: 'free', settings: { pace: 'manual' } })
  const client = createPublicClient({ transport: http(server.urls.eth) })
  t.true((await client.getBlockNumber()) >= 24n)
  t.is(await demoOfYou(server, client), 1000n * 10n ** 18n)
  t.true((await client.readContract({ address: made(server, 'shop'), abi, functionName: 'sold' })) > 5n)
  const logs = await client.getLogs({ address: made(server, 'demo'), fromBlock: 0n })
  t.true(logs.length > 20)
  const [first, last] = await Promise.all([client.getBlock({ blockNumber: 1n }), client.getBlock()])
  t.true(last.timestamp - first.timestamp >= 2n * 86_400n)
})

test('the node signs for the accounts of the scenario', async (t) => {
  await using server = await start({ scenario, vars, ports: 'free', settings: { pace: 'manual' } })
  const accounts = (await createPublicClient({ transport: http(server.urls.eth) }).request({
    method: 'eth_accounts',
  } as never)) as readonly Address[]
  const {
    fixtures: {
      accounts: [treasury],
    },
  } = server.simulation().plan
  const from = `0x${Buffer.from(treasury?.address ?? []).toString('hex')}` as Address
  t.true(accounts.includes(from))
  const wallet = createWalletClient({ account: from, transport: http(server.urls.eth) })
  t.regex(await wallet.sendTransaction({ chain: null, to: from, value: 1n }), /^0x/)
})

test('a session and a reset begin with the fixtures', async (t) => {
  await using server = await start({ scenario, vars, ports: 'free', settings: { pace: 'manual' } })
  const height = server.simulation().node.chain.height
  const session = server.session('one')
  const client = createPublicClient({ transport: http(session.urls.eth) })
  t.is(await client.getBlockNumber(), height)
  await client.request({ method: 'hardhat_reset' } as never)
  t.true((await client.getBlockNumber()) >= height)
})

test('two runs give the same chain, another seed another', async (t) => {
  const hashOf = async (seed?: string) => {
    await using server = await start({
      scenario,
      vars,
      ports: 'none',
      settings: { pace: 'manual', ...(seed === undefined ? {} : { seed }) },
    })
    return Buffer.from(server.simulation().node.chain.lastBlockId.hash).toString('hex')
  }
  const [one, again, other] = [await hashOf(), await hashOf(), await hashOf('other')]
  t.is(one, again)
  t.not(one, other)
})

const built = test.macro({
  exec: async (t, settings: Partial<Settings>) => {
    await using server = await start({ scenario, vars, ports: 'none', settings: { pace: 'manual', ...settings } })
    const client = createPublicClient({ transport: custom(server.eth) })
    t.true((await client.getBlockNumber()) >= 24n)
    t.is(await demoOfYou(server, client), 1000n * 10n ** 18n)
  },
  title: (title = '') => `fixtures are built on a chain with ${title}`,
})

test('blocks that hold less than the fixtures', built, { gasLimit: 3_000_000 })
test('a base fee above the usual fee', built, { baseFee: 100_000_000_000 })
test('a miner that wants a tip', built, { evmMinTip: 1 })
