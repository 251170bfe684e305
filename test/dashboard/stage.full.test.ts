/** The stage pages as a person uses them: charts, the ruler of time, chains side by side, questions before losses. */
import anyTest, { type TestFn } from 'ava'
import type { Page } from 'playwright-core'
import { api, rpc } from '../helpers/control.ts'
import { pageRead } from '../helpers/browser.ts'
import { type Explored, exploring, visit } from '../helpers/explorerPage.ts'
import { forkOf } from '../helpers/forked.ts'
import { startPlayback } from '../helpers/playback.ts'
import { eventually } from '../helpers/server.ts'
import { libraryOfTap } from '../helpers/tap.ts'

const test = anyTest as TestFn<Explored>
const browsing = exploring(test)

const hears = (page: Page, text: RegExp) => page.locator('#said').filter({ hasText: text }).waitFor()

browsing('the first block that a fork has of its own leads to no block before it', async (t) => {
  const { page, stage } = t.context
  await using fork = await forkOf([stage.server.urls.eth])
  const { height } = (await api(fork, '/mine', { blocks: 2 })).body
  const pager = async (block: number) => {
    await page.goto(`${fork.urls.control}/#/block/${block}`)
    await pageRead(page)
    return page.locator('nav.pager a').allInnerTexts()
  }
  t.deepEqual(await pager(height), [`← ${height - 1}`])
  // With automine, the fork mined a block at its start, above the newest one of the other chain.
  t.deepEqual(await pager(height - 2), [`${height - 1} →`])
  // A page that outlives its server complains of it.
  await visit(page, stage, 'overview')
})

browsing('charts follow a chosen method, and tell the point under the pointer or of the arrow keys', async (t) => {
  const { page, stage } = t.context
  const method = 'eth_getUncleCountByBlockNumber'
  for (const block of ['0x1', 'latest', 'nonsense']) await rpc(stage.server.urls.eth, method, block).catch(() => {})
  await rpc(stage.server.urls.eth, 'eth_chainId')
  await visit(page, stage, 'requests')
  const told = (chart: string) => page.locator(`#chart-${chart}`)
  await told('requests-per-second').filter({ hasText: 'all methods' }).waitFor()
  await page.selectOption('#method', method)
  await page.waitForURL(/method=eth_getUncle/)
  await told('requests-per-second')
    .filter({ hasText: `${method}; 3 in two minutes, 1 failed` })
    .waitFor()
  await told('latency')
    .filter({ hasText: /p50.*p95.*p99/ })
    .waitFor()
  t.is(await page.locator(`[aria-label=Journal] tbody tr:not(:has-text("${method}"))`).count(), 0)
  await page.focus('#chart-latency .plot')
  await page.keyboard.press('Home')
  await told('latency').filter({ hasText: '119 s ago' }).waitFor()
  t.regex(String(await page.getAttribute('#chart-latency .plot', 'aria-valuetext')), /^119 s ago, p50 –, p95 –/)
  await page.keyboard.press('ArrowRight')
  await told('latency').filter({ hasText: '118 s ago' }).waitFor()
  await page.hover('#chart-requests-per-second .u-over', { position: { x: 3, y: 40 } })
  await told('requests-per-second')
    .locator('.chosen')
    .filter({ hasText: /11\d s ago/ })
    .waitFor()
  await page.click('main a:has-text("Show all")')
  await told('requests-per-second').filter({ hasText: 'all methods' }).waitFor()
  // The rate counts whole seconds.
  const row = page.locator('table[aria-label=Methods] tbody tr').filter({ hasText: method })
  await row.filter({ hasText: /\d\/s/ }).waitFor()
})

