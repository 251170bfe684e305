/** Pages of the dashboard against WCAG 2.2 AA, as axe-core checks it in a browser. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, Page } from 'playwright-core'
import { pageRead } from './browser.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Violation = { readonly id: string; readonly nodes: readonly { readonly html: string; readonly target: unknown }[] }

export type Checked = {
  /** Of the control port. */
  readonly url: string
  /** The address of each page by its name, after `#/`. */
  readonly pages: Readonly<Record<string, string>>
  readonly width: number
  readonly colorScheme: 'light' | 'dark'
  /** Whether the pages alone are checked, without dialogs, search and a lost connection. */
  readonly pagesOnly?: boolean
}

/** The dialogs by name: what is pressed to open each, from any page. */
export const dialogs: Readonly<Record<string, readonly string[]>> = {
  'fault-form': ['#controls button:has-text("Fault…")'],
  'signal-form': ['#controls button:has-text("Signal…")'],
  'faucet-form': ['#controls button:has-text("Faucet…")'],
  'more-actions': ['#controls button:has-text("More…")'],
  'reorg-form': ['#controls button:has-text("More…")', 'dialog button:has-text("Reorg…")'],
  'abi-form': ['#controls button:has-text("More…")', 'dialog button:has-text("Add an ABI…")'],
  confirmation: ['#controls button:has-text("Restore")'],
  shortcuts: ['#help'],
}

/** Opens a dialog of `dialogs`. */
export async function openDialog(page: Page, name: string): Promise<void> {
  for (const button of dialogs[name] ?? []) await page.click(button)
  await page.waitForSelector('dialog[open] .dialogbody')
}

/** Closes the open dialog. */
export async function closeDialog(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await page.locator('dialog[open]').waitFor({ state: 'detached' })
}

/** Resolves with what is wrong with pages in a width and a theme: violations, and pages that scroll aside. */
export async function violationsOf(browser: Browser, checked: Checked): Promise<readonly unknown[]> {
  const { url, pages, width, colorScheme, pagesOnly = false } = checked
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme, reducedMotion: 'reduce' })
  await page.goto(url)
  await page.evaluate(axe)
  const found: unknown[] = []
  const check = async (name: string) => {
    const violations = (await page.evaluate(
      `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })
        .then(({ violations }) => violations)`,
    )) as readonly Violation[]
    found.push(
      ...violations.map(({ id, nodes }) => [name, id, nodes.slice(0, 2).map(({ html }) => html.slice(0, 120))]),
    )
    const wide = await page.evaluate('document.documentElement.scrollWidth')
    if (wide !== width) found.push([name, `scrolls aside: ${String(wide)} pixels`])
  }
  for (const [name, path] of Object.entries(pages)) {
    await page.goto(`${url}/#/${path}`)
    await pageRead(page)
    await check(name)
  }
  if (!pagesOnly) await checkRest(page, check)
  await page.close()
  return found
}

/** Checks dialogs, search results and a lost connection. */
async function checkRest(page: Page, check: (name: string) => Promise<void>): Promise<void> {
  for (const name of Object.keys(dialogs)) {
    await openDialog(page, name)
    await check(name)
    await closeDialog(page)
  }
  for (const [name, asked] of [
    ['search results', '1'],
    ['search without a result', 'no such thing'],
  ] as const) {
    await page.fill('#search', asked)
    await (asked === '1' ? page.waitForSelector('#hit-0') : page.waitForTimeout(300))
    await check(name)
  }
  await page.fill('#search', '')
  await page.context().setOffline(true)
  await page.evaluate(`location.hash = '#/validators'`)
  await page.waitForSelector('main [role=alert]')
  await check('disconnected')
}
