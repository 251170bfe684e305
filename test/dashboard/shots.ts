/**
 * Takes a screenshot of every page of the dashboard in both themes and three widths, for people to
 * look at: `npm run shots [-- FOLDER [PAGE …]]`. With `--docs` it takes the pictures of the
 * documentation instead.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startBrowser } from '../helpers/browser.ts'
import { startExplorerStage } from '../helpers/explorerStage.ts'

const widths = [390, 768, 1440] as const
const [folder = 'dist/shots', ...wanted] = process.argv.slice(2)

/** File names in `docs/public` by the page that each shows. */
const pictures: Readonly<Record<string, string>> = {
  overview: 'dashboard-overview',
  scenario: 'dashboard-scenario',
  transaction: 'dashboard-transaction',
  'transaction-failure': 'dashboard-failure',
}

await using stage = await startExplorerStage()
const browser = await startBrowser()

type Shot = { readonly width: number; readonly colorScheme: 'light' | 'dark'; readonly fullPage: boolean }

async function take(files: Readonly<Record<string, string>>, { width, colorScheme, fullPage }: Shot): Promise<void> {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme, reducedMotion: 'reduce' })
  for (const [name, path] of Object.entries(files)) {
    await page.goto(`${stage.server.urls.control}/#/${stage.pages[name]}`)
    await page.waitForSelector('main h1')
    await page.locator('.loading').first().waitFor({ state: 'detached' })
    await page.waitForTimeout(250)
    await page.screenshot({ path, fullPage })
  }
  await page.close()
}

if (folder === '--docs') {
  const files = Object.entries(pictures).map(([name, file]) => [name, join('docs/public', `${file}.png`)])
  await take(Object.fromEntries(files), { width: 1440, colorScheme: 'light', fullPage: false })
} else {
  mkdirSync(folder, { recursive: true })
  const names = Object.keys(stage.pages).filter((name) => wanted.length === 0 || wanted.includes(name))
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of widths) {
      const files = names.map((name) => [name, join(folder, `${name}-${width}-${colorScheme}.png`)])
      await take(Object.fromEntries(files), { width, colorScheme, fullPage: true })
    }
  }
}
await browser.close()
