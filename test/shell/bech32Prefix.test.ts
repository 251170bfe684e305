/** Chains whose Cosmos addresses have another prefix, as clients see them. */
import test from 'ava'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fromBech32, toBech32 } from '@cosmjs/encoding'
import { DirectSecp256k1HdWallet } from '@cosmjs/proto-signing'
import { GasPrice, SigningStargateClient } from '@cosmjs/stargate'
import { type Server, start } from '../../src/index.ts'
import { cli, scratch } from '../helpers/cli.ts'
import { api, rpc } from '../helpers/control.ts'
import { operatorsOf, phrase } from '../helpers/cosmjs.ts'
import { eventually } from '../helpers/server.ts'
import { genesisWithCoin } from '../helpers/ownCoin.ts'

const settings = { bech32Prefix: 'mantra' }
const stranger = `0x${'99'.repeat(20)}`
const inCosmos = (hex: string, prefix = 'mantra') => toBech32(prefix, Buffer.from(hex.slice(2), 'hex'))

const restOf = async ({ urls }: Pick<Server, 'urls'>, path: string) => {
  const response = await fetch(`${urls.rest}${path}`)
  return (await response.json()) as Record<string, unknown>
}

let chain: Server
test.before(async () => {
  chain = await start({ settings, ports: 'free' })
})
test.after.always(() => chain.close())

test('cosmjs signs and sends with the prefix', async (t) => {
  const signer = await DirectSecp256k1HdWallet.fromMnemonic(phrase, { prefix: 'mantra' })
  const [{ address } = { address: '' }] = await signer.getAccounts()
  const client = await SigningStargateClient.connectWithSigner(chain.urls.comet, signer, {
    gasPrice: GasPrice.fromString('2000000000atest'),
    broadcastPollIntervalMs: 50,
  })
  const sent = await client.sendTokens(address, inCosmos(stranger), [{ denom: 'atest', amount: '7' }], 1.5)
  t.is(sent.code, 0, sent.rawLog)
  const transfer = sent.events.find(({ type, attributes }) => type === 'transfer' && attributes[2]?.value === '7atest')
  t.deepEqual(
    transfer?.attributes.slice(0, 2).map(({ value }) => value),
    [inCosmos(stranger), address],
  )
  t.is(BigInt((await rpc(chain.urls.eth, 'eth_getBalance', stranger, 'latest')) as string), 7n)
  const [operator = ''] = await operatorsOf(chain.urls.comet)
  t.is(fromBech32(operator).prefix, 'mantravaloper')
  const staked = await client.delegateTokens(address, operator, { denom: 'atest', amount: '5' }, 1.5)
  t.is(staked.code, 0, staked.rawLog)
  client.disconnect()
})

test('queries tell the prefix, and refuse another one', async (t) => {
  t.deepEqual(await restOf(chain, '/cosmos/auth/v1beta1/bech32'), { bech32_prefix: 'mantra' })
  t.like(await restOf(chain, `/cosmos/bank/v1beta1/balances/${inCosmos(stranger, 'cosmos')}`), {
    message: `invalid address: hrp does not match bech32 prefix: expected 'mantra' got 'cosmos': internal logic error`,
  })
  const { info } = await restOf(chain, '/cosmos/slashing/v1beta1/signing_infos')
  t.regex(JSON.stringify(info), /"address":"mantravalcons1/)
})

test('wallets, the control API and the command line show addresses with the prefix', async (t) => {
  t.like((await api(chain, '/chain-info?format=keplr')).body, {
    bech32Config: { bech32PrefixAccAddr: 'mantra', bech32PrefixValAddr: 'mantravaloper' },
  })
  t.like((await api(chain, '/chain-info?format=chain-registry')).body, { bech32_prefix: 'mantra' })
  t.like((await api(chain, `/addresses/${stranger}`)).body, {
    cosmos: inCosmos(stranger),
    validator: inCosmos(stranger, 'mantravaloper'),
  })
  const { out } = await cli(['accounts', '--bech32-prefix', 'mantra'])
  t.regex(out, /mantra17w0adeg64ky0daxwd2ugyuneellmjgnxgk3kg6/)
})

test('the prefix of a chain is that of the addresses in its genesis document', async (t) => {
  const genesis = String(chain.simulation().node.chain.genesis.document)
  await using own = await start({ genesis, ports: 'free' })
  t.is(own.settings.bech32Prefix, 'mantra')
  t.deepEqual(await restOf(own, '/cosmos/auth/v1beta1/bech32'), { bech32_prefix: 'mantra' })
  const folder = scratch()
  writeFileSync(join(folder, 'genesis.json'), genesis)
  const { out } = await cli(['accounts', '--genesis', 'genesis.json'], {}, folder)
  t.regex(out, /mantra17w0adeg64ky0daxwd2ugyuneellmjgnxgk3kg6/)
})

test('a prefix that the document contradicts is refused, and in a scenario it has no effect', async (t) => {
  await t.throwsAsync(start({ genesis: genesisWithCoin({ denom: 'atest', decimals: 18 }), settings, ports: 'free' }), {
    code: 'CONTRADICTION',
    message: 'expected the prefix of the addresses in the genesis document, cosmos, received mantra',
  })
  const folder = scratch()
  writeFileSync(join(folder, 'genesis.json'), genesisWithCoin({ denom: 'atest', decimals: 18 }))
  writeFileSync(join(folder, 's.json5'), "{ chainstage: 1, name: 's', chain: { bech32Prefix: 'mantra' } }")
  const { code, err } = await cli(['run', 's.json5', '--genesis', 'genesis.json'], {}, folder)
  t.is(code, 0, err)
  t.regex(err, /the scenario sets bech32Prefix, without effect beside a genesis document/)
})

test('a prefix that is none is refused', async (t) => {
  await t.throwsAsync(start({ settings: { bech32Prefix: 'Mantra' }, ports: 'free' }), { code: 'BAD_SETTING' })
})

test('a fork has the prefix of the other chain', async (t) => {
  await rpc(chain.urls.eth, 'anvil_setBalance', `0x${'98'.repeat(20)}`, '0x10')
  const from = [chain.urls.eth, chain.urls.comet]
  await using fork = await start({ fork: { from, timeoutMs: 300_000 }, ports: 'free' })
  t.is(fork.settings.bech32Prefix, 'mantra')
  t.like(await restOf(fork, `/cosmos/bank/v1beta1/balances/${inCosmos(`0x${'98'.repeat(20)}`)}`), {
    balances: [{ denom: 'atest', amount: '16' }],
  })
})

test('a scenario names the prefix, and its Cosmos transactions have it', async (t) => {
  const path = join(scratch(), 's.json5')
  writeFileSync(
    path,
    `{ chainstage: 1, name: 's', chain: { bech32Prefix: 'own' },
      fixtures: { accounts: { alice: { balance: '5 evm' }, bob: { balance: '0 evm' } } },
      steps: [
        { id: 'pay', do: { cosmosTx: { from: '@alice', broadcast: 'commit', messages: [
          { send: { to: '@bob', amount: '1000atest' } }, { delegate: { validator: 'validator0', amount: '5atest' } } ] } },
          expect: [{ balance: { address: '@bob', equals: '1000atest' } }] } ] }`,
  )
  await using server = await start({ scenario: path, ports: 'free' })
  await eventually(() => server.simulation().progress.state !== 'running')
  t.deepEqual(server.simulation().progress.failures, [])
})
