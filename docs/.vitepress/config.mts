import { readdirSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitepress'

const docs = new URL('../', import.meta.url)

/** The pages of a folder by their headings; the index page has them in reading order. */
function pagesOf(folder: string) {
  const index = readFileSync(new URL('index.md', docs), 'utf8')
  const place = (name: string) => index.indexOf(`${folder}/${name}`)
  return readdirSync(new URL(`${folder}/`, docs))
    .filter((name) => name.endsWith('.md'))
    .sort((one, other) => place(one) - place(other))
    .map((name) => ({
      text: /^# (.*)$/m.exec(readFileSync(new URL(`${folder}/${name}`, docs), 'utf8'))?.[1] ?? name,
      link: `/${folder}/${name.replace(/\.md$/, '')}`,
    }))
}

const sidebar = Object.entries({
  Tutorials: 'tutorials',
  'How-to guides': 'how-to',
  Reference: 'reference',
  Explanation: 'explanation',
}).map(([text, folder]) => ({ text, collapsed: false, items: pagesOf(folder) }))

export default defineConfig({
  title: 'chainstage',
  description: 'A deterministic local Cosmos EVM chain for testing dApps',
  cleanUrls: true,
  outDir: '../dist/site',
  cacheDir: '../dist/site-cache',
  themeConfig: {
    search: { provider: 'local' },
    outline: 'deep',
    nav: sidebar.map(({ text, items }) => ({ text, link: items[0]?.link ?? '/' })),
    sidebar,
  },
})
