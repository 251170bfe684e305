/** The pages of the dashboard in every width and theme, and those of an empty chain. */
import anyTest, { type TestFn } from 'ava'
import { violationsOf } from '../helpers/axe.ts'
import { type AxeContext, checkPages } from '../helpers/axeChecks.ts'
import { startControlled } from '../helpers/control.ts'

const checking = checkPages(anyTest as TestFn<AxeContext>, [
  [390, 'light'],
  [390, 'dark'],
  [768, 'light'],
  [768, 'dark'],
  [1440, 'light'],
  [1440, 'dark'],
])

checking('no page of a chain on which nothing has happened has an axe violation', async (t) => {
  await using server = await startControlled()
  const { browser, stage } = t.context
  const names = Object.keys(stage.pages).filter((name) => stage.pages[name] === name)
  const pages = Object.fromEntries(names.map((name) => [name, name]))
  for (const [width, colorScheme] of [
    [390, 'dark'],
    [1440, 'light'],
  ] as const) {
    const checked = { url: server.urls.control, pages, width, colorScheme, pagesOnly: true }
    t.deepEqual(await violationsOf(browser, checked), [])
  }
})
