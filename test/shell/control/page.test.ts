/** The dashboard as a person uses it: a real browser, the mouse and the keyboard. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import anyTest, { type TestFn } from 'ava'
import type { Browser, Page } from 'playwright-core'
import { createWalletClient, http, type Abi, type Hex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import type { Server } from '../../../src/index.ts'
import { browserPath, startBrowser } from '../../helpers/browser.ts'
import { demoToken } from '../../helpers/contracts.ts'
import { rpc, startControlled } from '../../helpers/control.ts'
import { chainOf, eventually } from '../../helpers/server.ts'

const test = anyTest as TestFn<{ browser: Browser; server: Server; page: Page; complaints: string[] }>
const alice = mnemonicToAccount('test test test test test test test test test test test junk')
const bob = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const browsing = browserPath === undefined ? test.serial.skip : test.serial

if (browserPath === undefined) {
  test('there is no browser here: the dashboard is not looked at (install chromium)', (t) => t.pass())
} else {
  test.before(async (t) => { t.context.browser = await startBrowser() })
  test.after.always(async (t) => { await t.context.browser.close() })
  test.beforeEach(async (t) => {
    const { browser } = t.context as { browser: Browser }
    t.context.server = await startControlled({ checkpoints: mkdtempSync(join(tmpdir(), 'chainstage-')) })
    t.context.page = await browser.newPage({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' })
    t.context.complaints = []
    t.context.page.on('console', (message) => { if (message.type() === 'error') t.context.complaints.push(message.text()) })
    t.context.page.on('pageerror', (error) => t.context.complaints.push(error.message))
    await t.context.page.goto(t.context.server.urls.control)
    await t.context.page.waitForSelector('[data-panel=overview]')
  })
  test.afterEach.always(async (t) => {
    await t.context.page.close()
    await t.context.server.close()
    t.deepEqual(t.context.complaints, [])
  })
}

async function deployed(server: Server): Promise<string> {
  const writer = createWalletClient({ chain: chainOf(server.urls.eth), transport: http(), account: alice })
  const { abi, bytecode } = demoToken() as { abi: Abi; bytecode: Hex }
  return writer.deployContract({ abi, bytecode, args: [] })
}

async function panel(page: Page, id: string): Promise<string> {
  await page.click(`nav a[href="#${id}"]`)
  await page.waitForSelector(`[data-panel=${id}]`)
  return page.innerText('main')
}

/** Resolves when an element shows a text. */
const shows = (page: Page, id: string, text: RegExp) =>
  page.locator(`#${id}`).filter({ hasText: text }).waitFor()
const hears = (page: Page, text: RegExp) => shows(page, 'said', text)

browsing('demand 37: every panel shows what the interfaces say', async (t) => {
  const { server, page } = t.context
  const hash = await deployed(server)
  const height = Number(await rpc(server.urls.eth, 'eth_blockNumber'))
  await shows(page, 'facts', new RegExp(`Height${height}`))
  t.is(await page.locator('svg[role=img]').count(), 4)
  const { gasUsed, hash: blockHash } = await rpc(server.urls.eth, 'eth_getBlockByNumber', 'latest', false) as { gasUsed: string; hash: string }
  const blocks = await panel(page, 'blocks')
  t.true(blocks.includes(Number(gasUsed).toLocaleString('en')) && blocks.includes(blockHash.slice(2, 12).toUpperCase()), blocks)
  t.true((await panel(page, 'transactions')).includes(hash.slice(0, 10)))
  const wei = BigInt(await rpc(server.urls.eth, 'eth_getBalance', alice.address, 'latest') as string)
  t.is(await page.goto(`${server.urls.control}/#accounts`).then(() => page.getAttribute('main tbody tr:first-child [title$=" wei"]', 'title')), `${wei} wei`)
  t.regex(await panel(page, 'mempool'), /Nothing waits/)
  t.regex(await panel(page, 'subscriptions'), /Nobody listens/)
  t.regex(await panel(page, 'checkpoints'), /No checkpoint/)
  t.regex(await panel(page, 'faults'), /Nothing goes wrong on purpose/)
  t.regex(await panel(page, 'scenario'), /no steps/)
  t.regex(await panel(page, 'journal'), /eth_getBalance/)
})

