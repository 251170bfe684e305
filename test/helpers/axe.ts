/** Pages of the dashboard against WCAG 2.2 AA, as axe-core checks it in a browser. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Violation = { readonly id: string; readonly nodes: readonly { readonly html: string; readonly target: unknown }[] }

export type Checked = {
  /** Of the control port. */
  readonly url: string
  /** The address of each page by its name, after `#/`. */
  readonly pages: Readonly<Record<string, string>>
  readonly width: number
  readonly colorScheme: 'light' | 'dark'
}

/** Resolves with what is wrong with pages in a width and a theme: violations, and pages that scroll aside. */
export async function violationsOf(browser: Browser, checked: Checked): Promise<readonly unknown[]> {
  const { url, pages, width, colorScheme } = checked
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme, reducedMotion: 'reduce' })
  await page.goto(url)
  await page.evaluate(axe)
  const found: unknown[] = []
  for (const [name, path] of Object.entries(pages)) {
    await page.goto(`${url}/#/${path}`)
    await page.waitForSelector('main h1')
    await page.locator('.loading').first().waitFor({ state: 'detached' })
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
  await page.close()
  return found
}
