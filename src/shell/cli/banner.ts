/** What a person sees when a chain starts. */
import picocolors from 'picocolors'
import { bech32Of } from '../../codec/bech32.ts'
import { checksumAddress, hexOf } from '../../codec/hex.ts'
import { keccak256 } from '../../crypto/hash.ts'
import { cosmosAddress, privateKeyFromMnemonic } from '../../crypto/keys.ts'
import { secp256k1 } from '../../crypto/secp256k1.ts'
import type { NodeKey } from '../../node/world.ts'
import type { Settings } from '../../settings/settings.ts'
import { packageVersion } from '../packageFiles.ts'
import type { Running } from '../server.ts'

/** One funded account in both address forms; `cosmosKey` is at cosmjs' default path. */
export type Account = {
  readonly name: string
  readonly ethereum: string
  readonly cosmos: string
  readonly privateKey: string
  readonly cosmosPathAddress: string | undefined
}

/** Returns the accounts a person may use, as the banner and `accounts` show them. */
export function accountsOf(keys: readonly NodeKey[], settings: Settings): readonly Account[] {
  return keys.map(({ name, address, privateKey }, index) => ({
    name, ethereum: checksumAddress(address, keccak256), cosmos: bech32Of('cosmos', address),
    privateKey: hexOf(privateKey),
    cosmosPathAddress: settings.profile === 'evmd'
      ? undefined
      : cosmosPathAddress(settings.mnemonic, index),
  }))
}

function cosmosPathAddress(mnemonic: string, index: number): string {
  const key = privateKeyFromMnemonic(mnemonic, `m/44'/118'/0'/0/${index}`)
  return bech32Of('cosmos', cosmosAddress(secp256k1.publicKey(key, true)))
}

function title(text: string): string {
  return `\n${picocolors.bold(text)}`
}

/** Returns the lines above `Listening on`. */
export function bannerText({ settings, keys, simulation }: Running): string {
  const { bold, dim } = picocolors
  const { genesis } = simulation().node.chain
  const { fork } = genesis
  return [
    `${bold('chainstage')} ${packageVersion()}  ${dim('a deterministic simulated Cosmos EVM chain')}`,
    ...(settings.application === 'kvstore' ? kvstoreLines() : accountLines(keys, settings)),
    title('Chain'),
    ...(settings.application === 'kvstore' ? [] : [`  EVM chain id     ${settings.evmChainId}`]),
    `  Cosmos chain id  ${genesis.chainId}`,
    ...(fork === undefined ? [] : [
      `  goes on from     height ${fork.height}, block ${hexOf(fork.hash)}`,
    ]),
    `  blocks           ${settings.blocks}${settings.blocks === 'interval' ? ` every ${settings.interval || settings.timeoutCommit}` : ''}`,
    `  scenario         ${simulation().plan.name}`,
    `  seed             ${settings.seed}`,
    `\n  Point ${settings.application === 'kvstore' ? 'a client of CometBFT' : 'a wallet, viem, ethers or cosmjs'} at the addresses below. Ctrl-C stops it.\n`,
  ].join('\n')
}

function accountLines(keys: readonly NodeKey[], settings: Settings): readonly string[] {
  return [
    title('Accounts'),
    ...accountsOf(keys, settings).flatMap((one, index) => [
      `  (${index}) ${one.ethereum}  ${one.cosmos}`,
      `      key ${one.privateKey}`,
      ...(
        one.cosmosPathAddress === undefined
          ? []
          : [`      at m/44'/118'/0'/0/${index}  ${one.cosmosPathAddress}`]
      ),
    ]),
    picocolors.yellow('\n  These keys are public. Never send anything of value to them.'),
    ...(settings.profile === 'evmd' ? [] : [
      title('Wallet'), `  mnemonic  ${settings.mnemonic}`,
      "  paths     m/44'/60'/0'/0/i (Ethereum), m/44'/118'/0'/0/i (cosmjs)",
    ]),
  ]
}

function kvstoreLines(): readonly string[] {
  return [
    title('Application'),
    '  kvstore: send key=value on interface A. It has no EVM and no accounts,',
    '  so interface B (Ethereum JSON-RPC) is not opened.',
  ]
}

/** Returns the last lines: one for each listener. */
export function listeningText({ urls }: Pick<Running, 'urls'>): string {
  return [
    ...(urls.control === '' ? [] : [`Dashboard on ${urls.control}`]),
    ...(
      urls.comet === ''
        ? []
        : [`Listening on ${urls.comet} (CometBFT RPC; WebSocket at /websocket)`]
    ),
    ...(urls.eth === '' ? [] : [`Listening on ${urls.eth} (Ethereum JSON-RPC)`]),
    ...(urls.ethWs === '' ? [] : [`Listening on ${urls.ethWs} (Ethereum JSON-RPC over WebSocket)`]),
  ].join('\n')
}
