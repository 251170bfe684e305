/** What a person does with the explorer while the chain moves, fails and comes back. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import anyTest, { type TestFn } from 'ava'
import JSON5 from 'json5'
import { pageRead } from '../helpers/browser.ts'
import { api, rpc } from '../helpers/control.ts'
import { type Explored, exploring, visit } from '../helpers/explorerPage.ts'
import type { ExplorerStage } from '../helpers/explorerStage.ts'
import { eventually } from '../helpers/server.ts'

const test = anyTest as TestFn<Explored>
const browsing = exploring(test)
const from = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'

browsing('what was typed stays while reads fail, and the page says that it is disconnected', async (t) => {
  const { page, stage } = t.context
  await visit(page, stage, `address/${stage.shop}?tab=contract`)
  const field = 'form[aria-label="setPrice(uint256)"] input[name=arg0]'
  await page.fill(field, '77')
  await page.context().route('**/api/addresses/**', (route) => route.abort())
  await api(stage.server, '/mine', { blocks: 2 })
  await page.waitForTimeout(1500)
  t.is(await page.inputValue(field), '77')
  await page.context().unroute('**/api/addresses/**')
  await page.context().setOffline(true)
  await page.context().setOffline(false)
  await api(stage.server, '/mine', {})
  await page.waitForTimeout(700)
  t.is(await page.inputValue(field), '77')
  t.true(t.context.complaints.splice(0).every((text) => /ERR_FAILED|ERR_INTERNET/.test(text)))
})

browsing('a page that fails says so in its place, is tried again, and leaves the others alone', async (t) => {
  const { page, stage } = t.context
  const path = '**/api/blocks?*'
  await page.route(path, (route) => route.fulfill({ json: { blocks: [null], older: null, newer: null } }))
  const text = await visit(page, stage, 'blocks')
  t.regex(text, /This page cannot be shown.*A bug in the dashboard: TypeError/)
  await page.click('nav a:has-text("Accounts")')
  await page.locator('main[data-panel=accounts] tbody tr').first().waitFor()
  await page.click('nav a:has-text("Blocks")')
  const again = page.locator('main button:has-text("Try again")')
  await again.waitFor()
  await page.unroute(path)
  await again.click()
  await page.locator('main tbody tr').first().waitFor()
  t.true(t.context.complaints.splice(0).every((text) => text.includes('TypeError')))
})

browsing('back closes a dialog of the page before', async (t) => {
  const { page, stage } = t.context
  await visit(page, stage, 'overview')
  await page.click('nav a:has-text("Blocks")')
  await page.click('#controls button:has-text("Fault…")')
  await page.locator('#detail').waitFor()
  await page.goBack()
  await page.locator('#detail').waitFor({ state: 'hidden' })
  t.is(await page.textContent('h1'), 'Overview')
})

browsing('rows stay in place while the mouse is down', async (t) => {
  const { page, stage } = t.context
  await visit(page, stage, 'blocks')
  const first = page.locator('main tbody tr').first().locator('a').first()
  const wanted = String(await first.getAttribute('href'))
  const box = await first.boundingBox()
  await page.mouse.move((box?.x ?? 0) + 4, (box?.y ?? 0) + 4)
  await page.mouse.down()
  await api(stage.server, '/mine', { blocks: 3 })
  await page.waitForTimeout(1200)
  await page.mouse.up()
  await page.waitForURL((url) => url.hash === wanted)
  t.pass()
})

browsing('back returns to the place in the list, and a new page starts at its heading', async (t) => {
  const { page, stage } = t.context
  await api(stage.server, '/mine', { blocks: 60 })
  await visit(page, stage, 'blocks')
  // Rows are drawn in several frames; before, the page is shorter than that.
  await page.waitForSelector('main tbody tr:nth-child(25)')
  await page.evaluate('scrollTo(0, 700)')
  await eventually(async () => Boolean(await page.evaluate('scrollY === 700')))
  await page.evaluate(`document.querySelector('main tbody tr:nth-child(20) a').click()`)
  await page.waitForSelector('[data-panel=block]')
  await eventually(async () =>
    Boolean(await page.evaluate('scrollY === 0 && document.activeElement.id === "paneltitle"')),
  )
  await page.goBack()
  await eventually(async () => Boolean(await page.evaluate('scrollY === 700')))
  t.pass()
})

