/** A browser on the chain of `explorerStage.ts`, for tests that use the dashboard as a person does. */
import type { TestFn } from 'ava'
import type { Browser, Page } from 'playwright-core'
import { browserPath, pageRead, startBrowser, type WatchedPage, watchedPage } from './browser.ts'
import { startExplorerStage, type ExplorerStage } from './explorerStage.ts'

export type Explored = WatchedPage & { browser: Browser; stage: ExplorerStage }

/** Starts chain and browser for a test file; returns what declares its tests, which skip without a browser. */
export function exploring(test: TestFn<Explored>) {
  if (browserPath === undefined) return test.serial.skip
  // The tests of a file share a page, because a new one for each would take as long as the tests.
  test.before(async (t) => {
    const { context } = t
    context.stage = await startExplorerStage()
    context.browser = await startBrowser()
    Object.assign(context, await watchedPage(context.browser))
    await context.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  })
  test.after.always(async (t) => {
    await t.context.browser.close()
    await t.context.stage.server.close()
  })
  test.afterEach.always(async (t) => {
    const { page, complaints } = t.context
    await page.evaluate('localStorage.clear(), sessionStorage.clear()')
    await page.goto('about:blank')
    t.deepEqual(complaints.splice(0), [])
  })
  return test.serial
}

/** Opens a page of the dashboard by its address after `#/`; resolves with its text once it is read. */
export async function visit(page: Page, { server }: ExplorerStage, path: string): Promise<string> {
  await page.goto(`${server.urls.control}/#/${path}`)
  await pageRead(page)
  return String(await page.textContent('main'))
}
