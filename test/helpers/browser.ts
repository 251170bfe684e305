/** A headless Chromium of the system; tests that need one skip themselves where there is none. */
import { existsSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/snap/bin/chromium']

/** The path of a browser, or undefined; CHROMIUM names another one. */
export const browserPath = [process.env['CHROMIUM'] ?? '', ...places].find((path) => path !== '' && existsSync(path))

/** Starts the browser. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: browserPath ?? '',
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
  })
}

/** Starts a server of an empty page, the dApp of another origin. */
export async function startPages(): Promise<Server> {
  const pages = createServer((_, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><title>dApp</title>')
  })
  await new Promise<void>((done) => {
    pages.listen(0, '127.0.0.1', done)
  })
  return pages
}

/** Resolves when a page of the dashboard shows the data of its address. */
export async function pageRead(page: Page): Promise<void> {
  await page.waitForSelector('main h1')
  // Until the second frame after a change of address, the page before may still be there.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  await page.locator('.loading').first().waitFor({ state: 'detached' })
}

export type WatchedPage = { readonly page: Page; readonly complaints: string[] }

/** Resolves with a page, and a list to which its errors and those of its console are added. */
export async function watchedPage(browser: Browser, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options })
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  return { page, complaints }
}
