/**
 * What Keplr does, in a real browser: the dashboard suggests the chain, and a page of another origin reads, simulates and
 * broadcasts over REST with what it was told. Only the signature is made outside of the page, as a wallet makes it.
 */
import type { Server as Pages } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toBech32 } from '@cosmjs/encoding'
import anyTest, { type TestFn } from 'ava'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { AuthInfo, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Browser, Page } from 'playwright-core'
import type { Server } from '../../src/index.ts'
import { browserPath, startBrowser, startPages } from '../helpers/browser.ts'
import { startControlled } from '../helpers/control.ts'
import { any, ethereumPerson, signTx } from '../helpers/messageChain.ts'

type Info = {
  readonly chainId: string
  readonly rest: string
  readonly features: readonly string[]
  readonly feeCurrencies: readonly { readonly coinMinimalDenom: string }[]
}
type Stage = { browser: Browser; page: Page; server: Server; pages: Pages }
const test = anyTest as TestFn<Stage>
const browsing = browserPath === undefined ? test.serial.skip : test.serial

if (browserPath === undefined)
  test.skip('no browser is installed: apt-get install chromium, or set CHROMIUM', (t) => t.fail())
else {
  test.before(async (t) => {
    const pages = await startPages()
    const [browser, server] = await Promise.all([startBrowser(), startControlled()])
    Object.assign(t.context, { browser, server, page: await browser.newPage(), pages })
  })
  test.after.always(async (t) => {
    await t.context.browser.close()
    await t.context.server.close()
    t.context.pages.close()
  })
}

/** Coin type 60, as the suggested chain says. */
const alice = ethereumPerson(0)
const bob = toBech32('cosmos', new Uint8Array(20).fill(0xb0))

browsing('a wallet learns the chain from the dashboard, and a page uses it over REST', async (t) => {
  const { server, page, pages } = t.context
  await page.addInitScript(`window.keplr = {
    experimentalSuggestChain: async (info) => { window.suggested = info },
    enable: async () => {},
  }`)
  await page.goto(server.urls.control)
  await page.click('[data-key=add-keplr]')
  await page.waitForFunction(() => 'suggested' in globalThis)
  const info = (await page.evaluate('window.suggested')) as Info
  const denom = info.feeCurrencies[0]?.coinMinimalDenom ?? ''

  await page.goto(`http://127.0.0.1:${(pages.address() as AddressInfo).port}/`)
  const get = (path: string) => page.evaluate(asked, { url: info.rest + path })
  const post = (path: string, body: object) =>
    page.evaluate(asked, { url: info.rest + path, body: JSON.stringify(body) })

  const balances = `/cosmos/bank/v1beta1/balances/${bob}/by_denom?denom=${denom}`
  t.like(await get(balances), { status: 200, body: { balance: { denom, amount: '0' } } })
  const found = await get(`/cosmos/auth/v1beta1/accounts/${alice.address}`)
  t.is(found.status, 200)
  const { account_number: number, sequence } = found.body['account'] as Record<string, string>
  const order = { number: BigInt(number ?? 0), sequence: BigInt(sequence ?? 0) }
  const send = any(MsgSend, { fromAddress: alice.address, toAddress: bob, amount: [{ denom, amount: '7' }] })

  const unsignedTx = signTx(alice, [send], { ...order, fee: '' })
  t.deepEqual(keyTypesIn(unsignedTx), [keyTypeOfKeplr(info)])
  const unsigned = Buffer.from(unsignedTx).toString('base64')
  const simulated = await post('/cosmos/tx/v1beta1/simulate', { tx_bytes: unsigned })
  t.is(simulated.status, 200, JSON.stringify(simulated.body))
  const { gas_used: used = '0' } = simulated.body['gas_info'] as Record<string, string>
  const gas = (BigInt(used) * 3n) / 2n
  t.true(gas > 50_000n && gas < 500_000n, used)

  const tx_bytes = Buffer.from(signTx(alice, [send], { ...order, gas })).toString('base64')
  const sent = await post('/cosmos/tx/v1beta1/txs', { tx_bytes, mode: 'BROADCAST_MODE_SYNC' })
  const { code, txhash, raw_log: log } = sent.body['tx_response'] as Record<string, string>
  t.deepEqual([sent.status, code], [200, 0 as never], log)
  t.like(await get(`/cosmos/tx/v1beta1/txs/${txhash}`), { status: 200, body: { tx_response: { code: 0 } } })
  t.like(await get(balances), { body: { balance: { amount: '7' } } })
  t.like(await get('/nope'), { status: 501, body: { code: 12 } })
})

