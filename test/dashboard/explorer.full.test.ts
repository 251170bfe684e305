/** The explorer as a person uses it: searches, permalinks, traces, contracts, selections. */
import anyTest, { type TestFn } from 'ava'
import type { Page } from 'playwright-core'
import { api, rpc } from '../helpers/control.ts'
import { type Explored, exploring, visit } from '../helpers/explorerPage.ts'
import type { ExplorerStage } from '../helpers/explorerStage.ts'
import { GrpcClient } from '../helpers/grpc.ts'
import { eventually } from '../helpers/server.ts'

const test = anyTest as TestFn<Explored>
const browsing = exploring(test)

browsing('a hash selected on a live chain is still selected after ten blocks, and copied whole', async (t) => {
  const { page, stage } = t.context
  await visit(page, stage, 'transactions')
  const [newest] = (await api(stage.server, '/transactions?limit=1')).body
  const hash = newest.ethHash ?? newest.hash
  await page.evaluate(`(() => {
    const link = document.querySelector('[data-key="tx-${hash}"]')
    getSelection().selectAllChildren(link)
  })()`)
  for (let count = 0; count < 10; count++) {
    await rpc(stage.server.urls.eth, 'eth_sendTransaction', {
      from: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
      to: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
      value: '0x1',
    })
  }
  await page.locator('.held').waitFor()
  await page.waitForTimeout(1200)
  await page.keyboard.press('Control+c')
  t.is(await page.evaluate('navigator.clipboard.readText()'), hash)
  await page.keyboard.press('Escape')
  await eventually(async () => (await page.locator('main tbody tr').count()) > 0)
  const [after] = (await api(stage.server, '/transactions?limit=1')).body
  await page.waitForSelector(`[data-key="tx-${after.ethHash}"]`)
  t.pass()
})

browsing('a selection ends with its page, so that the next page is kept current', async (t) => {
  const { page, stage } = t.context
  await visit(page, stage, 'blocks')
  await page.evaluate(`getSelection().selectAllChildren(document.querySelector('main tbody td'))`)
  await page.locator('.held').waitFor()
  await page.keyboard.press('3')
  await page.locator('[data-panel=transactions]').waitFor()
  await page.locator('.held').waitFor({ state: 'detached' })
  t.pass()
})

browsing('a row keeps its element while blocks come above it, and focus stays where it was', async (t) => {
  const { page, stage } = t.context
  await visit(page, stage, 'blocks')
  await page.evaluate(`(() => {
    window.row = document.querySelector('main tbody tr')
    window.row.querySelector('a').focus()
  })()`)
  await api(stage.server, '/mine', { blocks: 3 })
  await eventually(async () => (await page.evaluate('window.row.rowIndex')) === 4)
  t.is(await page.evaluate('document.activeElement === window.row.querySelector("a")'), true)
})

browsing('requests over the REST API and gRPC are in the journal with their interface', async (t) => {
  const { page, stage } = t.context
  const { rest, grpc } = stage.server.urls
  t.is((await fetch(`${rest}/cosmos/base/tendermint/v1beta1/syncing`)).status, 200)
  using client = new GrpcClient(grpc)
  t.is((await client.call('/cosmos.base.tendermint.v1beta1.Service/GetNodeInfo', Buffer.alloc(0))).code, 0)
  await visit(page, stage, 'requests')
  const rows = page.locator('[aria-label=Journal] tbody tr')
  for (const [method, name] of [
    ['GetSyncing', 'Cosmos REST'],
    ['GetNodeInfo', 'gRPC'],
  ] as const) {
    const row = rows.filter({ hasText: method }).filter({ hasText: name })
    await row.first().waitFor()
    t.true((await row.first().innerText()).includes('ok'))
  }
})