browsing('block charts reach back to the first block, with one in several blocks', async (t) => {
  const { page, stage } = t.context
  await api(stage.server, '/mine', { blocks: 400 })
  await visit(page, stage, 'overview')
  await page.locator('#chart-gas-per-block').filter({ hasText: 'newest 60 blocks' }).waitFor()
  await page.click('nav[aria-label="Range of the block charts"] a:has-text("All blocks")')
  await page.waitForURL(/range=all/)
  await page.locator('#chart-base-fee').filter({ hasText: 'one in 5 blocks' }).waitFor()
  // Until the blocks have come, there is no point to choose.
  await page
    .locator('#chart-base-fee .point')
    .filter({ hasText: /^block/ })
    .waitFor()
  await page.focus('#chart-base-fee .plot')
  await page.keyboard.press('Home')
  await page
    .locator('#chart-base-fee')
    .filter({ hasText: /gwei [\d.]+block 5$/ })
    .waitFor()
  t.pass()
})

browsing('the ruler moves block time by keys, mouse and buttons, asks first, and a checkpoint undoes it', async (t) => {
  const { page, stage } = t.context
  await visit(page, stage, 'checkpoints')
  const time = async () => Date.parse((await api(stage.server, '/status')).body.blockTime)
  const before = await time()
  await page.focus('.ruler .now')
  for (let presses = 0; presses < 3; presses++) await page.keyboard.press('ArrowRight')
  t.regex(String(await page.getAttribute('.ruler .now', 'aria-valuetext')), /^3m ahead, 2025-/)
  await page.keyboard.press('Enter')
  await page.waitForSelector('dialog[open]')
  t.is(await page.inputValue('dialog input[name=by]'), '3m')
  await page.keyboard.press('Escape')
  t.is(await time(), before)
  await page.locator('dialog[open]').waitFor({ state: 'detached' })
  const line = await page.locator('.ruler .line').boundingBox()
  const [x = 0, y = 0, width = 0] = [line?.x, line?.y, line?.width]
  await page.mouse.move(x + width * 0.7, y + 50)
  await page.mouse.down()
  await page.mouse.move(x + width * 0.85, y + 50, { steps: 4 })
  t.regex(await page.innerText('.ruler .ahead'), /^\+(29|30|31)m/)
  await page.mouse.up()
  await page.waitForSelector('dialog[open]')
  await page.click('dialog button.main')
  await hears(page, /Moved block time forward by (29|30|31)m.* Restore checkpoint 0x\w+ to undo it/)
  t.true((await time()) >= before + 29 * 60_000)
  await page.click('#controls button:has-text("Restore")')
  await page.click('dialog button.danger')
  await hears(page, /Restored checkpoint/)
  t.is(await time(), before)
  await page.click('.ruler button:has-text("+1h")')
  await hears(page, /Moved block time forward by 1h/)
  t.true((await time()) >= before + 3_600_000)
})

browsing(
  'checkpoints of one time share a mark, and a press on the past asks for the checkpoint before it',
  async (t) => {
    const { page, stage } = t.context
    const ids: string[] = []
    for (let count = 0; count < 2; count++) ids.push((await api(stage.server, '/checkpoint', {})).body.id)
    await api(stage.server, '/time', { by: '2h', mine: true })
    await visit(page, stage, 'checkpoints')
    await page.locator('.ruler .mark.many').first().waitFor()
    const boxes = (await page.evaluate(`[...document.querySelectorAll('.ruler .mark')].map((one) => {
    const { left, right } = one.getBoundingClientRect()
    return [left, right]
  })`)) as [number, number][]
    const sorted = boxes.toSorted(([a], [b]) => a - b)
    t.true(
      sorted.every(([left], index) => left >= (sorted[index - 1]?.[1] ?? 0)),
      JSON.stringify(sorted),
    )
    await page.locator('.ruler .mark.many').last().click()
    await page
      .locator('dialog[open]')
      .filter({ hasText: new RegExp(ids.join('|')) })
      .waitFor()
    await page.keyboard.press('Escape')
    await page.locator('dialog[open]').waitFor({ state: 'detached' })
    const line = await page.locator('.ruler .line').boundingBox()
    await page.mouse.click((line?.x ?? 0) + (line?.width ?? 0) * 0.66, (line?.y ?? 0) + 32)
    t.regex(await page.innerText('dialog[open]'), new RegExp(`Checkpoint ${ids[1]} at height`))
    // The event of the list that was closed may arrive when the next dialog is open.
    await page.evaluate(`document.querySelector('dialog').dispatchEvent(new Event('close'))`)
    await page.click('dialog button:has-text("Cancel")')
    for (const id of ids.toReversed()) await api(stage.server, '/restore', { id })
  },
)