browsing('a wallet learns the network from the dashboard as MetaMask wants it', async (t) => {
  const { server, browser } = t.context
  const page = await browser.newPage()
  await page.addInitScript(`window.ethereum = { request: async (asked) => { window.asked = asked; return null } }`)
  await page.goto(server.urls.control)
  await page.click('[data-key=add-metamask]')
  await page.waitForFunction(() => 'asked' in globalThis)
  t.like(await page.evaluate('window.asked'), {
    method: 'wallet_addEthereumChain',
    params: [{ chainId: '0x7a69', rpcUrls: [server.urls.eth], nativeCurrency: { symbol: 'TEST', decimals: 18 } }],
  })
  await page.close()
})

browsing('MetaMask is asked beside another wallet that took window.ethereum', async (t) => {
  const { server, browser } = t.context
  const page = await browser.newPage()
  await page.addInitScript(`{
    const wallet = (rdns) => ({ request: async ({ method }) => { window.asked = [rdns, method]; return null } })
    const announce = (rdns) => window.addEventListener('eip6963:requestProvider', () => window.dispatchEvent(
      new CustomEvent('eip6963:announceProvider', { detail: { info: { rdns }, provider: wallet(rdns) } })))
    for (const rdns of ['com.example', 'io.metamask', 'org.example']) announce(rdns)
    window.ethereum = wallet('com.example')
  }`)
  await page.goto(server.urls.control)
  await page.click('[data-key=add-metamask]')
  await page.waitForFunction(() => 'asked' in globalThis)
  t.deepEqual(await page.evaluate('window.asked'), ['io.metamask', 'wallet_addEthereumChain'])
  await page.close()
})

browsing('a page of another origin calls gRPC-web, and asks REST for a height that it can read', async (t) => {
  const { server, page, pages } = t.context
  await page.goto(`http://127.0.0.1:${(pages.address() as AddressInfo).port}/`)
  const rest = `${server.urls.rest}/cosmos/bank/v1beta1/params`
  const grpcWeb = `${server.urls.rest}/cosmos.bank.v1beta1.Query/Params`
  t.is(await page.evaluate(heightTold, { url: rest, headers: { 'x-cosmos-block-height': '1' } }), '1')
  const headers = {
    'content-type': 'application/grpc-web+proto',
    'x-grpc-web': '1',
    'x-user-agent': 'grpc-web-javascript/0.1',
    'grpc-timeout': '5S',
    'x-cosmos-block-height': '1',
  }
  t.is(await page.evaluate(heightTold, { url: grpcWeb, headers, isPost: true }), '1')
  await t.throwsAsync(page.evaluate(heightTold, { url: rest, headers: { 'x-other': '1' } }), {
    message: /Failed to fetch/,
  })
  await using faithful = await startControlled({ quirks: ['faithful'], apiUnsafeCors: true })
  const asOnNode = `${faithful.urls.rest}/cosmos.bank.v1beta1.Query/Params`
  await t.throwsAsync(page.evaluate(heightTold, { url: asOnNode, headers, isPost: true }), {
    message: /Failed to fetch/,
  })
})

browsing('a page of another origin may read nothing where CORS is closed', async (t) => {
  const { page } = t.context
  await using closed = await startControlled({ apiUnsafeCors: false })
  const url = `${closed.urls.rest}/cosmos/bank/v1beta1/params`
  t.is((await fetch(url)).status, 200)
  await t.throwsAsync(page.evaluate(asked, { url }), { message: /Failed to fetch/ })
})

/** Returns the type of public keys that Keplr writes for a chain with these features. */
function keyTypeOfKeplr({ features }: Info): string {
  if (!features.includes('eth-key-sign')) return '/cosmos.crypto.secp256k1.PubKey'
  return features.includes('eth-secp256k1-cosmos')
    ? '/cosmos.evm.crypto.v1.ethsecp256k1.PubKey'
    : '/ethermint.crypto.v1.ethsecp256k1.PubKey'
}

function keyTypesIn(tx: Uint8Array): readonly (string | undefined)[] {
  const { signerInfos } = AuthInfo.decode(TxRaw.decode(tx).authInfoBytes)
  return signerInfos.map(({ publicKey }) => publicKey?.typeUrl)
}

type Calling = { readonly url: string; readonly headers: Record<string, string>; readonly isPost?: boolean }

/** Runs in the page, and resolves with the height that an answer names. The message of a POST is empty. */
async function heightTold({ url, headers, isPost = false }: Calling) {
  const sent = isPost ? { method: 'POST', body: new Uint8Array(5) } : {}
  const answer = await fetch(url, { ...sent, headers })
  return answer.headers.get('x-cosmos-block-height')
}

type Asked = { readonly url: string; readonly body?: string }

/** Runs in the page. */
async function asked({ url, body }: Asked) {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(url, body === undefined ? {} : { method: 'POST', headers, body })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}
