import { expect, test as base } from '@playwright/test'
import { chainFixtures, type ChainContext } from 'chainstage/playwright'

// One server per worker, and a session for each test: a chain of its own at the same genesis.
const test = base.extend<ChainContext>(chainFixtures({ scenario: 'chainstage.json5' }))

/** A page that shows the block height, and says so when the node refuses. */
const pageOf = (url: string) => `<p id="height">loading</p><script>
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] })
  setInterval(async () => {
    const answer = await fetch('${url}', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    height.textContent = answer.ok ? Number((await answer.json()).result) : 'the node is busy'
  }, 50)
</script>`

test('Ethereum JSON-RPC: the page follows the chain', async ({ chain, page }) => {
  await page.setContent(pageOf(chain.urls.eth))
  const height = chain.mine(4)
  await expect(page.locator('#height')).toHaveText(String(height))
})

test('CometBFT RPC can be read from a page too', async ({ chain, page }) => {
  const id = await page.evaluate(async (url) => {
    const answer = await fetch(`${url}/status`)
    return (await answer.json()).result.node_info.network
  }, chain.urls.comet)
  expect(id).toBe('chainstage-1')
})

test('the Cosmos REST API and gRPC-web answer a page too', async ({ chain, page }) => {
  const [denom, status] = await page.evaluate(async (url) => {
    const path = '/cosmos/bank/v1beta1/balances/cosmos17w0adeg64ky0daxwd2ugyuneellmjgnxramjtq'
    const { balances } = await (await fetch(`${url}${path}`)).json()
    // An empty message, framed for gRPC-web: a flag byte and four bytes of length.
    const answer = await fetch(`${url}/cosmos.base.tendermint.v1beta1.Service/GetLatestBlock`, {
      method: 'POST',
      headers: { 'content-type': 'application/grpc-web+proto' },
      body: new Uint8Array(5),
    })
    return [balances[0].denom, answer.status]
  }, chain.urls.rest)
  expect([denom, status]).toEqual(['atest', 200])
})

test('the page says that a node is busy', async ({ chain, page }) => {
  await page.setContent(pageOf(chain.urls.eth))
  const end = await chain.fault('busy', { match: { method: 'eth_*' }, effect: { http: { status: 429 } } })
  await expect(page.locator('#height')).toHaveText('the node is busy')
  end()
  await expect(page.locator('#height')).toHaveText('1')
})
