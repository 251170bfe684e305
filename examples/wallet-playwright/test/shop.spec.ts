import { fileURLToPath } from 'node:url'
import { expect, test as base, type Page } from '@playwright/test'
import { chainFixtures, type ChainContext } from 'chainstage/playwright'

const test = base.extend<ChainContext>(chainFixtures({ settings: { quirks: ['accounts-for-any-page'] } }))

const shop = new URL('../src/shop.html', import.meta.url)

/** Opens the shop with a wallet: an EIP-1193 provider that passes every request on to the chain. */
async function open(page: Page, url: string) {
  await page.exposeFunction('askChain', async (method: string, params: unknown[] = []) => {
    const name = method === 'eth_requestAccounts' ? 'eth_accounts' : method
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: name, params })
    const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    return answer.json()
  })
  await page.addInitScript(`window.ethereum = { request: async ({ method, params }) => {
    const { result, error } = await askChain(method, params)
    if (error) throw Object.assign(new Error(error.message), { code: error.code })
    return result
  } }`)
  await page.goto(fileURLToPath(shop).replace(/^(?=\w:)/, '/').replace(/^/, 'file://'))
  await page.click('#connect')
  await expect(page.locator('#status')).toHaveText(/^Connected as 0x/)
}

test('a purchase is paid', async ({ chain, page }) => {
  await open(page, chain.urls.eth)
  await page.click('#buy')
  await expect(page.locator('#status')).toHaveText(/^Paid in block \d+$/)
})

test('a person reads why a payment was refused', async ({ chain, page }) => {
  await open(page, chain.urls.eth)
  await chain.fault('rejected', {
    match: { method: 'eth_sendTransaction' },
    effect: { rpcError: { code: 4001, message: 'User rejected the request.' } },
  })
  await page.click('#buy')
  await expect(page.locator('#status')).toHaveText('The payment was refused: User rejected the request.')
})