browsing('a long mining job shows its progress and is stopped', async (t) => {
  const { page, stage } = t.context
  await visit(page, stage, 'overview')
  const before = Number(await rpc(stage.server.urls.eth, 'eth_blockNumber'))
  await page.fill('form[aria-label="Mine blocks"] input[name=blocks]', '100000')
  await page.click('form[aria-label="Mine blocks"] button')
  await page
    .locator('#mining')
    .filter({ hasText: /Mined [1-9][\d,]* of 100,000 blocks/ })
    .waitFor()
  await page.click('#mining button')
  await page
    .locator('#said')
    .filter({ hasText: /Stopped mining at height/ })
    .waitFor()
  await page.locator('#mining').waitFor({ state: 'detached' })
  const after = Number(await rpc(stage.server.urls.eth, 'eth_blockNumber'))
  t.true(after > before && after < before + 100_000)
})

browsing('a waiting transaction has a page, is replaced there, and shows its block once it is mined', async (t) => {
  const { page, stage } = t.context
  await api(stage.server, '/call', { side: 'eth', method: 'eth_blockNumber' })
  const text = await visit(page, stage, `tx/${stage.waiting}`)
  t.regex(text, /queued.*Not in a block yet: its nonce is 90/)
  await page.click('main button:has-text("Raise fees")')
  await page.waitForURL((url) => !url.hash.includes(stage.waiting) && url.hash.startsWith('#/tx/'))
  await page.locator('main .pill:has-text("queued")').waitFor()
  const [row] = (await api(stage.server, '/mempool')).body
  t.is(new URL(page.url()).hash, `#/tx/${row.ethHash}`)
  await page.click('main button:has-text("Cancel")')
  await page
    .locator('#said')
    .filter({ hasText: /zero-value transfer/ })
    .waitFor()
  const hash = new URL(page.url()).hash
  t.regex(hash, /^#\/tx\/0x/)
  const nonce = Number(await rpc(stage.server.urls.eth, 'eth_getTransactionCount', from, 'latest'))
  await api(stage.server, '/mine', {})
  await rpc(stage.server.urls.eth, 'anvil_setNonce', from, '0x5a')
  await api(stage.server, '/mine', { blocks: 2 })
  await page.locator('main .pill:has-text("succeeded")').waitFor()
  await rpc(stage.server.urls.eth, 'anvil_setNonce', from, `0x${Math.max(nonce, 91).toString(16)}`)
  // The page of the replaced transaction may read once more before it is left.
  t.true(t.context.complaints.splice(0).every((text) => /status of 404/.test(text)))
})

browsing('an open proposal shows its votes, and the node votes on it', async (t) => {
  const { page, stage } = t.context
  t.regex(await visit(page, stage, 'proposals'), /Longer opening hours.*voting period/)
  await page.click('[data-key=proposal-1]')
  await page.waitForSelector('form[aria-label=Vote]')
  await page.selectOption('form[aria-label=Vote] select[name=option]', { label: 'No' })
  await page.click('form[aria-label=Vote] button')
  await page
    .locator('table[aria-label=Votes]')
    .filter({ hasText: /account0.*no/ })
    .waitFor()
  t.pass()
})

browsing('calls of a precompile are named, with their events, and its page has its functions', async (t) => {
  const { page, stage } = t.context
  const [{ body: accounts }, { body: validators }] = await Promise.all([
    api(stage.server, '/accounts'),
    api(stage.server, '/validators'),
  ])
  const address = '0x0000000000000000000000000000000000000800'
  const args = [accounts[0].ethereum, validators[0].operator, '1000']
  const signature = 'delegate(address,string,uint256)'
  const { body } = await api(stage.server, '/contracts/write', { address, signature, args, from })
  t.regex(await visit(page, stage, `tx/${body.hash}?tab=logs`), /delegate\(delegator.*Delegate\(delegator/)
  await visit(page, stage, `address/${address}?tab=contract`)
  t.is(await page.locator('form[aria-label="delegation(address,string)"]').count(), 1)
})

browsing('a failed transaction leads to the line of source at which it failed', async (t) => {
  const { page, stage } = t.context
  t.regex(await visit(page, stage, `tx/${stage.failed}?tab=calls`), /fails: TooLittle.* at test\.sol:13/)
  await page.click('#tab-steps')
  await page.click('a:has-text("Go to failure")')
  await page.waitForSelector('aside .source .here')
  t.regex(await page.innerText('aside .source .here'), /if \(paid < price\) revert TooLittle/)
  t.regex(page.url(), /step=\d+/)
})

browsing('every tab of an address shows what the chain has', async (t) => {
  const { page, stage } = t.context
  await visit(page, stage, `address/${stage.shop}?tab=logs`)
  t.regex(await page.innerText('#tabpanel'), /Sold/)
  await page.click('#tab-storage')
  await page.click('button:has-text("Read the first ten slots")')
  await page
    .locator('#tabpanel')
    .filter({ hasText: /5,000,000,000,000,000,000|0x0+4563918244f40000/ })
    .waitFor()
  await page.fill('input[name=slot]', 'price')
  await page.click('button:text-is("Read")')
  t.regex(await page.innerText('#tabpanel [role=alert]'), /^Expected a slot such as 7 or 0x7 .*received "price"/)
  await page.click('#tab-code')
  t.is(
    await page.innerText('#tabpanel pre'),
    String(await rpc(stage.server.urls.eth, 'eth_getCode', stage.shop, 'latest')),
  )
  await page.click('#tab-raw')
  await page.click('summary:has-text("account")')
  t.regex(await page.innerText('#tabpanel'), /@type/)
  await visit(page, stage, `address/${from}?tab=staking`)
  t.regex(await page.innerText('#tabpanel'), /cosmosvaloper/)
})

browsing('a transaction copied as curl and as a scenario step is the same transaction', async (t) => {
  const { page, stage } = t.context
  await visit(page, stage, `tx/${stage.bought}`)
  const form = async (name: string) => {
    await page.click(`#copyas summary:text-is("${name}")`)
    return page.innerText(`#copyas pre[aria-label="The transaction as ${name}"]`)
  }
  const curl = await form('curl')
  // The chain runs in this process, which must not wait for curl.
  const { stdout } = await promisify(execFile)('sh', ['-c', curl])
  const told = JSON.parse(stdout) as { result: string }
  const [again, first] = (await Promise.all(
    [told.result, stage.bought].map((hash) => rpc(stage.server.urls.eth, 'eth_getTransactionByHash', hash)),
  )) as [Record<string, string>, Record<string, string>]
  t.deepEqual(
    ['from', 'to', 'input', 'value'].map((key) => again[key]),
    ['from', 'to', 'input', 'value'].map((key) => first[key]),
  )
  const step = JSON5.parse(await form('scenario step')) as { do: { sendTx: Record<string, unknown> } }
  t.is(String(step.do.sendTx['data']), first['input'] ?? '')
  t.is(Number(step.do.sendTx['gas']), Number(first['gas']))
  t.regex(await form('cast'), new RegExp(`--rpc-url ${stage.server.urls.eth} `))
  await visit(page, stage, `tx/${stage.cosmos}`)
  t.regex(await form('CosmJS, new signature'), /fromAddress: "cosmos1/)
})

browsing('a deep reorg shows the new block on a page that is open', async (t) => {
  const { page, stage } = t.context
  const height = Number(await rpc(stage.server.urls.eth, 'eth_blockNumber'))
  await visit(page, stage, `block/${height}`)
  const before = (await api(stage.server, `/blocks/${height}`)).body.hash.toLowerCase()
  t.true(String(await page.textContent('main')).includes(before))
  await api(stage.server, '/reorg', { depth: 2, view: 'chain' })
  await eventually(async () => !String(await page.textContent('main')).includes(before))
  t.pass()
})

/** Opens the oldest page of a list and returns to the newest, page by page. */
const pagesThrough = test.macro(async (t, path: (stage: ExplorerStage) => string, table: string) => {
  const { page, stage } = t.context as Explored
  await fill(stage)
  await visit(page, stage, path(stage))
  const rows = page.locator(`table[aria-label="${table}"] tbody tr`)
  await rows.first().waitFor()
  const newest = await rows.first().innerText()
  const go = async (name: string) => {
    const before = page.url()
    await page.click(`main .pager a:text-is("${name}")`)
    await page.waitForURL((url) => url.href !== before)
    await pageRead(page)
    await rows.first().waitFor()
  }
  const whole = (await page.locator('main .pager a:text-is("Next")').count()) > 0
  const [older, oldest, newer] = whole ? ['Next', 'Last', 'Previous'] : ['Older', 'Oldest', 'Newer']
  await go(older)
  if ((await page.locator(`main .pager a:text-is("${oldest}")`).count()) > 0) await go(oldest)
  t.is(await page.locator(`main .pager a:text-is("${older}")`).count(), 0)
  const last = await rows.last().innerText()
  for (let count = 0; (await page.locator(`main .pager a:text-is("${newer}")`).count()) > 0; count++) {
    t.true(count < 100, 'the newest page is never reached')
    await go(newer)
  }
  t.is(await rows.first().innerText(), newest)
  t.not(await rows.last().innerText(), last)
})

let isFull = false

/** Gives every list more rows than one page has: transfers, accounts, proposals and waiting transactions. */
async function fill({ server, pages }: ExplorerStage): Promise<void> {
  if (isFull) return
  isFull = true
  const { eth } = server.urls
  const data = (count: number) =>
    `0xa9059cbb${'70997970c51812dc3a010c7d01b50e0d17dc79c8'.padStart(64, '0')}${count.toString(16).padStart(64, '0')}`
  const to = String(pages['token']).replace('token/', '')
  for (let count = 1; count <= 30; count++) await rpc(eth, 'eth_sendTransaction', { from, to, data: data(count) })
  for (let count = 0; count < 25; count++) await rpc(eth, 'personal_newAccount', String(count))
  const body = {
    address: '0x0000000000000000000000000000000000000805',
    signature: 'submitProposal(address,bytes,(string,uint256)[])',
    from,
  }
  for (let count = 0; count < 30; count++) {
    const proposal = { messages: [], metadata: 'ipfs://more', title: `Proposal ${count}`, summary: 'One of many.' }
    const args = [from, `0x${Buffer.from(JSON.stringify(proposal)).toString('hex')}`, [['atest', '1000000']]]
    await api(server, '/contracts/write', { ...body, args })
  }
  const nonce = Number(await rpc(eth, 'eth_getTransactionCount', from, 'latest'))
  for (let count = 0; count < 30; count++) {
    await rpc(eth, 'eth_sendTransaction', {
      from,
      to,
      gas: '0xffff',
      nonce: `0x${(nonce + 1000 + count).toString(16)}`,
    })
  }
}

browsing('transactions page to the first', pagesThrough, () => 'transactions', 'Transactions')
browsing('the transactions of an address page to the first', pagesThrough, () => `address/${from}`, 'Transactions')
browsing('contract logs page to the first', pagesThrough, () => 'events', 'Events')
browsing('logs of one event page to the first', pagesThrough, () => 'events?tab=logs&event=Transfer', 'Events')
browsing('Cosmos events page to the first', pagesThrough, () => 'events?tab=cosmos&type=mint', 'Cosmos events')
browsing(
  'the logs of a contract page to the first',
  pagesThrough,
  ({ pages }) => `${pages['token']?.replace('token', 'address')}?tab=logs`,
  'Events',
)
browsing('transfers of a contract page to the first', pagesThrough, ({ pages }) => String(pages['token']), 'Transfers')
browsing('transfers of a denom page to the first', pagesThrough, () => 'token/atest', 'Transfers')
browsing('accounts page to the last', pagesThrough, () => 'accounts', 'Accounts')
browsing('proposals page to the last', pagesThrough, () => 'proposals', 'Proposals')
browsing('the mempool pages to the last', pagesThrough, () => 'mempool', 'Mempool')

browsing('a token leads from its contract to its denom, its holders and back to an address', async (t) => {
  const { page, stage } = t.context
  await visit(page, stage, 'tokens')
  await page.click('table[aria-label=Tokens] a:text-is("atest")')
  await page.locator('main .pill:text-is("Cosmos denom")').waitFor()
  await page.click('#tab-holders')
  const holder = page.locator('table[aria-label=Holders] tr').filter({ hasText: 'account3' })
  await holder.locator('a').click()
  await page.waitForURL(/#\/address\/cosmos1/)
  await page.locator('main dd').filter({ hasText: 'account3' }).first().waitFor()
  t.pass()
})

browsing('events are filtered by contract, name and height, and the address keeps the filter', async (t) => {
  const { page, stage } = t.context
  await visit(page, stage, 'events')
  await page.fill('form[aria-label="Filter events"] input[name=event]', 'Sold')
  await page.fill('form[aria-label="Filter events"] input[name=address]', stage.shop)
  await page.fill('form[aria-label="Filter events"] input[name=height]', '36')
  await page.click('form[aria-label="Filter events"] button:text-is("Filter")')
  await page.waitForURL(/event=Sold/)
  await pageRead(page)
  await page.locator('table[aria-label=Events] tbody tr').nth(2).waitFor()
  const rows = await page.locator('table[aria-label=Events] tbody tr').allInnerTexts()
  t.is(rows.length, 3)
  t.true(rows.every((row) => row.includes('Sold')))
  await page.reload()
  await page.locator('table[aria-label=Events] tbody tr').nth(2).waitFor()
  t.is(await page.inputValue('form[aria-label="Filter events"] input[name=height]'), '36')
  await page.click('button:text-is("Show all")')
  await page.locator('table[aria-label=Events]').filter({ hasText: 'SubmitProposal' }).waitFor()
})

browsing('a Cosmos transaction shows the events of each message, and is simulated with another amount', async (t) => {
  const { page, stage } = t.context
  t.regex(await visit(page, stage, `tx/${stage.cosmos}?tab=cosmos`), /Message 1: Send.*Fees and checks/)
  await page.click('#tab-changes')
  await page.locator('table[aria-label="Coins and stake"]').filter({ hasText: '+1.5 TEST' }).waitFor()
  await page.click('#tab-simulate')
  const messages = await page.inputValue('textarea[name=messages]')
  await page.fill('textarea[name=messages]', messages.replace('1500000000000000000', '2500000000000000000'))
  await page.click('form[aria-label="Simulate again"] button')
  await page.locator('table[aria-label="Coins and stake"]').filter({ hasText: '+2.5 TEST' }).waitFor()
  await page.fill('textarea[name=messages]', messages.replace('1500000000000000000', '9'.repeat(40)))
  await page.click('form[aria-label="Simulate again"] button')
  await page.locator('#tabpanel .fail').filter({ hasText: 'insufficient funds' }).waitFor()
  t.pass()
})

browsing('the key of a development account is copied from its dialog', async (t) => {
  const { page, stage } = t.context
  await visit(page, stage, 'accounts')
  await page.click('[data-key=key-account0]')
  await page.click('#accountkey button[aria-label="Copy the private key"]')
  t.is(
    await page.evaluate('navigator.clipboard.readText()'),
    '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  )
  t.regex(await page.innerText('#accountkey'), /test test test test/)
})

browsing('a chosen opcode step shows the memory, and the address keeps the step', async (t) => {
  const { page, stage } = t.context
  await visit(page, stage, `tx/${stage.bought}?tab=steps`)
  await page.click('[data-key=step-40]')
  await page.waitForURL(/step=40/)
  await page
    .locator('.memory')
    .filter({ hasText: /0x040 0+80/ })
    .waitFor()
  t.pass()
})

browsing('a block leads to the validator that proposed it, with its signatures and stake', async (t) => {
  const { page, stage } = t.context
  t.regex(await visit(page, stage, 'block/3'), /Signatures.*validator0.*signed.*Block events.*mint/)
  await page.click('main dd a:text-is("validator0")')
  await page.waitForURL(/#\/address\/cosmosvaloper1.*tab=staking/)
  await pageRead(page)
  t.regex(await page.innerText('#tabpanel'), /Commission\s+10%[^]*Missed blocks\s+0/)
  await visit(page, stage, `address/${from}?tab=staking`)
  t.regex(await page.innerText('table[aria-label=Unbonding]'), /2 TEST/)
})

browsing('the search leads to a function, a validator and a proposal', async (t) => {
  const { page, stage } = t.context
  await visit(page, stage, 'overview')
  for (const [asked, url] of [
    ['setPrice', /#\/address\/0x.*tab=contract/],
    ['validator0', /#\/address\/cosmosvaloper1.*tab=staking/],
    ['opening hours', /#\/proposal\/1$/],
  ] as const) {
    await page.keyboard.press('/')
    await page.keyboard.type(asked)
    await page.waitForSelector('#hit-0')
    await page.keyboard.press('Enter')
    await page.waitForURL(url)
    await page.waitForSelector('main h1')
  }
  t.pass()
})

browsing('a search that begins while a page opens keeps the focus', async (t) => {
  const { page, stage } = t.context
  await visit(page, stage, 'overview')
  await page.evaluate("location.hash = '#/blocks'; document.getElementById('search').focus()")
  await page.locator('main h1:has-text("Blocks")').waitFor()
  await pageRead(page)
  await page.keyboard.type('setPrice')
  t.is(await page.inputValue('#search'), 'setPrice')
})

browsing('Enter right after typing opens what was typed, not a result of the text before', async (t) => {
  const { page, stage } = t.context
  await visit(page, stage, 'overview')
  await page.keyboard.press('/')
  await page.keyboard.type('setPrice')
  await page.waitForSelector('#hit-0')
  await page.fill('#search', 'opening hours')
  await page.keyboard.press('Enter')
  await page.waitForURL(/#\/proposal\/1$/)
  t.pass()
})