browsing('a transaction opens with its decoded log, its block and both answers; an exchange with its texts', async (t) => {
  const { server, page } = t.context
  const hash = await deployed(server)
  await panel(page, 'transactions')
  await page.click(`[data-key="tx-${hash}"]`)
  await page.waitForSelector('dialog[open]')
  const detail = await page.innerText('dialog')
  t.true(detail.includes(hash) && detail.includes(alice.address))
  t.regex(detail, /Transfer\(from 0x0+, to 0xf39Fd6/)
  t.regex(detail, /ethereum_tx/)
  await page.click('dialog dd button')
  await shows(page, 'detailtitle', /^Block /)
  await page.keyboard.press('Escape')
  await panel(page, 'journal')
  await page.click('main tbody button:has-text("eth_sendRawTransaction")')
  await shows(page, 'detailtitle', /^Request /)
  t.true((await page.innerText('dialog')).includes(hash))
})

browsing('every button does what it names', async (t) => {
  const { server, page } = t.context
  const height = () => server.simulation().node.chain.height
  await page.fill('input[name=blocks]', '3')
  await page.click('button:has-text("Mine")')
  await hears(page, /Made 3 blocks: height 4/)
  t.is(height(), 4n)
  await page.click('button:has-text("Checkpoint")')
  await hears(page, /remembers height 4/)
  await page.fill('input[name=by]', '2h')
  await page.click('button:has-text("Move time")')
  await hears(page, /Block 5 is 2h later/)
  await page.click('button:has-text("Restore")')
  await hears(page, /height 4/)
  t.is(height(), 4n)
  await page.click('button:has-text("Fault…")')
  await page.fill('input[name=for]', '1h')
  await page.click('dialog button:has-text("Turn on")')
  await hears(page, /"slow" is on/)
  t.is(server.simulation().node.faults.active[0]?.rule.name, 'slow')
  await panel(page, 'faults')
  await page.click('button:has-text("Turn off")')
  await hears(page, /"slow" is off/)
  t.deepEqual(server.simulation().node.faults.active, [])
  await page.click('button:has-text("Signal…")')
  await page.fill('dialog input[name=name]', 'go')
  await page.click('dialog button:has-text("Give signal")')
  await hears(page, /Signal "go" was given/)
  t.deepEqual(server.simulation().progress.signals, ['go'])
  await panel(page, 'accounts')
  await page.click('[data-key=fund-account1]')
  await page.click('dialog button:has-text("Give tokens")')
  await hears(page, /has 100 more/)
  t.is(BigInt(await rpc(server.urls.eth, 'eth_getBalance', bob, 'latest') as string), 10_100n * 10n ** 18n)
})

browsing('what the command line can, the page can: saved checkpoints, reorganisations, ABIs, sessions, time and intervals', async (t) => {
  const { server, page, complaints } = t.context
  const { node: { chain } } = server.simulation()
  t.is(chain.height, 1n)
  await page.fill('input[name=blocks]', '2')
  await page.fill('input[name=interval]', '30s')
  await page.click('button:has-text("Mine")')
  await hears(page, /height 3/)
  await page.uncheck('input[name=mine]')
  await page.click('button:has-text("Move time")')
  await hears(page, /Block 4 is 1h later/)
  t.is(server.simulation().node.chain.height, 3n)
  await panel(page, 'checkpoints')
  await page.click('[data-key=save]')
  await page.fill('dialog input[name=name]', 'three')
  await page.click('dialog button:has-text("Save")')
  await hears(page, /"three" holds height 3/)
  await page.click('#controls button:has-text("Mine")')
  await hears(page, /height 5/)
  await page.click('[data-key=load-three]')
  await hears(page, /At height 3, as "three" was saved/)
  t.is(server.simulation().node.chain.height, 3n)

  const hash = async () => (await rpc(server.urls.eth, 'eth_getBlockByNumber', 'latest', false) as { hash: string }).hash
  const before = await hash()
  await page.keyboard.press('Tab')
  await page.keyboard.press('o')
  await page.click('dialog button:has-text("Reorganise…")')
  await page.click('dialog button.main')
  await hears(page, /The newest block has another hash: height 3/)
  t.not(await hash(), before)
  await page.click('button:has-text("More…")')
  await page.click('dialog button:has-text("Give an ABI…")')
  await page.fill('dialog textarea', '{ "abi": [{ "type": "event", "name": "Rung", "inputs": [{ "type": "string", "name": "by" }] }] }')
  await page.click('dialog button.main')
  await hears(page, /Known now: Rung\(string\)/)
  await page.click('button:has-text("More…")')
  await page.click('dialog button:has-text("Go back to the set before")')
  t.regex(await page.innerText('dialog [role=alert]'), /no scenario that is followed/)
  t.true(complaints.splice(0).every((text) => /status of 404/.test(text)))
  await page.click('dialog button:has-text("Stop the server")')
  await hears(page, /It runs inside a program/)

  await page.selectOption('#session', '+')
  await page.waitForURL(/\/s\/[^/]+\/$/)
  await page.waitForSelector('[data-panel=overview]')
  await shows(page, 'facts', /Height1/)
  t.is(server.simulation().node.chain.height, 3n)
  await page.click('button:has-text("More…")')
  await page.click('dialog button:has-text("End this session")')
  await page.waitForURL(/:\d+\/$/)
  await shows(page, 'facts', /Height3/)
  await page.click('button:has-text("More…")')
  await page.click('dialog button:has-text("Reset to the start")')
  await hears(page, /As after the start: height 1/)
})

browsing('a refusal is said and changes nothing', async (t) => {
  const { server, page, complaints } = t.context
  await page.click('button:has-text("Restore")')
  await hears(page, /there is no checkpoint/)
  await page.click('button:has-text("Faucet…")')
  await page.fill('dialog input[name=address]', '0x12')
  await page.click('dialog button:has-text("Give tokens")')
  t.regex(await page.innerText('dialog [role=alert]'), /expected an address/)
  t.is(server.simulation().node.chain.height, 1n)
  // The browser itself tells of answers of 400.
  t.true(complaints.splice(0).every((text) => /status of 400/.test(text)))
})

browsing('the keyboard alone is enough', async (t) => {
  const { server, page } = t.context
  await page.keyboard.press('m')
  await hears(page, /Made a block: height 2/)
  await page.keyboard.press('c')
  await hears(page, /Checkpoint/)
  await page.keyboard.press('2')
  await page.waitForSelector('[data-panel=blocks]')
  await page.focus('[data-key=block-2]')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForSelector('dialog[open]')
  t.is(await page.innerText('#detailtitle'), 'Block 1')
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  t.regex(await page.innerText('dialog'), /restore the newest checkpoint/)
  await page.keyboard.press('Escape')
  await page.keyboard.press('r')
  await hears(page, /Back to checkpoint/)
  // By Tab alone: from the top of the page through everything that can be used.
  await page.evaluate('document.activeElement.blur(); window.scrollTo(0, 0)')
  const reached: unknown[] = []
  for (let presses = 0; presses < 24; presses++) {
    await page.keyboard.press('Tab')
    reached.push(await page.evaluate('document.activeElement.textContent || document.activeElement.name'))
  }
  for (const wanted of ['Theme', 'Keys', 'Mine', 'Move time', 'Checkpoint', 'Fault…', 'Faucet…']) t.true(reached.includes(wanted), `${wanted}: ${reached.join()}`)
  t.is(server.simulation().node.chain.height, 2n)
})

browsing('both themes can be read: text stands out from what is behind it', async (t) => {
  const { page } = t.context
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const ratios = await page.evaluate(contrasts) as { text: string; ratio: number }[]
    t.true(ratios.length > 20)
    t.deepEqual(ratios.filter(({ ratio }) => ratio < 4.5), [], colorScheme)
  }
  const shown = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
  const before = await shown()
  await page.click('#theme')
  t.not(await shown(), before)
  await page.reload()
  t.not(await shown(), before)
})