const finds = test.macro(async (t, asked: (stage: ExplorerStage) => Promise<string> | string, url: RegExp) => {
  const { page, stage } = t.context as { page: Page; stage: ExplorerStage }
  await visit(page, stage, 'overview')
  await page.keyboard.press('/')
  await page.keyboard.type(await asked(stage))
  await page.waitForSelector('#hit-0')
  await page.keyboard.press('Enter')
  await page.waitForURL(url)
  await page.waitForSelector('main h1')
  t.pass()
})
browsing('the search finds a height', finds, () => '12', /#\/block\/12$/)
browsing('the search finds an Ethereum hash', finds, ({ bought }) => bought, /#\/tx\/0x/)
browsing('the search finds a Cosmos hash', finds, ({ cosmos }) => cosmos, /#\/tx\/[0-9A-F]{64}$/)
browsing(
  'the search finds a block hash',
  finds,
  async ({ server }) => (await api(server, '/blocks/3')).body.hash,
  /#\/block\/3$/,
)
browsing(
  'the search finds a Cosmos address',
  finds,
  async ({ server }) => (await api(server, '/accounts')).body[2].cosmos,
  /#\/address\/0x3C44/,
)
browsing('the search finds a label', finds, () => 'account3', /#\/address\/0x/)
browsing('the search finds a method', finds, () => 'eth_sendRaw', /#\/requests\?method=eth_sendRawTransaction/)

browsing('every list pages back to its first entry, and each page is a permalink', async (t) => {
  const { page, stage } = t.context
  await api(stage.server, '/mine', { blocks: 120 })
  await visit(page, stage, 'blocks')
  await page.click('.pager a:has-text("Older")')
  await page.waitForURL(/before=/)
  const older = page.url()
  await page.click('.pager a:has-text("Oldest")')
  await page.waitForSelector('[data-key=block-1]')
  await page.goBack()
  await page.waitForURL(older)
  await page.click('.pager a:has-text("Newest")')
  const height = Number(await rpc(stage.server.urls.eth, 'eth_blockNumber'))
  await page.waitForSelector(`[data-key=block-${height}]`)
  const seen: number[] = []
  for (let before = ''; ; ) {
    const { body } = await api(stage.server, `/transactions?limit=7${before}`)
    seen.push(...body.map((one: { number: number }) => one.number))
    if (body.length < 7) break
    before = `&before=${body.at(-1).number}`
  }
  t.is(seen.at(-1), 0)
  t.deepEqual(
    seen,
    seen.map((_, index) => seen.length - 1 - index),
  )
})

browsing(
  'the transactions of a block come in pages, because a browser takes a minute for a thousand rows',
  async (t) => {
    const { page, stage } = t.context
    const { eth } = stage.server.urls
    const address = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
    const first = Number(await rpc(eth, 'eth_getTransactionCount', address, 'latest'))
    const asked = Array.from({ length: 27 }, (_, index) => ({
      ...{ jsonrpc: '2.0', id: index, method: 'eth_sendTransaction' },
      params: [{ from: address, to: address, gas: '0x5208', nonce: `0x${(first + index).toString(16)}` }],
    }))
    await rpc(eth, 'evm_setAutomine', false)
    const headers = { 'Content-Type': 'application/json' }
    await (await fetch(eth, { method: 'POST', headers, body: JSON.stringify(asked) })).text()
    const { height } = (await api(stage.server, '/mine', {})).body
    await rpc(eth, 'evm_setAutomine', true)
    await visit(page, stage, `block/${height}`)
    const rows = page.locator('table[aria-label=Transactions] tbody tr')
    await eventually(async () => (await rows.count()) === 25)
    await page.click('main .pager a:text-is("Next")')
    await eventually(async () => (await rows.count()) === 2)
    t.pass()
  },
)

browsing('a failed transaction names its custom error and the frame in which it began', async (t) => {
  const { page, stage } = t.context
  const text = await visit(page, stage, `tx/${stage.failed}?tab=calls`)
  t.regex(text, /failed/)
  t.regex(text, /TooLittle\(paid 3000000000000000000, price 5000000000000000000\)/)
  t.regex(String(await page.textContent('.tree .origin')), /buy\(what "a table"/)
  const direction = `getComputedStyle(document.querySelector('.call > span')).unicodeBidi`
  t.is(await page.evaluate(direction), 'isolate', 'text of a contract must not turn the text after it')
})

browsing('a transaction shows its calls, its state changes and its opcodes', async (t) => {
  const { page, stage } = t.context
  t.regex(await visit(page, stage, `tx/${stage.bought}?tab=calls`), /buy.*transferFrom\(/)
  await page.click('#tab-changes')
  await page
    .locator('#tabpanel')
    .filter({ hasText: /0x5f[^]*Before[^]*After/i })
    .waitFor()
  await page.click('#tab-steps')
  await page.locator('#tabpanel').filter({ hasText: /PUSH1/ }).waitFor()
  await page.click('a:has-text("Later steps")')
  await page.waitForURL(/from=100/)
  await page.waitForSelector('[data-key=step-100]')
  await page.focus('#tab-steps')
  await page.keyboard.press('ArrowRight')
  await page.waitForURL(/tab=simulate/)
  t.pass()
})

browsing('a transaction is simulated again with other input, and nothing is sent', async (t) => {
  const { page, stage } = t.context
  const before = stage.server.simulation().node.chain.height
  await visit(page, stage, `tx/${stage.failed}?tab=simulate`)
  await page.fill(
    'textarea[name=overrides]',
    `{ '${stage.shop}': { stateDiff: { '0x${'1'.padStart(64, '0')}': '0x${'1'.padStart(64, '0')}' } } }`,
  )
  await page.click('button:has-text("Simulate")')
  await page.locator('h2 .pill.good').waitFor()
  t.regex(String(await page.textContent('.tree')), /transferFrom/)
  await page.fill('textarea[name=overrides]', '')
  await page.fill('input[name=value]', 'one')
  await page.click('button:has-text("Simulate")')
  t.is(await page.innerText('#tabpanel [role=alert]'), 'Value: expected a whole number, received "one".')
  t.is(await page.locator('h2 .pill').count(), 0)
  await page.fill('input[name=value]', '0')
  await page.click('button:has-text("Simulate")')
  await page.locator('h2 .pill.bad').waitFor()
  t.is(stage.server.simulation().node.chain.height, before)
})

browsing('a contract is read and written with the keys of the node', async (t) => {
  const { page, stage } = t.context
  await visit(page, stage, `address/${stage.shop}?tab=contract`)
  await page.click('form[aria-label="price()"] button')
  t.is(await page.innerText('form[aria-label="price()"] output'), '5000000000000000000')
  const write = 'form[aria-label="setPrice(uint256)"]'
  await page.fill(`${write} input[name=arg0]`, 'seven')
  await page.click(`${write} button`)
  t.regex(await page.innerText(`${write} [role=alert]`), /next \(uint256\): expected a whole number/)
  t.true(t.context.complaints.splice(0).every((text) => /status of 400/.test(text)))
  await page.fill(`${write} input[name=arg0]`, '7')
  await page.click(`${write} button`)
  await page.waitForSelector(`${write} output a`)
  await page.click('form[aria-label="price()"] button')
  await page.locator('form[aria-label="price()"] output').filter({ hasText: /^7$/ }).waitFor()
  await page.fill(`${write} input[name=arg0]`, '5000000000000000000')
  await page.click(`${write} button`)
  t.pass()
})

browsing('an address shows balances of all coins and tokens in both spellings', async (t) => {
  const { page, stage } = t.context
  const text = await visit(page, stage, 'address/cosmos17w0adeg64ky0daxwd2ugyuneellmjgnxramjtq?tab=assets')
  t.regex(text, /account0/)
  t.regex(text, /0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266/)
  await page.locator('table[aria-label=Tokens]').filter({ hasText: 'Demo Coin (DEMO)' }).waitFor()
  t.regex(await page.innerText('table[aria-label=Coins]'), /atest/)
})

browsing('a waiting transaction says why it waits, and can be held, released and dropped', async (t) => {
  const { page, stage } = t.context
  t.regex(await visit(page, stage, 'mempool'), /its nonce is 90, and the sender's next is \d+/)
  await page.click('button:has-text("Hold")')
  await page.click('button:has-text("Release")')
  await page.click('main button:has-text("Drop…")')
  await page.locator('main .pill:has-text("queued")').waitFor()
  await page.click('dialog button.danger')
  await page.locator('main .empty').waitFor()
  t.regex(await page.innerText('main'), /The mempool is empty/)
})

browsing('the form for a fault writes JSON5, and the fault is one that a scenario could have', async (t) => {
  const { page, stage } = t.context
  await visit(page, stage, 'faults')
  await page.click('main button:has-text("New fault…")')
  await page.fill('dialog input[name=name]', 'teapot')
  await page.selectOption('dialog label:has-text("Effect") select', 'http')
  await page.fill('dialog label:has-text("Status") input', '418')
  t.regex(await page.inputValue('dialog textarea'), /http: \{\s+status: 418/)
  await page.click('dialog button.main')
  await page.waitForSelector('[data-key=fault-teapot][aria-checked=true]')
  const answer = await fetch(stage.server.urls.eth, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":1,"method":"eth_gasPrice","params":[]}',
  })
  t.is(answer.status, 418)
  const asks = () =>
    fetch(stage.server.urls.eth, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"eth_gasPrice","params":[]}',
    })
  await page.click('[data-key=fault-teapot]')
  await page.waitForSelector('[data-key=fault-teapot][aria-checked=false]')
  t.is((await asks()).status, 200)
  await page.click('[data-key=fault-teapot]')
  await page.waitForSelector('[data-key=fault-teapot][aria-checked=true]')
  t.is((await asks()).status, 418)
  await page.click('[data-key=fault-teapot]')
  await page.waitForSelector('[data-key=fault-teapot][aria-checked=false]')
})

browsing('every choice of the form for a fault writes a valid rule', async (t) => {
  const { page, stage } = t.context
  await visit(page, stage, 'faults')
  const nextCheck = () => page.waitForResponse(/faults\/check$/)
  const first = nextCheck()
  await page.click('main button:has-text("New fault…")')
  await first
  for (const [label, least] of [
    ['Effect', 15],
    ['Requests', 5],
  ] as const) {
    const choice = page.locator(`dialog label:has-text("${label}") select`)
    const count = await choice.locator('option').count()
    t.true(count >= least)
    for (let index = count - 1; index >= 0; index--) {
      const checked = nextCheck()
      await choice.selectOption({ index })
      t.deepEqual(await (await checked).json(), { problem: null }, `${label} ${index}`)
    }
  }
})

browsing('a chain that follows no file says so when a fault is to be saved into its scenario', async (t) => {
  const { page, stage } = t.context
  await visit(page, stage, 'faults')
  await page.click('main button:has-text("New fault…")')
  await page.click('dialog button:has-text("Save to scenario")')
  await page
    .locator('#said')
    .filter({ hasText: /no scenario that is followed/ })
    .waitFor()
  t.true(t.context.complaints.splice(0).every((text) => /status of 404/.test(text)))
})

browsing('a link to a page of one thing that names none opens the list of all', async (t) => {
  const { page, stage } = t.context
  for (const [path, title] of [
    ['tx', 'Transactions'],
    ['token', 'Tokens'],
  ] as const) {
    await visit(page, stage, path)
    t.is(await page.innerText('main h1'), title)
  }
})

browsing('a transaction of 130,000 bytes is copied as code', async (t) => {
  const { page, stage } = t.context
  const hash = await rpc(stage.server.urls.eth, 'eth_sendTransaction', {
    from: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
    to: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
    gas: '0x1e8480',
    data: `0x${'00'.repeat(130_000)}`,
  })
  await visit(page, stage, `tx/${String(hash)}`)
  await page.locator('#copyas summary:text-is("curl, same bytes")').waitFor()
  t.pass()
})

browsing('a selection dragged out of a dialog leaves it open, and a click beside the dialog closes it', async (t) => {
  const { page, stage } = t.context
  await visit(page, stage, 'overview')
  await page.click('#controls button:has-text("Faucet…")')
  const box = await page.locator('dialog input[name=address]').boundingBox()
  await page.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 8)
  await page.mouse.down()
  await page.mouse.move(4, (box?.y ?? 0) + 8)
  await page.mouse.up()
  t.is(await page.locator('dialog[open]').count(), 1)
  await page.mouse.click(4, 300)
  await page.locator('dialog[open]').waitFor({ state: 'detached' })
})

browsing('a form that cannot be filled in says why', async (t) => {
  const { page, stage } = t.context
  await visit(page, stage, 'overview')
  const path = /\/api\/(?:scenario|faults)$/
  await page.route(path, (route) => route.abort())
  for (const name of ['Signal…', 'Fault…']) {
    await Promise.all([page.waitForEvent('requestfailed'), page.click(`#controls button:has-text("${name}")`)])
  }
  await page.locator('#said.bad').filter({ hasText: 'The chain does not respond' }).waitFor()
  await page.unroute(path)
  t.true(t.context.complaints.splice(0).every((text) => /ERR_FAILED/.test(text)))
})

/** Opens the page of a block, has the block replaced, and tests that the page shows the block in its place. */
const followsLostBlock = test.macro(async (t, isSelected: boolean) => {
  const { page, stage } = t.context as Explored
  const { eth } = stage.server.urls
  const id = await rpc(eth, 'evm_snapshot')
  await api(stage.server, '/mine', { blocks: 3 })
  const height = Number(await rpc(eth, 'eth_blockNumber')) - 1
  const hash = async () => String((await api(stage.server, `/blocks/${height}`)).body.hash).toLowerCase()
  const before = await hash()
  t.true((await visit(page, stage, `block/${height}`)).includes(before))
  if (isSelected) {
    await page.evaluate(`getSelection().selectAllChildren(document.querySelector('main dd'))`)
    await page.locator('.held').waitFor()
  }
  await rpc(eth, 'evm_revert', id)
  await rpc(eth, 'evm_increaseTime', 60)
  await api(stage.server, '/mine', { blocks: 5 })
  if (isSelected) {
    await eventually(async () => (await page.textContent('#top .height dd')) === String(height + 3))
    await page.waitForTimeout(600)
    await page.keyboard.press('Escape')
  }
  await page
    .locator('main')
    .filter({ hasText: await hash() })
    .waitFor()
  t.not(await hash(), before)
})
browsing('a block that was replaced while the chain outgrew it is read again', followsLostBlock, false)
browsing('a block that was replaced while its text was selected is read again', followsLostBlock, true)

browsing('no request of the page leaves its own origin', async (t) => {
  const { page, stage } = t.context
  const asked = new Set<string>()
  page.on('request', (request) => asked.add(new URL(request.url()).origin))
  for (const path of Object.values(stage.pages)) await visit(page, stage, path)
  t.true(t.context.complaints.splice(0).every((text) => /status of 404/.test(text)))
  t.deepEqual([...asked], [new URL(stage.server.urls.control).origin])
})
