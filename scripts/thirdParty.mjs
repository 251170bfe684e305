// Lists the packages whose code is in a bundle, with their licenses, as these require.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the folder of the package that a file belongs to, or undefined for our own files. */
function packageOf(path) {
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path.replaceAll('\\', '/').replace(/^\0/, ''))?.[0]
}

function sectionOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file))
  if (typeof license !== 'string') throw new Error(`${name} does not say its license`)
  const texts = files.toSorted().map((file) => readFileSync(join(folder, file), 'utf8').trim())
  const quoted = texts.map((text) => `\n\`\`\`text\n${text}\n\`\`\`\n`)
  return { title: `${name} ${version}`, text: `## ${name} ${version}\n\nLicense: ${license}\n${quoted.join('')}` }
}

/** Returns the text of THIRD-PARTY.md for the packages of files, sorted and without duplicates. */
export function thirdPartyText(paths) {
  const folders = new Set(paths.flatMap((path) => packageOf(path) ?? []))
  const sections = new Map([...folders].map(sectionOf).map(({ title, text }) => [title, text]))
  const sorted = [...sections].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text)
  return [
    '# Third-party packages\n\nThe program in this folder contains code of these packages, under their licenses.\n',
    ...sorted,
  ].join('\n')
}
