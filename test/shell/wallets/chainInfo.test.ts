/** What wallets are told, against what they require, what the chain answers, and the settings. */
import test from 'ava'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { api, rpc, startControlled } from '../../helpers/control.ts'
import { scratch, startCli } from '../../helpers/cli.ts'
import type { Server } from '../../../src/index.ts'

const currency = z.strictObject({
  coinDenom: z.string().min(1),
  coinMinimalDenom: z.string().min(1),
  coinDecimals: z.int().min(0).max(18),
})
const prefixes = z.strictObject({
  bech32PrefixAccAddr: z.literal('cosmos'),
  bech32PrefixAccPub: z.literal('cosmospub'),
  bech32PrefixValAddr: z.literal('cosmosvaloper'),
  bech32PrefixValPub: z.literal('cosmosvaloperpub'),
  bech32PrefixConsAddr: z.literal('cosmosvalcons'),
  bech32PrefixConsPub: z.literal('cosmosvalconspub'),
})

/** What Keplr's documentation of `experimentalSuggestChain` requires. */
const keplrShape = z.strictObject({
  chainId: z.string().min(1),
  chainName: z.string().min(1),
  rpc: z.url(),
  rest: z.url(),
  evm: z.strictObject({ chainId: z.int().min(1), rpc: z.url() }).optional(),
  bip44: z.strictObject({ coinType: z.literal(60) }),
  bech32Config: prefixes,
  stakeCurrency: currency,
  currencies: z.array(currency).min(1),
  feeCurrencies: z
    .array(
      currency.extend({
        gasPriceStep: z.strictObject({ low: z.number(), average: z.number(), high: z.number() }),
      }),
    )
    .min(1),
  features: z.tuple([z.literal('eth-address-gen'), z.literal('eth-key-sign'), z.literal('eth-secp256k1-cosmos')]),
})

const endpoints = z.array(z.strictObject({ address: z.string().min(1), provider: z.string() }))

/** The part of the registry's schema of `chain.json` that we fill; it allows no other members. */
const registryShape = z.strictObject({
  $schema: z.string().regex(/^(\.\.\/)+chain\.schema\.json$/),
  chain_name: z.string().regex(/^[a-z0-9]+$/),
  chain_type: z.literal('cosmos'),
  chain_id: z.string().min(1),
  pretty_name: z.string().min(1),
  status: z.enum(['live', 'upcoming', 'killed']),
  network_type: z.enum(['mainnet', 'testnet', 'devnet']),
  bech32_prefix: z.string().min(1),
  bech32_config: prefixes,
  key_algos: z.array(z.enum(['secp256k1', 'ethsecp256k1', 'ed25519'])),
  slip44: z.literal(60),
  fees: z.strictObject({
    fee_tokens: z.array(
      z.strictObject({
        denom: z.string().min(1),
        fixed_min_gas_price: z.number(),
        low_gas_price: z.number(),
        average_gas_price: z.number(),
        high_gas_price: z.number(),
      }),
    ),
  }),
  staking: z.strictObject({ staking_tokens: z.array(z.strictObject({ denom: z.string().min(1) })) }),
  apis: z.strictObject({
    rpc: endpoints,
    rest: endpoints,
    grpc: endpoints.optional(),
    wss: endpoints,
    'grpc-web': endpoints.optional(),
    'evm-http-jsonrpc': endpoints,
  }),
  extra_codecs: z.array(z.enum(['ethermint', 'injective'])),
})

/** EIP-3085. */
const metamaskShape = z.strictObject({
  chainId: z.string().regex(/^0x[1-9a-f][0-9a-f]*$/),
  chainName: z.string().min(1),
  rpcUrls: z.array(z.url()).min(1),
  nativeCurrency: z.strictObject({
    name: z.string().min(1),
    symbol: z.string().min(2).max(6),
    decimals: z.literal(18),
  }),
})

let server: Server
test.before(async () => {
  server = await startControlled({ apiAddress: '127.0.0.1:0' })
})
test.after.always(async () => {
  await server.close()
})

const told = async (format: string): Promise<unknown> => (await api(server, `/chain-info?format=${format}`)).body

test('Keplr is told what it requires, with the addresses and the price of the running chain', async (t) => {
  const info = keplrShape.parse(await told('keplr'))
  t.is(info.rpc, server.urls.comet)
  t.is(info.rest, server.urls.rest)
  t.deepEqual(info.evm, { chainId: 31_337, rpc: server.urls.eth })
  const { network } = (
    (await (await fetch(`${info.rpc}/status`)).json()) as {
      result: { node_info: { network: string } }
    }
  ).result.node_info
  t.is(info.chainId, network)
  const { low, average, high } = info.feeCurrencies[0]?.gasPriceStep ?? t.fail()
  const suggested = Number((await rpc(server.urls.eth, 'eth_gasPrice')) as string)
  t.is(average, suggested)
  t.true(low < average && average < high)
})

test('the currency is the one the bank describes', async (t) => {
  const { feeCurrencies, stakeCurrency } = keplrShape.parse(await told('keplr'))
  t.like(feeCurrencies[0], { coinDenom: 'TEST', coinMinimalDenom: 'atest', coinDecimals: 18 })
  t.like(stakeCurrency, { coinDenom: 'TEST', coinMinimalDenom: 'atest', coinDecimals: 18 })
})

