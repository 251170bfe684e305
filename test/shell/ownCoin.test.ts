/** Chains whose coin has another name or 6 decimals, as clients of both interfaces see them. */
import test from 'ava'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPublicClient, createWalletClient, http, parseGwei, type Hex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { toBech32 } from '@cosmjs/encoding'
import { DirectSecp256k1HdWallet } from '@cosmjs/proto-signing'
import { GasPrice, SigningStargateClient, StargateClient } from '@cosmjs/stargate'
import { start } from '../../src/index.ts'
import { profileSettings } from '../../src/settings/profiles.ts'
import { freePorts, scratch, startCli } from '../helpers/cli.ts'
import { api, rpc } from '../helpers/control.ts'
import { phrase } from '../helpers/cosmjs.ts'
import { genesisWithCoin, sixDecimals } from '../helpers/ownCoin.ts'

const account = mnemonicToAccount(phrase)
const stranger: Hex = `0x${'99'.repeat(20)}`
const strangerOfCosmos = toBech32('cosmos', Buffer.from(stranger.slice(2), 'hex'))

/** Starts a chain with a coin, and returns it with clients. */
async function startWith(genesis: string) {
  const server = await start({ genesis, ports: 'free' })
  const transport = http(server.urls.eth)
  const reader = createPublicClient({ transport, pollingInterval: 10 })
  const chain = {
    id: await reader.getChainId(),
    name: 'own',
    nativeCurrency: { name: 'own', symbol: 'OWN', decimals: 18 },
    rpcUrls: { default: { http: [server.urls.eth] } },
  }
  const wallet = createWalletClient({ account, chain, transport })
  const send = async (value: bigint) => {
    const hash = await wallet.sendTransaction({ to: stranger, value })
    return reader.waitForTransactionReceipt({ hash })
  }
  return { server, reader, send, [Symbol.asyncDispose]: () => server.close() }
}

test('Ethereum transactions pay in the coin that the genesis document names', async (t) => {
  await using chain = await startWith(genesisWithCoin({ denom: 'aown', decimals: 18 }))
  const { status } = await chain.send(5n)
  t.is(status, 'success')
  const cosmos = await StargateClient.connect(chain.server.urls.comet)
  t.deepEqual(await cosmos.getBalance(strangerOfCosmos, 'aown'), { denom: 'aown', amount: '5' })
  cosmos.disconnect()
})

test('with 6 decimals, Ethereum counts wei and the bank module whole coins', async (t) => {
  await using chain = await startWith(genesisWithCoin(sixDecimals))
  const cosmos = await StargateClient.connect(chain.server.urls.comet)
  const held = async () => [
    await chain.reader.getBalance({ address: stranger }),
    (await cosmos.getBalance(strangerOfCosmos, 'utest')).amount,
  ]
  t.true((await chain.reader.getGasPrice()) < parseGwei('2'))
  await chain.send(2_999_999_999_999n)
  t.deepEqual(await held(), [2_999_999_999_999n, '2'])
  await chain.send(1n)
  t.deepEqual(await held(), [3_000_000_000_000n, '3'])
  await rpc(chain.server.urls.eth, 'anvil_setBalance', stranger, '0x1d1a94a2001')
  t.deepEqual(await held(), [2_000_000_000_001n, '2'])
  cosmos.disconnect()
})

test('with 6 decimals, Cosmos transactions pay in whole coins, and the minimum tip is none of theirs', async (t) => {
  const settings = { evmMinTip: 1 }
  await using server = await start({ genesis: genesisWithCoin(sixDecimals), ports: 'free', settings })
  const signer = await DirectSecp256k1HdWallet.fromMnemonic(phrase, { prefix: 'cosmos' })
  const [{ address } = { address: '' }] = await signer.getAccounts()
  const client = await SigningStargateClient.connectWithSigner(server.urls.comet, signer, {
    gasPrice: GasPrice.fromString('0.002utest'),
    broadcastPollIntervalMs: 50,
  })
  const coins = [{ denom: 'utest', amount: '7' }]
  const { code, rawLog } = await client.sendTokens(address, strangerOfCosmos, coins, 1.5)
  t.is(code, 0, rawLog)
  t.is(BigInt((await rpc(server.urls.eth, 'eth_getBalance', stranger, 'latest')) as string), 7_000_000_000_000n)
  client.disconnect()
})

test('wallets are told prices in the coin of the bank module, and 18 decimals for Ethereum', async (t) => {
  await using server = await start({ genesis: genesisWithCoin(sixDecimals), ports: 'free' })
  const wei = Number((await rpc(server.urls.eth, 'eth_gasPrice')) as string)
  const { body: keplr } = await api(server, '/chain-info?format=keplr')
  t.like(keplr, {
    feeCurrencies: [{ coinMinimalDenom: 'utest', coinDecimals: 6, gasPriceStep: { average: wei / 1e12 } }],
  })
  const { body: metamask } = await api(server, '/chain-info?format=metamask')
  t.like(metamask, { nativeCurrency: { symbol: 'TEST', decimals: 18 } })
})

test('the banner names the coin, and says that accounts which the document does not fund have no coins', async (t) => {
  const dir = scratch()
  const genesis = genesisWithCoin(sixDecimals)
  writeFileSync(join(dir, 'genesis.json'), genesis)
  const words = ['start', '--genesis', 'genesis.json', '--seed', profileSettings('local').seed, ...freePorts]
  const unfunded = startCli([...words, '--mnemonic', `${'abandon '.repeat(11)}about`], {}, dir)
  const funded = startCli(words, {}, dir)
  t.teardown(() => {
    for (const server of [unfunded, funded]) server.process.kill()
  })
  for (const server of [unfunded, funded]) {
    await server.says(/1 TEST = 10\^6 utest; gas price [\d.]+ gwei/)
    await server.says(/Listening/)
  }
  for (const server of [unfunded, funded]) server.process.kill()
  const [without, having] = await Promise.all([unfunded.ended, funded.ended])
  t.regex(without.out, /The accounts have no coins yet\. Give some to one with: chainstage faucet ADDRESS/)
  t.notRegex(having.out, /no coins yet/)
})
