/** The page of disagreements between documentation and node, from the quirks, the profiles and the recorded cases. */
import { isDocumented } from '../../src/rpc/comet/abciInfoForm.ts'
import { profileSettings } from '../../src/settings/profiles.ts'
import { hasQuirk, type Quirk, quirks } from '../../src/settings/quirks.ts'
import type { Settings } from '../../src/settings/settings.ts'
import { settings } from '../../src/settings/settings.ts'
import { absent } from '../conformance/ethereumExceptions.ts'
import { excepted } from '../conformance/cometExceptions.ts'
import { openApi, saidOf } from './disagreements.ts'
import { cell, evidenceOf } from './evidence.ts'

const profiles = (['local', 'evmd', 'documented'] as const).map((name) => profileSettings(name))

/** Returns what a profile follows where a quirk is a disagreement. */
function followed(profile: Settings, quirk: Quirk): string {
  if (quirk !== 'abci-info-wire') return hasQuirk(profile, quirk) ? 'node' : 'source'
  const [isGet, isPost] = [isDocumented(profile, 'uri'), isDocumented(profile, 'post')]
  if (isGet === isPost) return isGet ? 'source' : 'node'
  return 'source for GET, else node'
}

const row = (...cells: readonly string[]) => `| ${cells.join(' | ')} |`

function quirkRows(): string {
  return (Object.keys(quirks) as Quirk[])
    .map((name) => {
      const [source, text] = saidOf[name]
      const node = cell(quirks[name].replace(/ \([^()]*\)$/, ''))
      const follow = profiles.map((profile) => followed(profile, name))
      return row(`\`${name}\``, `${source}: ${text}`, node, evidenceOf(name), ...follow)
    })
    .join('\n')
}

/** Settings that say where a chain listens, what it is and when it mines are choices of a profile, not disagreements. */
const isLimit = (flag: string) => /^(?:rpc|json-rpc|mempool|evm|consensus|api|grpc)\./.test(flag)

function defaultRows(): string {
  const [local, evmd, documented] = profiles
  return settings
    .filter(([name, { flag }]) => isLimit(flag) && String(evmd?.[name]) !== String(documented?.[name]))
    .map(([name, { flag }]) =>
      row(`\`--${flag}\``, ...[documented, evmd, local].map((profile) => `\`${String(profile?.[name])}\``)),
    )
    .join('\n')
}

/** Returns the rows of results: `block.evidence: array, not object` is what a test of conformance complains of. */
function resultRows(): string {
  return Object.entries(excepted)
    .map(([complaint, why]) => {
      const [place = '', what = ''] = complaint.split(': ')
      const [said = '', found = 'absent'] = what === 'missing' ? ['present'] : what.split(', not ')
      return row(`\`${place}\``, said.replace('string', 'text'), `${found.replace('string', 'text')}: ${why}`)
    })
    .join('\n')
}

/** Returns the page. */
export function disagreementsText(): string {
  return `# Where documentation and node disagree

Look up where the recorded node behaves differently from a specification or the published documentation, and which of them your profile follows.
[How chainstage stays true to a real node](real-node.md) explains the profiles.

## Behavior

In the columns of profiles, \`source\` means that the profile follows the source in the second column: a specification, the documentation or the expectation
of clients. \`node\` means that it behaves like the recorded node. \`--quirks NAME\` makes any profile follow the node in one row. The fourth column counts the
recorded requests that show the disagreement.

| quirk | source | node | recorded requests | \`local\` | \`evmd\` | \`documented\` |
|---|---|---|---|---|---|---|
${quirkRows()}

## Defaults

| setting | documentation (\`documented\`) | node (\`evmd\`) | \`local\` |
|---|---|---|---|
${defaultRows()}

## Methods

The specification of Ethereum JSON-RPC has methods that the node lacks: ${absent.map((name) => `\`${name}\``).join(', ')}.
[Methods](../reference/methods.md) shows which of them the profile \`local\` serves.

## The OpenAPI document of CometBFT

Clients decode the responses of the node, so every profile follows the node here.

| topic | OpenAPI document | node |
|---|---|---|
${openApi.map((one) => row(...one.map(cell))).join('\n')}

Members of results. \`*\` stands for any text, and a transport before a slash limits a row to that transport:

| member | OpenAPI document | node |
|---|---|---|
${resultRows()}
`
}