test('the chain registry is given what its schema allows', async (t) => {
  const info = registryShape.parse(await told('chain-registry'))
  t.is(info.chain_name, 'chainstage1')
  t.deepEqual(info.apis.rpc, [{ address: server.urls.comet, provider: 'chainstage' }])
  t.deepEqual(info.apis.rest, [{ address: server.urls.rest, provider: 'chainstage' }])
})

test('the chain registry is given the address of gRPC-web while it is on', async (t) => {
  const { apis } = registryShape.parse(await told('chain-registry'))
  t.deepEqual(apis['grpc-web'], [{ address: server.urls.rest, provider: 'chainstage' }])
  await using other = await startControlled({ grpcWebEnable: false })
  const { body } = await api(other, '/chain-info?format=chain-registry')
  t.is(registryShape.parse(body).apis['grpc-web'], undefined)
})

test('MetaMask is told the chain id that the chain answers', async (t) => {
  const info = metamaskShape.parse(await told('metamask'))
  t.is(info.chainId, (await rpc(info.rpcUrls[0] ?? '', 'eth_chainId')) as string)
})

test('a session is described with its own addresses', async (t) => {
  await using session = server.session('wallet')
  const answer = await fetch(`${server.urls.control}/s/wallet/api/chain-info?format=keplr`)
  const { rpc: url } = keplrShape.parse(await answer.json())
  t.is(url, session.urls.comet)
  t.true(url.endsWith('/s/wallet'))
})

test('a registry entry of a session leaves gRPC out, because that address is the main chain', async (t) => {
  await using session = server.session('registry')
  const answer = await fetch(`${server.urls.control}/s/registry/api/chain-info?format=chain-registry`)
  const { apis } = registryShape.parse(await answer.json())
  t.is(apis.rest[0]?.address, session.urls.rest)
  t.is(apis.grpc, undefined)
  t.is(apis['grpc-web']?.[0]?.address, session.urls.rest)
  t.deepEqual(registryShape.parse(await told('chain-registry')).apis.grpc, [
    { address: server.urls.grpc, provider: 'chainstage' },
  ])
})

test('a format that nobody reads is refused with those that are there', async (t) => {
  const { status, body } = await api(server, '/chain-info?format=leap')
  t.is(status, 400)
  t.like(body, {
    error: {
      code: 'BAD_FORMAT',
      message: 'expected one of keplr, chain-registry, metamask, received "leap"',
    },
  })
})

test('a wallet that needs an interface that is off is told how to turn it on', async (t) => {
  await using other = await startControlled({ apiEnable: false })
  t.like((await api(other, '/chain-info?format=keplr')).body, {
    error: {
      code: 'NO_ADDRESS',
      hint: 'Turn it on and give it a port: --api.enable.',
    },
  })
  t.is((await api(other, '/chain-info?format=chain-registry')).status, 200)
})

test('a chain without accounts has none for a wallet', async (t) => {
  await using other = await startControlled({ application: 'kvstore' })
  t.like((await api(other, '/chain-info')).body, { error: { code: 'NO_WALLET_CHAIN' } })
})

test('the command prints what the control port says, and offline what the settings say', async (t) => {
  const { urls } = server
  const asked = await startCli(['chain-info', '--format', 'metamask', '--control', urls.control.replace('http://', '')])
    .ended
  t.deepEqual(JSON.parse(asked.out), await told('metamask'))
  const offline = await startCli([
    'chain-info',
    '--offline',
    '--chain-id',
    'mine-1',
    '--evm.evm-chain-id',
    '777',
    '--api.address',
    'tcp://0.0.0.0:2317',
  ]).ended
  t.like(keplrShape.parse(JSON.parse(offline.out)), {
    chainId: 'mine-1',
    chainName: 'chainstage mine-1',
    rest: 'http://127.0.0.1:2317',
    evm: { chainId: 777, rpc: 'http://127.0.0.1:8545' },
  })
})

test('offline, the registry is given the gRPC address of the settings, unless gRPC is off', async (t) => {
  const offline = async (...words: readonly string[]) => {
    const { out } = await startCli(['chain-info', '--offline', '--format', 'chain-registry', ...words]).ended
    return registryShape.parse(JSON.parse(out)).apis.grpc
  }
  t.deepEqual(await offline('--grpc.address', '127.0.0.1:9191'), [
    { address: '127.0.0.1:9191', provider: 'chainstage' },
  ])
  t.is(await offline('--grpc.enable=false'), undefined)
})

test('a scenario is described with its own genesis', async (t) => {
  const folder = scratch()
  const path = join(folder, 'named.json5')
  writeFileSync(path, '{ chainstage: 1, name: "named", chain: { chainId: "named-7" }, steps: [] }')
  const { out, err } = await startCli(['chain-info', path, '--format', 'chain-registry']).ended
  t.is(registryShape.parse(JSON.parse(out)).chain_id, 'named-7', err)
  rmSync(folder, { recursive: true })
})
