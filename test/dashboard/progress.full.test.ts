/** What the dashboard tells of a scenario that runs: steps, rules, faults and their counts. */
import test from 'ava'
import { browserPath, startBrowser } from '../helpers/browser.ts'
import { startTold } from '../helpers/toldScenario.ts'

const browsing = browserPath === undefined ? test.skip : test

browsing(
  'the pages of scenario and faults tell how far steps and rules are, what came nearest, and which faults hit',
  async (t) => {
    await using server = await startTold()
    const browser = await startBrowser()
    try {
      const page = await browser.newPage()
      await page.goto(`${server.urls.control}/#/scenario`)
      await page.waitForSelector('[data-panel=scenario] .steps')
      const scenario = await page.innerText('main')
      t.regex(scenario, /second[^]*near miss: eth_call \["0x2"\] has different parameters/)
      t.regex(scenario, /gossip\s+2 of 5/)
      t.is(await page.getAttribute('progress', 'aria-label'), '1 of 3 steps finished')
      await page.click('nav a[href="#/faults"]')
      await page.waitForSelector('[data-panel=faults] table')
      const faults = await page.innerText('main')
      t.regex(faults, /busy\s+2\s+1\s+1\s+when turned off/)
      t.regex(faults, /the fault "busy" was masked/)
      await server.fault('brief', { match: { method: 'x' }, effect: { hang: true } }, { for: '1h' })
      await page
        .locator('main tr')
        .filter({ hasText: /brief.*in (59|60) min/ })
        .waitFor()
    } finally {
      await browser.close()
    }
  },
)
