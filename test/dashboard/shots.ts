/**
 * Takes a screenshot of every page of the dashboard in both themes and three widths, for people to
 * look at: `npm run shots [-- FOLDER [PAGE …]]`.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startBrowser } from '../helpers/browser.ts'
import { startExplorerStage } from '../helpers/explorerStage.ts'

const widths = [390, 768, 1440] as const
const [folder = 'dist/shots', ...wanted] = process.argv.slice(2)

await using stage = await startExplorerStage()
const browser = await startBrowser()
mkdirSync(folder, { recursive: true })
for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of widths) {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme, reducedMotion: 'reduce' })
    for (const [name, path] of Object.entries(stage.pages)) {
      if (wanted.length > 0 && !wanted.includes(name)) continue
      await page.goto(`${stage.server.urls.control}/#/${path}`)
      await page.waitForSelector('main h1')
      await page.locator('.loading').first().waitFor({ state: 'detached' })
      await page.waitForTimeout(250)
      await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: true })
    }
    await page.close()
  }
}
await browser.close()
