/**
 * Takes a screenshot of every page of the dashboard in both themes and three widths, for people to
 * look at: `npm run shots [-- FOLDER [PAGE …]]`. With `--docs` it takes the pictures of the
 * documentation instead.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { closeDialog, dialogs, openDialog } from '../helpers/axe.ts'
import { pageRead, startBrowser } from '../helpers/browser.ts'
import { startExplorerStage } from '../helpers/explorerStage.ts'
import { transfer } from '../helpers/fleetLoad.ts'
import { noNats, startMember, startNats } from '../helpers/nats.ts'

const widths = [390, 768, 1440] as const
const [folder = 'dist/shots', ...wanted] = process.argv.slice(2)

const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name)

/** File names in `docs/public` by the page that each shows. */
const pictures: Readonly<Record<string, string>> = {
  overview: 'dashboard-overview',
  scenario: 'dashboard-scenario',
  transaction: 'dashboard-transaction',
  'transaction-failure': 'dashboard-failure',
}

await using stage = await startExplorerStage()
const browser = await startBrowser()
const fleet = folder !== '--docs' && isWanted('fleet') ? await startFleet() : undefined

/** Starts two members of a fleet with a session; undefined where NATS is missing. */
async function startFleet() {
  if (noNats !== undefined) return undefined
  const nats = await startNats()
  const members = [await startMember(nats.url, 'shots'), await startMember(nats.url, 'shots')] as const
  await transfer(`${members[0].eth}/s/checkout`, 1)
  await transfer(members[1].eth, 0)
  const stop = async () => {
    for (const member of members) await member.stop()
    await nats.remove()
  }
  return { control: members[0].control, stop }
}

type Shot = { readonly width: number; readonly colorScheme: 'light' | 'dark'; readonly fullPage: boolean }

async function take(files: Readonly<Record<string, string>>, { width, colorScheme, fullPage }: Shot): Promise<void> {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme, reducedMotion: 'reduce' })
  for (const [name, path] of Object.entries(files)) {
    await open(page, name)
    await page.waitForTimeout(250)
    await page.screenshot({ path, fullPage: fullPage && dialogs[name] === undefined })
    if (dialogs[name] !== undefined) await closeDialog(page)
  }
  await page.close()
}

/** Opens a page of the stage, the page of the fleet, or a dialog above the overview. */
async function open(page: Page, name: string): Promise<void> {
  const isDialog = dialogs[name] !== undefined
  const url =
    name === 'fleet' ? `${fleet?.control}/#/fleet` : `${stage.server.urls.control}/#/${stage.pages[name] ?? ''}`
  await page.goto(url)
  await pageRead(page)
  if (isDialog) await openDialog(page, name)
}

if (folder === '--docs') {
  const files = Object.entries(pictures).map(([name, file]) => [name, join('docs/public', `${file}.png`)])
  await take(Object.fromEntries(files), { width: 1440, colorScheme: 'light', fullPage: false })
} else {
  mkdirSync(folder, { recursive: true })
  const all = [...Object.keys(stage.pages), ...Object.keys(dialogs), ...(fleet === undefined ? [] : ['fleet'])]
  const names = all.filter(isWanted)
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of widths) {
      const files = names.map((name) => [name, join(folder, `${name}-${width}-${colorScheme}.png`)])
      await take(Object.fromEntries(files), { width, colorScheme, fullPage: true })
    }
  }
}
await browser.close()
await fleet?.stop()