browsing('a session has the same page, chosen from a list, and a narrow window needs no scrolling aside', async (t) => {
  const { server, page } = t.context
  await using session = server.session('aside')
  session.mine(4)
  await page.reload()
  await page.selectOption('#session', 'aside')
  await shows(page, 'facts', /Height5/)
  await page.click('button:has-text("Mine")')
  await hears(page, /Made a block: height 6/)
  t.is(server.simulation().node.chain.height, 1n)
  await page.setViewportSize({ width: 420, height: 800 })
  for (const id of ['overview', 'accounts', 'journal']) {
    await panel(page, id)
    t.is(await page.evaluate('document.documentElement.scrollWidth'), 420, id)
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

/** The contrast of every text that is seen (WCAG 2, relative luminance); runs in the page. */
const contrasts = `(() => {
  const numbers = (color) => (color.match(/[\\d.]+/g) ?? []).map(Number)
  const light = (color) => color.slice(0, 3).map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0)
  const behind = (element) => {
    if (element === null) return [255, 255, 255]
    const color = numbers(getComputedStyle(element).backgroundColor)
    return (color[3] ?? 1) === 0 ? behind(element.parentElement) : color
  }
  const hasText = (one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '')
  const seen = [...document.querySelectorAll('body *')]
    .filter((one) => hasText(one) && one.getClientRects().length > 0 && !(one instanceof SVGElement))
  return seen.map((one) => {
    const [a, b] = [light(numbers(getComputedStyle(one).color)), light(behind(one))]
    return { text: one.textContent.slice(0, 30), ratio: (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) }
  })
})()`
