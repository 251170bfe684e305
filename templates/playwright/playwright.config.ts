import { defineConfig } from '@playwright/test'

// CHROMIUM names a browser that is installed already; otherwise run `npx playwright install chromium`.
const { CHROMIUM } = process.env

export default defineConfig({
  testDir: 'test',
  use: { launchOptions: CHROMIUM === undefined ? {} : { executablePath: CHROMIUM } },
})
