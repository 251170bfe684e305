/** What API and dashboard tell of a scenario that runs: steps, rules, faults and their counts. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { start, type Server } from '../../../src/index.ts'
import { browserPath, startBrowser } from '../../helpers/browser.ts'
import { scratch } from '../../helpers/cli.ts'
import { api, rpc } from '../../helpers/control.ts'

const text = `{ chainstage: 1, name: 'told', seed: 's',
  faults: { busy: { match: { method: 'eth_gasPrice' }, select: { count: 1, per: 'attempt' }, effect: { http: { status: 503 } } } },
  rules: [{ id: 'gossip', when: { request: { method: 'eth_chainId' } }, times: 5, do: { log: 'again' } }],
  steps: [{ id: 'first', do: { fault: { use: 'busy' } } },
    { id: 'second', when: { request: { method: 'eth_call', params: ['0x1'], nth: 2 } }, timeout: '10m' }, { id: 'third' }] }`

/** Some calls that the scenario has something to say about. */
async function served(): Promise<Server> {
  const path = join(scratch(), 's.json5')
  writeFileSync(path, text)
  const server = await start({ scenario: path, ports: 'free' })
  const { eth } = server.urls
  await rpc(eth, 'eth_chainId')
  await rpc(eth, 'eth_chainId')
  await rpc(eth, 'eth_gasPrice').catch(() => {})
  await rpc(eth, 'eth_gasPrice')
  await rpc(eth, 'eth_call', '0x2').catch(() => {})
  return server
}

test('the API tells how far steps and rules are, what came nearest, and which faults hit or were masked', async (t) => {
  await using server = await served()
  const {
    body: { steps, rules },
  } = await api(server, '/scenario')
  t.deepEqual(
    steps.map(({ state }: { state: string }) => state),
    ['done', 'waiting', 'to come'],
  )
  t.regex(
    steps[1].missing,
    /waited for .*eth_call.*occurrence 2.*; near miss: eth_call \["0x2"\] has different parameters/,
  )
  t.true(steps[1].leftMs > 0 && steps[1].leftMs <= 600_000)
  t.is(steps[2].missing, undefined)
  t.deepEqual(
    rules.map(({ id, fired, times }: { id: string; fired: number; times: number }) => [id, fired, times]),
    [['gossip', 2, 5]],
  )
  const { body: faults } = await api(server, '/faults')
  t.like(faults.active[0], { name: 'busy', matched: 2, applied: 1, masked: 1 })
  t.regex(faults.masked[0].text, /the fault "busy" was masked: eth_gasPrice/)
  await server.fault('other', { effect: { hang: true }, match: { method: 'x' } })
  await api(server, '/faults/busy', undefined, 'DELETE')
  const {
    body: { available },
  } = await api(server, '/faults')
  t.like(available[0], { name: 'busy', applied: 1, masked: 1 })
})

const browsing = browserPath === undefined ? test.skip : test

browsing('the dashboard shows them', async (t) => {
  await using server = await served()
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
    t.regex(faults, /busy\s+2\s+1\s+1/)
    t.regex(faults, /the fault "busy" was masked/)
  } finally {
    await browser.close()
  }
})
