/** Every page of the dashboard against WCAG 2.2 AA, in both themes and three widths. */
import anyTest, { type TestFn } from 'ava'
import type { Browser } from 'playwright-core'
import { violationsOf } from '../helpers/axe.ts'
import { browserPath, startBrowser } from '../helpers/browser.ts'
import { startControlled } from '../helpers/control.ts'
import { startExplorerStage, type ExplorerStage } from '../helpers/explorerStage.ts'

const test = anyTest as TestFn<{ browser: Browser; stage: ExplorerStage }>
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

const noViolation = test.macro(async (t, width: number, colorScheme: 'light' | 'dark') => {
  const { browser, stage } = t.context as { browser: Browser; stage: ExplorerStage }
  t.deepEqual(
    await violationsOf(browser, { url: stage.server.urls.control, pages: stage.pages, width, colorScheme }),
    [],
  )
})

for (const width of [390, 768, 1440]) {
  for (const theme of ['light', 'dark'] as const) {
    checking(`no page has an axe violation or scrolls aside at ${width} pixels, ${theme}`, noViolation, width, theme)
  }
}

checking('no page of a chain on which nothing has happened has an axe violation', async (t) => {
  await using server = await startControlled()
  const names = Object.keys(t.context.stage.pages).filter((name) => t.context.stage.pages[name] === name)
  const pages = Object.fromEntries(names.map((name) => [name, name]))
  for (const [width, colorScheme] of [
    [390, 'dark'],
    [1440, 'light'],
  ] as const) {
    const checked = { url: server.urls.control, pages, width, colorScheme, pagesOnly: true }
    t.deepEqual(await violationsOf(t.context.browser, checked), [])
  }
})
