/** The dashboard as a person uses it: a real browser, the mouse and the keyboard. */
import anyTest, { type TestFn } from 'ava'
import type { Browser, Page } from 'playwright-core'
import { createWalletClient, http, type Abi, type Hex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import type { Server } from '../../../src/index.ts'
import { browserPath, pageRead, startBrowser, type WatchedPage, watchedPage } from '../../helpers/browser.ts'
import { demoToken } from '../../helpers/contracts.ts'
import { api, rpc, startControlled } from '../../helpers/control.ts'
import { chainOf, eventually } from '../../helpers/server.ts'
import { scratch } from '../../helpers/cli.ts'

const test = anyTest as TestFn<WatchedPage & { browser: Browser; server: Server }>
const alice = mnemonicToAccount('test test test test test test test test test test test junk')
const bob = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const browsing = browserPath === undefined ? test.serial.skip : test.serial

if (browserPath !== undefined) {
  test.before(async (t) => {
    t.context.browser = await startBrowser()
    Object.assign(t.context, await watchedPage(t.context.browser, { reducedMotion: 'reduce' }))
  })
  test.after.always(async (t) => {
    await t.context.browser.close()
  })
  test.beforeEach(async (t) => {
    t.context.server = await startControlled({ checkpoints: scratch() })
    await t.context.page.goto(t.context.server.urls.control)
    await t.context.page.waitForSelector('[data-panel=overview]')
  })
  test.afterEach.always(async (t) => {
    const { page, server, complaints } = t.context
    await page.goto('about:blank')
    await server.close()
    t.deepEqual(complaints.splice(0), [])
  })
}

async function deployed(server: Server): Promise<string> {
  const writer = createWalletClient({ chain: chainOf(server.urls.eth), transport: http(), account: alice })
  const { abi, bytecode } = demoToken() as { abi: Abi; bytecode: Hex }
  return writer.deployContract({ abi, bytecode, args: [] })
}

async function panel(page: Page, id: string): Promise<string> {
  await page.click(`nav a[href="#/${id}"]`)
  await page.waitForSelector(`[data-panel=${id}]`)
  await pageRead(page)
  return page.innerText('main')
}

/** Resolves when an element shows a text. */
const shows = (page: Page, id: string, text: RegExp) => page.locator(`#${id}`).filter({ hasText: text }).waitFor()
const hears = (page: Page, text: RegExp) => shows(page, 'said', text)

browsing('demand 37: every page shows what the interfaces say', async (t) => {
  const { server, page } = t.context
  const hash = await deployed(server)
  const height = Number(await rpc(server.urls.eth, 'eth_blockNumber'))
  await shows(page, 'facts', new RegExp(`Height${height}`))
  t.is(await page.locator('.plot canvas').count(), 5)
  const { gasUsed, hash: blockHash } = (await rpc(server.urls.eth, 'eth_getBlockByNumber', 'latest', false)) as {
    gasUsed: string
    hash: string
  }
  await panel(page, 'blocks')
  const blocks = String(await page.textContent('main'))
  t.true(blocks.includes(Number(gasUsed).toLocaleString('en')) && blocks.includes(blockHash.slice(2).toUpperCase()))
  await panel(page, 'transactions')
  t.true(String(await page.textContent('main')).includes(hash))
  const wei = BigInt((await rpc(server.urls.eth, 'eth_getBalance', alice.address, 'latest')) as string)
  await panel(page, 'accounts')
  t.is(await page.getAttribute('main tbody tr:first-child [title$=" wei"]', 'title'), `${wei} wei`)
  t.regex(await panel(page, 'contracts'), /Demo/)
  t.regex(await panel(page, 'events'), /Transfer/)
  t.regex(await panel(page, 'mempool'), /The mempool is empty/)
  t.regex(await panel(page, 'validators'), /bonded/)
  t.regex(await panel(page, 'proposals'), /No proposals/)
  t.regex(await panel(page, 'subscriptions'), /No connections/)
  t.regex(await panel(page, 'checkpoints'), /No checkpoints/)
  t.regex(await panel(page, 'faults'), /No faults/)
  t.regex(await panel(page, 'scenario'), /no steps/)
  t.regex(await panel(page, 'sessions'), /No sessions/)
  t.regex(await panel(page, 'requests'), /eth_getBalance/)
})

browsing(
  'a transaction opens with its decoded log, its block and both answers; an exchange with its texts',
  async (t) => {
    const { server, page } = t.context
    const hash = await deployed(server)
    await panel(page, 'transactions')
    await page.click(`[data-key="tx-${hash}"]`)
    await page.waitForSelector('[data-panel=tx] [role=tablist]')
    t.true((await page.innerText('main')).includes(hash))
    t.true((await page.innerText('main')).includes(alice.address))
    await page.click('#tab-logs')
    await shows(page, 'tabpanel', /Transfer\(from 0x0+, to .*0xf39F/)
    await page.click('#tab-cosmos')
    await shows(page, 'tabpanel', /ethereum_tx/)
    await page.click('#tab-raw')
    await shows(page, 'tabpanel', /eth_getTransactionReceipt/)
    await page.click('#tab-summary')
    await page.click('#tabpanel [data-key^=block-]')
    await page.waitForSelector('[data-panel=block]')
    await page.goBack()
    await page.waitForSelector('[data-panel=tx]')
    await panel(page, 'requests')
    await page.click('main tbody a[data-key^=call-]:has-text("eth_sendRawTransaction")')
    await page.waitForSelector('[data-panel=request] pre')
    t.true((await page.innerText('main')).includes(hash))
  },
)

browsing('every button does what it names', async (t) => {
  const { server, page } = t.context
  const height = () => server.simulation().node.chain.height
  await page.fill('input[name=blocks]', '3')
  await page.click('button:has-text("Mine")')
  await hears(page, /Mined 3 blocks up to height 4/)
  t.is(height(), 4n)
  await page.click('#controls button:has-text("Checkpoint")')
  await hears(page, /Took checkpoint .* at height 4/)
  await page.fill('input[name=by]', '2h')
  await page.click('button:has-text("Move time")')
  await hears(page, /Moved block time forward by 2h, starting with block 5/)
  await page.click('#controls button:has-text("Restore")')
  t.is(height(), 5n)
  await page.click('dialog button.danger')
  await hears(page, /height 4/)
  t.is(height(), 4n)
  await page.click('button:has-text("Fault…")')
  await page.fill('input[name=for]', '1h')
  await page.click('dialog button:has-text("Turn on")')
  await hears(page, /"slow" is on/)
  t.is(server.simulation().node.faults.active[0]?.rule.name, 'slow')
  await panel(page, 'faults')
  await page.click('[data-key=fault-slow]')
  await hears(page, /Turned off "slow"/)
  t.deepEqual(server.simulation().node.faults.active, [])
  await page.click('button:has-text("Signal…")')
  await page.fill('dialog input[name=name]', 'go')
  await page.click('dialog button:has-text("Send signal")')
  await hears(page, /Sent signal "go"/)
  t.deepEqual(server.simulation().progress.signals, ['go'])
  await panel(page, 'accounts')
  await page.click('[data-key=fund-account1]')
  await page.click('dialog button:has-text("Mint tokens")')
  await hears(page, /Minted 100 tokens/)
  t.is(BigInt((await rpc(server.urls.eth, 'eth_getBalance', bob, 'latest')) as string), 10_100n * 10n ** 18n)
})

browsing(
  'what the command line can, the page can: saved checkpoints, reorganisations, ABIs, sessions, time and intervals',
  async (t) => {
    const { server, page, complaints } = t.context
    t.is(server.simulation().node.chain.height, 1n)
    await page.fill('input[name=blocks]', '2')
    await page.fill('input[name=interval]', '30s')
    await page.click('button:has-text("Mine")')
    await hears(page, /height 3/)
    await page.uncheck('input[name=mine]')
    await page.click('button:has-text("Move time")')
    await hears(page, /Moved block time forward by 1h, starting with block 4/)
    t.is(server.simulation().node.chain.height, 3n)
    await panel(page, 'checkpoints')
    await page.click('[data-key=save]')
    await page.fill('dialog input[name=name]', 'three')
    await page.click('dialog button:has-text("Save")')
    await hears(page, /Saved height 3 as "three"/)
    await page.click('#controls button:has-text("Mine")')
    await hears(page, /height 5/)
    await page.click('[data-key=load-three]')
    await page.click('dialog button.danger')
    await hears(page, /Loaded "three" at height 3/)
    t.is(server.simulation().node.chain.height, 3n)

    const hash = async () =>
      ((await rpc(server.urls.eth, 'eth_getBlockByNumber', 'latest', false)) as { hash: string }).hash
    const before = await hash()
    await page.keyboard.press('Tab')
    await page.keyboard.press('o')
    await page.click('dialog button:has-text("Reorg…")')
    await page.click('dialog button.main')
    await hears(page, /1 block has a new hash\. Height: 3/)
    t.not(await hash(), before)
    await page.click('button:has-text("More…")')
    await page.click('dialog button:has-text("Add an ABI…")')
    await page.fill(
      'dialog textarea',
      '{ "abi": [{ "type": "event", "name": "Rung", "inputs": [{ "type": "string", "name": "by" }] }] }',
    )
    await page.click('dialog button.main')
    await hears(page, /Added: Rung\(string\)/)
    await page.click('button:has-text("More…")')
    await page.click('dialog button:has-text("Undo the last reload")')
    await page.click('dialog button.danger')
    await hears(page, /no scenario that is followed/)
    t.true(complaints.splice(0).every((text) => /status of 404/.test(text)))
    await page.click('button:has-text("More…")')
    await page.click('dialog button:has-text("Stop the server")')
    await page.click('dialog button.danger')
    await hears(page, /runs inside a program/)

    await page.selectOption('#session', '+')
    await page.waitForURL(/\/s\/[^/]+\/$/)
    await page.waitForSelector('[data-panel=overview]')
    await shows(page, 'facts', /Height1/)
    t.is(server.simulation().node.chain.height, 3n)
    await page.click('button:has-text("More…")')
    await page.click('dialog button:has-text("End this session")')
    await page.click('dialog button.danger')
    await page.waitForURL(/:\d+\/$/)
    await shows(page, 'facts', /Height3/)
    // The page of a session may read it once more while it ends.
    t.true(complaints.splice(0).every((text) => /status of 404/.test(text)))
    await page.click('button:has-text("More…")')
    await page.click('dialog button:has-text("Reset…")')
    await page.click('dialog button:has-text("Cancel")')
    t.is(server.simulation().node.chain.height, 3n)
    await page.click('button:has-text("More…")')
    await page.click('dialog button:has-text("Reset…")')
    await page.click('dialog button.danger')
    await hears(page, /Reset the chain to height 1/)
  },
)

browsing('the buttons for wallets hand over the chain as it runs', async (t) => {
  const { server, page } = t.context
  await page.click('[data-key=add-keplr]')
  await hears(page, /Keplr is not installed in this browser/)
  await page.click('[data-key=add-metamask]')
  await hears(page, /MetaMask is not installed in this browser/)
  await page.evaluate(`(() => {
    window.asked = []
    const noting = (name) => async (...given) => { window.asked.push([name, ...given]) }
    window.keplr = { experimentalSuggestChain: noting('suggest'), enable: noting('enable') }
    window.ethereum = { request: noting('request') }
  })()`)
  await page.click('[data-key=add-keplr]')
  await hears(page, /Added chainstage-1 to Keplr/)
  await page.click('[data-key=add-metamask]')
  await hears(page, /Added chainstage-1 to MetaMask/)
  const [suggested, enabled, requested] = (await page.evaluate('window.asked')) as unknown[][]
  const told = async (format: string) => (await api(server, `/chain-info?format=${format}`)).body as unknown
  t.deepEqual(suggested, ['suggest', await told('keplr')])
  t.deepEqual(enabled, ['enable', 'chainstage-1'])
  t.deepEqual(requested, [
    'request',
    {
      method: 'wallet_addEthereumChain',
      params: [await told('metamask')],
    },
  ])
  await page.evaluate(`window.keplr.experimentalSuggestChain = async () => { throw new Error('Request rejected') }`)
  await page.click('[data-key=add-keplr]')
  await hears(page, /Request rejected/)
})

browsing('a refusal is said and changes nothing', async (t) => {
  const { server, page, complaints } = t.context
  await page.click('#controls button:has-text("Restore")')
  await page.click('dialog button.danger')
  await hears(page, /there is no checkpoint/)
  await page.click('button:has-text("Faucet…")')
  await page.fill('dialog input[name=address]', '0x12')
  await page.click('dialog button:has-text("Mint tokens")')
  t.regex(await page.innerText('dialog [role=alert]'), /expected an address/)
  t.is(server.simulation().node.chain.height, 1n)
  // The browser itself tells of answers of 400.
  t.true(complaints.splice(0).every((text) => /status of 400/.test(text)))
})

browsing('the keyboard alone is enough', async (t) => {
  const { server, page } = t.context
  await page.keyboard.press('m')
  await hears(page, /Mined 1 block up to height 2/)
  await page.keyboard.press('c')
  await hears(page, /Took checkpoint/)
  await page.keyboard.press('2')
  await page.waitForSelector('[data-panel=blocks] [data-key=block-2]')
  await page.focus('[data-key=block-2]')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForSelector('[data-panel=block]')
  t.is(await page.innerText('h1'), 'Block 1')
  await page.keyboard.press('?')
  t.regex(await page.innerText('dialog[open]'), /restore the newest checkpoint/)
  await page.keyboard.press('Escape')
  await page.locator('dialog[open]').waitFor({ state: 'detached' })
  await page.keyboard.press('m')
  await hears(page, /height 3/)
  await page.keyboard.press('r')
  await page.locator('dialog[open] button.danger:focus').waitFor()
  await page.keyboard.press('Enter')
  await hears(page, /Restored/)
  await page.keyboard.press('/')
  await page.keyboard.type('account1')
  await page.waitForSelector('#hit-0')
  await page.keyboard.press('Enter')
  await page.waitForSelector('[data-panel=address] .fields')
  t.true((await page.innerText('main')).includes(bob))
  // By Tab alone: from the top of the page through everything that can be used.
  await page.evaluate('document.activeElement.blur(); window.scrollTo(0, 0)')
  const reached: unknown[] = []
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press('Tab')
    reached.push(await page.evaluate('document.activeElement.ariaLabel || document.activeElement.textContent'))
  }
  for (const wanted of [
    'Search',
    'Session',
    'Keyboard shortcuts',
    'Mine',
    'Move time',
    'Checkpoint',
    'Fault…',
    'Faucet…',
  ])
    t.true(reached.includes(wanted), `${wanted}: ${reached.join()}`)
  t.is(server.simulation().node.chain.height, 2n)
})

browsing('the theme follows the system until one is chosen, and the choice is remembered', async (t) => {
  const { page } = t.context
  const shown = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
  const light = await shown()
  await page.emulateMedia({ colorScheme: 'dark' })
  await eventually(async () => (await shown()) !== light)
  await page.click('#theme')
  t.is(await shown(), light)
  await page.reload()
  t.is(await shown(), light)
})

browsing('a session has the same page, chosen from a list, and a narrow window needs no scrolling aside', async (t) => {
  const { server, page } = t.context
  await using session = server.session('aside')
  session.mine(4)
  await page.reload()
  await page.selectOption('#session', 'aside')
  await shows(page, 'facts', /Height5/)
  await page.click('button:has-text("Mine")')
  await hears(page, /Mined 1 block up to height 6/)
  t.is(server.simulation().node.chain.height, 1n)
  await page.setViewportSize({ width: 390, height: 800 })
  for (const id of ['overview', 'accounts', 'requests']) {
    await page.click('.menu')
    await panel(page, id)
    t.is(await page.evaluate('document.documentElement.scrollWidth'), 390, id)
  }
  await page.goto('about:blank')
})

browsing('what happens is seen at once, without a reload', async (t) => {
  const { server, page } = t.context
  await rpc(server.urls.eth, 'anvil_mine', '0x10')
  await shows(page, 'facts', /Height17/)
  await eventually(async () => (await page.innerText('main')).includes('2025-01-01 00:00:16'))
  t.pass()
})
