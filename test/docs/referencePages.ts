/** Pages of the documentation that are made from declarations; a test compares them. */
import { quirks } from '../../src/settings/quirks.ts'
import { profileSettings } from '../../src/settings/profiles.ts'
import { environmentName } from '../../src/shell/config/resolve.ts'
import { settings } from '../../src/settings/settings.ts'
import { controlText } from './controlPage.ts'
import { cosmosText } from './cosmosPage.ts'
import { disagreementsText } from './disagreementsPage.ts'
import { cell, evidenceOf } from './evidence.ts'
import { flagsText } from './flagsPage.ts'
import { keysText } from './keysPage.ts'
import { methodsText } from './methodsPage.ts'
import { moveText } from './movePage.ts'

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

/** Returns the page of every quirk. A name in parentheses after a description is a source inside the project. */
function quirksText(): string {
  const rows = Object.entries(quirks).map(
    ([name, behavior]) => `| \`${name}\` | ${cell(behavior.replace(/ \([^()]*\)$/, ''))} | ${evidenceOf(name)} |`,
  )
  return `# Quirks

A *quirk* is a surprising behavior of the reference node, as a switch. By default (\`--quirks sane\`) all are off: chainstage then follows the specification of
Ethereum JSON-RPC or the published documentation. \`--quirks faithful\`, the default of the profile \`evmd\`, turns all of them on, and \`--quirks NAME,NAME\`
turns on those that you name. [How chainstage stays true to a real node](../explanation/real-node.md) explains why.

The last column counts the recorded requests that the node and \`--quirks sane\` answer differently, and names the first.

| quirk | behavior of the node | recorded requests |
|---|---|---|
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
  'reference/rest-and-grpc.md': cosmosText,
  'reference/scenario-keys.md': keysText,
  'explanation/documentation-and-node.md': disagreementsText,
  'how-to/move-from-other-tools.md': moveText,
}
