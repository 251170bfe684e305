/** The page of a fleet, over two members, and the API that it reads. */
import test from 'ava'
import { violationsOf } from '../helpers/axe.ts'
import { browserPath, startBrowser } from '../helpers/browser.ts'
import { startControlled } from '../helpers/control.ts'
import { eth, transfer } from '../helpers/fleetLoad.ts'
import { noNats, startMember, startNats, type Member } from '../helpers/nats.ts'
import { eventually } from '../helpers/server.ts'

const withBoth = noNats === undefined && browserPath !== undefined ? test.serial : test.serial.skip
const withNats = noNats === undefined ? test.serial : test.serial.skip

type View = {
  readonly name: string
  readonly members: readonly { member: string; isSelf: boolean; pid: number; leads: string[]; lagMs: number }[]
  readonly chains: readonly { chain: string; leader: string | null; height: number; members: number; isHere: boolean }[]
}

async function fleetOf({ control }: Pick<Member, 'control'>): Promise<View> {
  return (await fetch(`${control}/api/fleet`)).json() as Promise<View>
}

withNats('the control API names members, leaders and copies, and the own member alone without NATS', async (t) => {
  const nats = await startNats()
  t.teardown(nats.remove)
  const one = await startMember(nats.url, 'seen')
  const other = await startMember(nats.url, 'seen')
  t.teardown(() => Promise.all([one, other].map((member) => member.kill())))
  await transfer(`${one.eth}/s/job`, 1)
  await transfer(other.eth, 0)
  const height = Number(await eth(other.eth, 'eth_blockNumber'))
  // A session begins at the member that is asked, and is led by the one that hashing prefers.
  let view = await fleetOf(other)
  await eventually(async () => {
    view = await fleetOf(other)
    return view.chains.length === 2 && view.chains.every(({ leader }) => leader !== null)
  })
  t.is(view.name, 'seen')
  t.deepEqual(view.members.map(({ pid }) => pid).sort(), [one.pid, other.pid].sort())
  t.deepEqual(
    view.members.filter(({ isSelf }) => isSelf).map(({ pid }) => pid),
    [other.pid],
  )
  t.deepEqual(view.members.flatMap(({ leads }) => leads).sort(), ['', 'job'])
  t.like(view.chains[0], { chain: '', height, members: 2, isHere: true })
  t.like(view.chains[1], { chain: 'job' })
  await nats.kill()
  await eventually(async () => {
    view = await fleetOf(other)
    return view.members.some(({ isSelf, lagMs }) => isSelf && lagMs > 0)
  })
  t.deepEqual(
    view.members.map(({ pid, isSelf }) => [pid, isSelf]),
    [[other.pid, true]],
  )
})

test('a process outside a fleet says so', async (t) => {
  await using server = await startControlled()
  const answer = await fetch(`${server.urls.control}/api/fleet`)
  t.is(answer.status, 404)
  t.regex(await answer.text(), /there is no fleet/)
})

withBoth('the page of a fleet is listed in a fleet alone, follows its members, and has no axe violation', async (t) => {
  t.timeout(120_000)
  const nats = await startNats()
  t.teardown(nats.remove)
  const one = await startMember(nats.url, 'page')
  const other = await startMember(nats.url, 'page')
  t.teardown(() => Promise.all([one, other].map((member) => member.kill())))
  await Promise.all(['job', 'a-rather-long-name-of-a-test'].map((name) => transfer(`${one.eth}/s/${name}`, 1)))
  const browser = await startBrowser()
  t.teardown(() => browser.close())
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  await page.goto(one.control)
  await page.click('nav a[href="#/fleet"]')
  const members = page.locator('table[aria-label=Members] tbody tr')
  await members
    .filter({ hasText: `:${one.pid}` })
    .filter({ hasText: 'this member' })
    .waitFor()
  await members.filter({ hasText: `:${other.pid}` }).waitFor()
  await page.locator('table[aria-label=Chains] a[href="/s/job/"]').waitFor()
  for (const width of [390, 768, 1440]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const checked = { url: one.control, pages: { fleet: 'fleet' }, width, colorScheme }
      t.deepEqual(await violationsOf(browser, checked), [], `${width} pixels, ${colorScheme}`)
    }
  }
  // Nothing happens on the chains: the page hears of the member that leaves.
  await other.stop()
  await members.filter({ hasText: `:${other.pid}` }).waitFor({ state: 'detached' })
  await using outside = await startControlled()
  await page.goto(outside.urls.control)
  await page.waitForSelector('nav a[href="#/sessions"]')
  await page.locator('#facts').filter({ hasText: 'Height' }).waitFor()
  t.is(await page.locator('nav a[href="#/fleet"]').count(), 0)
})