browsing('the main chain and a session stand side by side and follow both chains', async (t) => {
  const { page, stage } = t.context
  await visit(page, stage, 'sessions')
  t.regex(await page.innerText('table[aria-label=Sessions] tbody tr:first-child'), /Main chain\s+this page/)
  const columns = page.locator('table[aria-label="Two chains side by side"]')
  await columns.filter({ hasText: /Last block differs/ }).waitFor()
  t.regex(await columns.locator('thead').innerText(), /Main chain\s+second-test/i)
  // Nothing happens on the chain of this page.
  const asked = { method: 'POST', body: JSON.stringify({ blocks: 3 }) }
  const answer = await fetch(`${stage.server.urls.control}/s/second-test/api/mine`, asked)
  const { height } = (await answer.json()) as { height: number }
  await columns
    .locator('tr:has-text("Height")')
    .filter({ hasText: String(height) })
    .waitFor()
  await page.selectOption('label:has-text("Left") select', 'second-test')
  await page.waitForURL(/left=second-test&right=second-test/)
  await columns
    .locator('thead')
    .filter({ hasText: /second-test again/i })
    .waitFor()
  await eventually(async () => (await columns.locator('.pill:has-text("differs")').count()) === 0)
  await columns.locator('tr:has-text("Requests") a').first().click()
  await page.waitForURL(/\/s\/second-test\/#\/requests$/)
})

browsing('a page of a session says that the session has ended, and follows the next one of its name', async (t) => {
  const { page, stage } = t.context
  const { control } = stage.server.urls
  await api(stage.server, '/sessions', { name: 'passing' })
  await page.goto(`${control}/s/passing/#/blocks`)
  await page.locator('#link:has-text("live")').waitFor()
  const refused = page.waitForResponse((answer) => answer.url().endsWith('/live') && answer.status() === 404)
  await fetch(`${control}/api/sessions/passing`, { method: 'DELETE' })
  await page.locator('#link:has-text("disconnected")').waitFor()
  await refused
  await api(stage.server, '/sessions', { name: 'passing' })
  await page.locator('#link:has-text("live")').waitFor()
  await fetch(`${control}/s/passing/api/mine`, { method: 'POST', body: '{"blocks":4}' })
  await page.waitForSelector('[data-key=block-5]')
  t.true(t.context.complaints.splice(0).every((text) => text.includes('404')))
})

browsing('a wallet that refuses without an error is told as well', async (t) => {
  const { page, stage } = t.context
  await visit(page, stage, 'overview')
  for (const [thrown, told] of [
    ["'not now'", /not now/],
    ['undefined', /It failed, and no reason was given/],
  ] as const) {
    await page.evaluate(`window.ethereum = { request: () => Promise.reject(${thrown}) }`)
    await page.click('[data-key=add-metamask]')
    await hears(page, told)
  }
  t.pass()
})

browsing('names of any length stay on the page, and a block that is no number keeps its name', async (t) => {
  const { page, stage } = t.context
  await rpc(stage.server.urls.eth, `eth_${'x'.repeat(300)}`).catch(() => {})
  await page.setViewportSize({ width: 390, height: 800 })
  await visit(page, stage, 'requests')
  t.true(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'))
  await page.setViewportSize({ width: 1280, height: 900 })
  const complained = page.waitForEvent('console', (message) => message.type() === 'error')
  await visit(page, stage, 'block/abc')
  await complained
  await page.locator('h1:text-is("Block abc")').waitFor()
  // The page asks for a missing block again and again.
  await visit(page, stage, 'overview')
  t.true(t.context.complaints.splice(0).every((text) => /status of 404/.test(text)))
})

browsing('a list whose URL names no row begins with the first one', async (t) => {
  const { page, stage } = t.context
  for (const from of ['0', 'x', '-1', '0.5']) {
    await visit(page, stage, `tx/${stage.bought}?tab=steps&from=${from}`)
    const shown = page.locator('nav.pager .hint').filter({ hasText: / to / })
    await shown.waitFor()
    t.regex(await shown.innerText(), /^0 to /, from)
  }
})

browsing('what may lose blocks asks first, and a reorg can be undone', async (t) => {
  const { page, stage } = t.context
  await visit(page, stage, 'overview')
  const generation = async () => (await api(stage.server, '/status')).body.config.generation
  const before = await generation()
  for (const button of ['Reload the saved scenario…', 'Undo the last reload…']) {
    await page.click('button:has-text("More…")')
    await page.click(`dialog button:has-text("${button}")`)
    t.regex(await page.innerText('dialog[open]'), /the chain may restart and lose its blocks/)
    await page.click('dialog button:has-text("Cancel")')
  }
  t.is(await generation(), before)
  const hash = async () =>
    ((await rpc(stage.server.urls.eth, 'eth_getBlockByNumber', 'latest', false)) as { hash: string }).hash
  const newest = await hash()
  await page.click('button:has-text("More…")')
  await page.click('dialog button:has-text("Reorg…")')
  await page.click('dialog button.main')
  await hears(page, /new hash.*Restore checkpoint 0x\w+ to undo it/)
  t.not(await hash(), newest)
  await page.click('#controls button:has-text("Restore")')
  await page.click('dialog button.danger')
  await hears(page, /Restored checkpoint/)
  await eventually(async () => (await hash()) === newest)
  t.pass()
})

browsing('the form for a fault names problems while they are typed', async (t) => {
  const { page, stage } = t.context
  await visit(page, stage, 'faults')
  await page.click('main button:has-text("New fault…")')
  const problem = page.locator('#ruleproblem')
  await problem.filter({ hasText: 'The rule is valid.' }).waitFor()
  await page.fill('dialog textarea', "{ effect: { latency: 'soon' } }")
  await problem.filter({ hasText: /effect\.latency/ }).waitFor()
  await page.fill('dialog textarea', '{ effect: ')
  await problem.filter({ hasText: /not valid JSON5/ }).waitFor()
  await page.fill('dialog label:has-text("Parameters") input', "[{ to: '0x1' }]")
  await page.selectOption('dialog label:has-text("Transport") select', 'ws')
  await page.selectOption('dialog label:has-text("Effect") select', 'stale')
  await page.selectOption('dialog label:has-text("Requests") select', 'rate')
  await problem.filter({ hasText: 'The rule is valid.' }).waitFor()
  const rule = await page.inputValue('dialog textarea')
  t.regex(rule, /transport: 'ws'[^]*params:[^]*limit: 1[^]*stale:[^]*lag: '2 blocks'/)
})

browsing(
  'a playback has no pages of blocks and block time, which its recording does not hold, and says where its requests are',
  async (t) => {
    const { page, stage } = t.context
    const library = libraryOfTap([{ t: 0, method: 'eth_blockNumber', result: '"0x7"' }])
    await using playing = await startPlayback(library, {}, { controlAddress: '127.0.0.1:0' })
    const { control, eth } = playing.running.urls
    t.is(await rpc(eth, 'eth_blockNumber'), '0x7')
    for (const path of ['blocks', 'block/1', 'checkpoints', 'overview']) {
      await page.goto(`${control}/#/${path}`)
      await pageRead(page)
      await page.locator('main .empty').filter({ hasText: 'Playing ' }).waitFor()
    }
    t.regex(String(await page.textContent('main')), /Endpoints/)
    t.notRegex(String(await page.textContent('main')), /Latest blocks/)
    t.deepEqual(
      (await page.locator('nav a').allInnerTexts()).map((text) => text.split('\n')[0]),
      ['Overview', 'Scenario', 'Faults', 'Requests', 'Connections', 'Sessions'],
    )
    await page.click('main a[href="#/requests"]')
    await page.locator('[aria-label=Journal] tbody tr').filter({ hasText: 'eth_blockNumber' }).waitFor()
    // A page that outlives its server complains of it.
    await visit(page, stage, 'overview')
  },
)
