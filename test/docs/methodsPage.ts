/** The reference page of RPC methods, made from their declarations. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cometTable } from '../../src/rpc/comet/index.ts'
import { devTable } from '../../src/rpc/dev/index.ts'
import { ethTable } from '../../src/rpc/eth/index.ts'
import type { Method } from '../../src/rpc/method.ts'
import { root } from '../helpers/packed.ts'

type Peer = { readonly version: string; readonly methods: readonly string[] }

/** The node's documents list `admin`, and the node does not serve it. */
const ofNode = new Set(ethTable.methods.filter(({ name }) => !name.startsWith('admin_')))

/** Every method of Ethereum JSON-RPC: the node's, then the development methods. */
export const ethereumMethods: readonly Method[] = [
  ...ethTable.methods,
  ...devTable.methods.filter(({ name }) => !ethTable.byName.has(name)),
]

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ')
const yes = (is: boolean) => (is ? 'yes' : '')

/** Returns the text of `docs/reference/methods.md`. */
export function methodsText(): string {
  const { anvil, hardhat } = JSON.parse(readFileSync(join(root, 'test/docs/peerMethods.json'), 'utf8')) as Readonly<
    Record<'anvil' | 'hardhat', Peer>
  >
  const rowOf = (method: Method) =>
    [
      '',
      signature(method),
      cell(method.summary),
      yes(ofNode.has(method)),
      yes(anvil.methods.includes(method.name)),
      yes(hardhat.methods.includes(method.name)),
      '',
    ]
      .join(' | ')
      .trim()
  const sections = namespaces().map(
    ([name, methods]) => `### ${name}

| method | description | evmd | Anvil | Hardhat |
|---|---|---|---|---|
${methods.map(rowOf).join('\n')}
`,
  )
  return `# Methods

Look up which methods chainstage answers, and which of them a real node, Anvil and Hardhat answer too. \`chainstage methods TEXT\`
prints the same list. A parameter with \`?\` may be omitted.

## Ethereum JSON-RPC

Send requests to port 8545, or to port 8546 over WebSocket. *evmd* is the reference node, Cosmos EVM v0.5.0.

Methods that evmd lacks are development methods. They belong to the namespace \`dev\`, which the profile \`local\` serves. With another profile, add it:
\`--json-rpc.api eth,web3,net,dev\`.

Add \`admin\` in the same way for \`admin_*\`. evmd serves \`eth_fillTransaction\` and \`debug_getRawBlock\`, although its documentation does not
list them: turn them on with \`--quirks undocumented-methods\`.

Support in other tools was measured with \`${anvil.version}\` and \`${hardhat.version}\`.

${sections.join('\n')}
## CometBFT RPC

Send requests to port 26657: \`GET /METHOD?NAME=VALUE\`, JSON-RPC over \`POST /\`, or WebSocket at \`/websocket\`.

| method | description | notes |
|---|---|---|
${cometTable.methods.map((method) => `| ${signature(method)} | ${cell(method.summary)} | ${notesOf(method)} |`).join('\n')}

## Cosmos REST API and gRPC

Port 1317 serves the REST routes of the Cosmos SDK and Cosmos EVM modules, port 9090 the same queries as gRPC, with reflection.
[REST and gRPC](rest-and-grpc.md) lists both, each with an example.
`
}

function namespaces(): readonly (readonly [string, readonly Method[]])[] {
  const names = [...new Set(ethereumMethods.map(({ name }) => namespaceOf(name)))]
  return names.map((name) => [name, ethereumMethods.filter((method) => namespaceOf(method.name) === name)])
}

function namespaceOf(name: string): string {
  return name.slice(0, name.indexOf('_'))
}

function signature({ name, params }: Method): string {
  return `\`${name}\`${params.length === 0 ? '' : ` ${params.map((one) => `*${one.name}${one.fallback === undefined ? '' : '?'}*`).join(', ')}`}`
}

function notesOf({ traits }: Method): string {
  return [
    ...(traits.includes('websocketOnly') ? ['WebSocket only'] : []),
    ...(traits.includes('unsafe') ? ['needs `--rpc.unsafe`'] : []),
  ].join(', ')
}
