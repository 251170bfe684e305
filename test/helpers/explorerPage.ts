/** A browser on the chain of `explorerStage.ts`, for tests that use the dashboard as a person does. */
import type { TestFn } from 'ava'
import type { Browser, Page } from 'playwright-core'
import { browserPath, startBrowser } from './browser.ts'
import { startExplorerStage, type ExplorerStage } from './explorerStage.ts'

export type Explored = { browser: Browser; stage: ExplorerStage; page: Page; complaints: string[] }

/** Starts chain and browser for a test file; returns what declares its tests, which skip without a browser. */
export function exploring(test: TestFn<Explored>) {
  if (browserPath === undefined) return test.serial.skip
  test.before(async (t) => {
    t.context.stage = await startExplorerStage()
    t.context.browser = await startBrowser()
  })
  test.after.always(async (t) => {
    await t.context.browser.close()
    await t.context.stage.server.close()
  })
  test.beforeEach(async (t) => {
    const context = await (t.context.browser as Browser).newContext({ viewport: { width: 1280, height: 900 } })
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    t.context.page = await context.newPage()
    t.context.complaints = []
    t.context.page.on('console', (message) => {
      if (message.type() === 'error') t.context.complaints.push(message.text())
    })
    t.context.page.on('pageerror', (error) => t.context.complaints.push(error.message))
  })
  test.afterEach.always(async (t) => {
    await t.context.page.close()
    t.deepEqual(t.context.complaints, [])
  })
  return test.serial
}

/** Opens a page of the dashboard by its address after `#/`; resolves with its text once it is read. */
export async function visit(page: Page, { server }: ExplorerStage, path: string): Promise<string> {
  await page.goto(`${server.urls.control}/#/${path}`)
  await page.waitForSelector('main h1')
  await page.locator('.loading').first().waitFor({ state: 'detached' })
  return String(await page.textContent('main'))
}
