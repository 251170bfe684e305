/** The text that `chainstage start` prints. */
import { addressText } from '../../app/evmd/address.ts'
import { styleText } from 'node:util'
import { hexOf } from '../../codec/hex.ts'
import { cosmosAddressOfKey, cosmosPath, privateKeyFromMnemonic } from '../../crypto/keys.ts'
import type { NodeKey } from '../../node/world.ts'
import type { Settings } from '../../settings/settings.ts'
import { packageVersion } from '../packageFiles.ts'
import type { Running } from '../server.ts'
import type { Listener } from '../urls.ts'
import { chainFactsOrNone, type ChainFacts } from '../wallets/chainFacts.ts'
import { checksumAddress } from '../../crypto/checksumAddress.ts'

/**
 * A funded account in both address forms; `cosmosKey` is the private key at the default path of
 * CosmJS.
 */
export type BannerAccount = {
  readonly name: string
  readonly ethereum: string
  readonly cosmos: string
  readonly privateKey: string
  readonly cosmosPathAddress: string | undefined
}

/** Returns the funded accounts, as the banner and `chainstage accounts` show them. */
export function accountsOf(keys: readonly NodeKey[], settings: Settings): readonly BannerAccount[] {
  return keys.map(({ name, address, privateKey }, index) => ({
    name,
    ethereum: checksumAddress(address),
    cosmos: addressText(settings, address),
    privateKey: hexOf(privateKey),
    cosmosPathAddress: settings.profile === 'evmd' ? undefined : cosmosPathAddress(settings, index),
  }))
}

function cosmosPathAddress(settings: Settings, index: number): string {
  return addressText(settings, cosmosAddressOfKey(privateKeyFromMnemonic(settings.mnemonic, cosmosPath(index))))
}

function title(text: string): string {
  return `\n${styleText('bold', text)}`
}

/** Returns the lines printed above `Listening on`. */
export function bannerText({ settings, keys, simulation, main }: Running): string {
  const { playback } = main
  const { genesis } = simulation().node.chain
  const { fork } = genesis
  const facts = playback === undefined ? chainFactsOrNone(main) : undefined
  return [
    `${styleText('bold', 'chainstage')} ${packageVersion()}  ${styleText('dim', 'a deterministic local Cosmos EVM chain')}`,
    ...(settings.application === 'kvstore' ? kvstoreLines() : accountLines(keys, settings, areEmpty(keys, main))),
    title('Chain'),
    ...(settings.application === 'kvstore' ? [] : [`  EVM chain id     ${settings.evmChainId}`]),
    `  Cosmos chain id  ${genesis.chainId}`,
    ...(facts === undefined ? [] : [`  token            ${tokenText(facts)}`]),
    ...(fork === undefined ? [] : [`  forked at        height ${fork.height}, block ${hexOf(fork.id.hash)}`]),
    playback === undefined ? blocksLine(settings) : `  playback of      ${playback.name}`,
    `  scenario         ${simulation().plan.name}`,
    `  seed             ${settings.seed}`,
    `\n  Point ${settings.application === 'kvstore' ? 'a client of CometBFT' : 'a wallet, viem, ethers or cosmjs'} at the addresses below. Ctrl-C stops it.\n`,
  ].join('\n')
}

/** Returns `TEST, 1 TEST = 10^18 atest; gas price 1.125 gwei`. */
function tokenText({ coin: { symbol, base, decimals }, gasPrices: { average } }: ChainFacts): string {
  return `${symbol}, 1 ${symbol} = 10^${decimals} ${base}; gas price ${average / 1e9} gwei`
}

function blocksLine({ blocks, interval, timeoutCommit }: Settings): string {
  return `  blocks           ${blocks}${blocks === 'interval' ? ` every ${interval || timeoutCommit}` : ''}`
}

/** Returns whether none of the accounts has coins, which a genesis document of one's own may cause. */
function areEmpty(keys: readonly NodeKey[], { world, simulation, playback }: Running['main']): boolean {
  const { app, genesis } = simulation().node.chain
  const { ethereum } = world
  if (ethereum === undefined || genesis.fork !== undefined || playback !== undefined || keys.length === 0) return false
  return keys.every(({ address }) => ethereum.account(app, address).wei === 0n)
}

function accountLines(keys: readonly NodeKey[], settings: Settings, lackCoins: boolean): readonly string[] {
  return [
    title('Accounts'),
    ...accountsOf(keys, settings).flatMap((one, index) => [
      `  (${index}) ${one.ethereum}  ${one.cosmos}`,
      `      key ${one.privateKey}`,
      ...(one.cosmosPathAddress === undefined ? [] : [`      at ${cosmosPath(index)}  ${one.cosmosPathAddress}`]),
    ]),
    styleText('yellow', '\n  These keys are public. Never send anything of value to them.'),
    ...(lackCoins ? ['  The accounts have no coins yet. Give some to one with: chainstage faucet ADDRESS'] : []),
    ...(settings.profile === 'evmd'
      ? []
      : [
          title('Wallet'),
          `  mnemonic  ${settings.mnemonic}`,
          "  paths     m/44'/60'/0'/0/i (Ethereum), m/44'/118'/0'/0/i (cosmjs)",
        ]),
  ]
}

function kvstoreLines(): readonly string[] {
  return [
    title('Application'),
    '  kvstore: send key=value on CometBFT RPC. It has no EVM and no accounts,',
    '  so Ethereum JSON-RPC is not served.',
  ]
}

const namesOfListeners: Readonly<Record<Exclude<Listener['serves'], 'control'>, string>> = {
  comet: 'CometBFT RPC; WebSocket at /websocket',
  eth: 'Ethereum JSON-RPC',
  ethWs: 'Ethereum JSON-RPC over WebSocket',
  rest: 'Cosmos REST API',
  grpc: 'Cosmos gRPC',
  metrics: 'Prometheus metrics',
}

/** Returns the last lines: the dashboard, and every listener with the interface that it serves. */
export function listeningText({ listeners }: Pick<Running, 'listeners'>): string {
  const dashboards = listeners.filter(({ serves }) => serves === 'control')
  return [
    ...dashboards.map(({ url }) => `Dashboard on ${url}`),
    ...listeners.flatMap(({ serves, url }) =>
      serves === 'control' ? [] : [`Listening on ${url} (${namesOfListeners[serves]})`],
    ),
  ].join('\n')
}
