/** Pages of the documentation that are made from declarations; a test compares them. */
import { quirks } from '../../src/settings/quirks.ts'
import { profileSettings } from '../../src/settings/profiles.ts'
import { environmentName, settings } from '../../src/shell/config/resolve.ts'
import { foreignFlags, type ForeignFlag } from '../../src/shell/cli/foreignFlags.ts'

import { controlText } from './controlPage.ts'
import { flagsText } from './flagsPage.ts'
import { keysText } from './keysPage.ts'
import { methodsText } from './methodsPage.ts'

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;')

/** Returns the page of every setting with its default in the profile `local`. */
function settingsText(): string {
  const defaults = profileSettings('local')
  const rows = settings.map(([name, { flag, help, file, live }]) => {
    const place = file === undefined ? '' : `\`${file.name}\` ${[file.section, file.key].filter(Boolean).join('.')}`
    const value = String(defaults[name])
    return `| \`--${flag}\` | ${cell(help)} | ${value === '' ? 'empty' : `\`${cell(value)}\``} | ${place} | ${live === true ? 'yes' : ''} |`
  })
  return `# Settings

This page lists every setting with its default in the profile \`local\`. A flag wins over its environment variable, then come the
files of \`--home\`, the scenario and the profile. The variable of \`--rpc.laddr\` is \`${environmentName('rpc.laddr')}\`; the others are
named alike. A *live* setting changes while the chain runs when a saved file changes it.

| flag | meaning | default | node file | live |
|---|---|---|---|---|
${rows.join('\n')}
`
}

/** Returns the page that says what becomes of each flag of Anvil, Hardhat and CometMock. */
function moveText(): string {
  const rows = foreignFlags.map(
    (flag) =>
      `| ${flag.names.map((name) => `\`${name}\``).join(', ')} | ${flag.tools.join(', ')} | ${cell(fate(flag))} |`,
  )
  return `# Move from Anvil, Hardhat or CometMock

Start chainstage with the flags that you know. \`chainstage start\` rewrites them, and names the alternative of those that it
refuses. \`--accounts\`, \`--balance\`, \`--mnemonic\`, \`--state\`, \`--load-state\`, \`--dump-state\`, \`--gas-limit\`, \`--base-fee\`,
\`--silent\`, \`--json\` and \`--fork\` mean the same as elsewhere.

| flag | tool | in chainstage |
|---|---|---|
${rows.join('\n')}
`
}

function fate({ means, idle, instead, note }: ForeignFlag): string {
  if (instead !== undefined) return `Refused. ${instead}`
  if (idle !== undefined) return `No effect: ${idle}.`
  return note ?? `Means \`${exampleOf(means)}\`.`
}

/** A flag whose value is read as a number or time has a note instead: `VALUE` is not one, and no sample is shown. */
function exampleOf(means: ForeignFlag['means']): string {
  return means?.('VALUE', { values: new Map<string, string>(), words: [] }).join(' ') ?? ''
}

/** Returns the page of every quirk. A name in parentheses after a description is a source inside the project. */
function quirksText(): string {
  const rows = Object.entries(quirks).map(
    ([name, habit]) =>
      `| \`${name}\` | ${cell(habit.replace(/ \([^()]*\)$/, '').replace('interface B', 'Ethereum JSON-RPC'))} |`,
  )
  return `# Quirks

A *quirk* is a surprising behavior of the reference node, as a switch. By default (\`--quirks sane\`) all are off. \`--quirks faithful\` turns all of them
on, and \`--quirks NAME,NAME\` turns on those that you name. [How chainstage stays true to a real node](../explanation/real-node.md) explains why.

| quirk | behavior of the node |
|---|---|
${rows.join('\n')}
`
}

/** Every generated page by its path in `docs/`. */
export const generatedPages: Readonly<Record<string, () => string>> = {
  'reference/settings.md': settingsText,
  'reference/flags.md': flagsText,
  'reference/quirks.md': quirksText,
  'reference/methods.md': methodsText,
  'reference/control-api.md': controlText,
  'reference/scenario-keys.md': keysText,
  'how-to/move-from-other-tools.md': moveText,
}
