/** A headless Chromium of the system; tests that need one skip themselves where there is none. */
import { existsSync } from 'node:fs'
import { chromium, type Browser } from 'playwright-core'

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
