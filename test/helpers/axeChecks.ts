/** Tests of every page of the dashboard against WCAG 2.2 AA. */
import type { TestFn } from 'ava'
import type { Browser } from 'playwright-core'
import { violationsOf } from './axe.ts'
import { browserPath, startBrowser } from './browser.ts'
import { type ExplorerStage, startExplorerStage } from './explorerStage.ts'

export type AxeContext = { browser: Browser; stage: ExplorerStage }
export type AxeVariant = readonly [width: number, theme: 'light' | 'dark']

/** Adds a test for each width and theme, which share a chain and a browser. Returns what adds more tests. */
export function checkPages(test: TestFn<AxeContext>, variants: readonly AxeVariant[]) {
  const checking = browserPath === undefined ? test.serial.skip : test.serial
  if (browserPath !== undefined) {
    test.before(async (t) => {
      t.context.stage = await startExplorerStage()
      t.context.browser = await startBrowser()
    })
    test.after.always(async (t) => {
      await t.context.browser.close()
      await t.context.stage.server.close()
    })
  }
  for (const [width, colorScheme] of variants) {
    checking(`no page has an axe violation or scrolls aside at ${width} pixels, ${colorScheme}`, async (t) => {
      const { browser, stage } = t.context
      const checked = { url: stage.server.urls.control, pages: stage.pages, width, colorScheme }
      t.deepEqual(await violationsOf(browser, checked), [])
    })
  }
  return checking
}
