/** Builds the world of a node: the engine, the application and the node's keys. */
import { createEvmd } from '../app/evmd/evmd.ts'
import { type OwnKeys, withOwnKeys } from '../app/evmd/genesis/validatorKeys.ts'
import { genesisDocument } from '../app/evmd/genesisDocument.ts'
import { kvstore } from '../app/kvstore/kvstore.ts'
import { parseGenesis } from '../chain/genesis.ts'
import type { Genesis, Signers } from '../chain/chain.ts'
import { plainHexOf } from '../codec/hex.ts'
import { ed25519Address, ed25519KeyPair, ed25519Sign, type Ed25519KeyPair } from '../crypto/ed25519.ts'
import { sha256, useKeccak } from '../crypto/hash.ts'
import {
  ethAddressOfKey,
  ethereumPath,
  keyPairFromSecret,
  keyPairFromSeed,
  privateKeyFromMnemonic,
} from '../crypto/keys.ts'
import { createRandom } from '../data/random.ts'
import { remembered } from '../data/remembered.ts'
import { createEngine } from '../evm/engine.ts'
import { wasmPath } from '../evm/wasmPath.ts'
import { SimError } from '../errors.ts'
import type { NodeKey, World } from '../node/world.ts'
import { isSame } from '../settings/changes.ts'
import { durationMs } from '../settings/duration.ts'
import type { Settings } from '../settings/settings.ts'
import type { SimulationWorld } from '../simulation/turn.ts'
import { lateActions } from './loadPart.ts'
import { scripts } from './scripts/loading.ts'
import { packageBytes, packageText, packageVersion } from './packageFiles.ts'
import type { MempoolLimits } from '../chain/mempool.ts'
import type { Retention } from '../chain/history.ts'

export type WorldOrigin = { readonly world: SimulationWorld; readonly genesis: Genesis }

/** Returns the world and genesis for settings. `document` is the user's genesis document. */
export function createWorld(settings: Settings, document?: string): WorldOrigin {
  const seed = sha256(new TextEncoder().encode(settings.seed))
  // The application first: its engine brings the fast Keccak-256, with which the genesis is computed.
  const behindOf = createBehind(settings)
  const keyOf = validatorKeyring(settings, seed)
  const read = parseGenesis(document ?? builtInGenesis(settings, seed), seed)
  const text = document === undefined ? read.document : signedByUs(read, settings, keyOf)
  const world: SimulationWorld = {
    ...behindOf(settings.quirks),
    signers: signersOf(keyOf),
    limits: limitsOf(settings),
    retention: retentionOf(settings),
    keyring: keyringOf(settings, document),
    version: packageVersion(),
    random: createRandom(seed, sha256),
    scripts,
    lateActions,
    applicationWith: remembered((quirks) => (isSame(quirks, settings.quirks) ? undefined : behindOf(quirks))),
  }
  return { world, genesis: text === read.document ? read : parseGenesis(text, seed) }
}

type Behind = Pick<World, 'app' | 'ethereum'>

/** Returns the view of the application for Ethereum JSON-RPC, or undefined without an EVM. */
export function createView(settings: Settings): World['ethereum'] {
  return createBehind(settings)(settings.quirks).ethereum
}

/** Returns a function that returns the application with quirks. All of them share one engine. */
function createBehind(settings: Settings): (quirks: Settings['quirks']) => Behind {
  if (settings.application === 'kvstore') return () => ({ app: kvstore, ethereum: undefined })
  const engine = createEngine(engineModule(), scripts)
  useKeccak(engine.keccak256)
  return (quirks) => {
    const { application, ethereum } = createEvmd({ engine, settings: { ...settings, quirks } })
    return { app: application, ethereum }
  }
}

let compiledEngine: WebAssembly.Module | undefined

/** Returns the compiled engine, which all chains of a process share. */
function engineModule(): WebAssembly.Module {
  try {
    compiledEngine ??= new WebAssembly.Module(packageBytes(wasmPath))
    return compiledEngine
  } catch (cause) {
    throw new BrokenInstallation(wasmPath, cause)
  }
}

/** A file of the package is missing or damaged. */
export class BrokenInstallation extends SimError {
  constructor(name: string, cause: unknown) {
    super('BROKEN_INSTALLATION', `${name} of the installed package is missing or damaged`, {
      cause,
      hint: 'Reinstall chainstage: npm install --force chainstage.',
    })
  }
}

/** Returns the genesis document of a chain for which the user has none. */
function builtInGenesis(settings: Settings, seed: Uint8Array): string {
  return isRecorded(settings, undefined) ? recordedGenesis(settings) : genesisDocument(settings, seed)
}

/** The number of keys for validators that join a running chain. A scenario may have 100, and replace them. */
const spareValidators = 256

/** The number of validators of a user's genesis document that get keys. CometBFT chains have at most a few hundred. */
const replacedValidators = 256

type KeyOf = (consensusAddress: Uint8Array) => Ed25519KeyPair | undefined

/**
 * Returns a user's genesis document with keys that this chain has. With `validatorKeys`, those of the document stay:
 * whoever gives some wants them.
 */
function signedByUs(genesis: Genesis, settings: Settings, keyOf: KeyOf): string {
  if (settings.validatorKeys.length > 0) return genesis.document
  const own: OwnKeys = {
    has: (address) => keyOf(address) !== undefined,
    spare: () => replacedKeys(genesis.seed),
  }
  return withOwnKeys(genesis, own, settings)
}

function signersOf(keyOf: KeyOf): Signers {
  return {
    sign: (address, message) => {
      const key = keyOf(address)
      return key === undefined ? undefined : ed25519Sign(message, key.seed)
    },
  }
}

/** Returns a function that finds a validator's key. Keys are computed one by one, when one is not known yet. */
function validatorKeyring({ validators, validatorKeys: given }: Settings, seed: Uint8Array): KeyOf {
  const byAddress = new Map<string, Ed25519KeyPair>()
  const keys = validatorKeys(seed, { validators, given })
  return (consensusAddress) => {
    const address = plainHexOf(consensusAddress)
    while (!byAddress.has(address)) {
      const next = keys.next()
      if (next.done === true) break
      byAddress.set(plainHexOf(ed25519Address(next.value.publicKey)), next.value)
    }
    return byAddress.get(address)
  }
}

/**
 * Yields the keys of all validators that may sign: those that were given, then those of the chain's own genesis, of the
 * recorded node, and of a user's genesis document. The last ones are for validators that join a running chain. A given
 * key is the seed and the public key in base64, as CometBFT stores it.
 */
function* validatorKeys(
  seed: Uint8Array,
  { validators, given }: { readonly validators: number; readonly given: readonly string[] },
): Generator<Ed25519KeyPair> {
  for (const key of given) yield ed25519KeyPair(Uint8Array.from(Buffer.from(key, 'base64').subarray(0, 32)))
  for (let index = 0; index < validators; index++) yield keyPairFromSeed(seed, 'validator', index)
  const { mykey = '' } = recordedMnemonics()
  yield keyPairFromSecret(new TextEncoder().encode(mykey))
  yield* replacedKeys(seed)
  for (let index = 0; index < spareValidators; index++) yield keyPairFromSeed(seed, 'validator', validators + index)
}

/** Yields the keys that validators of a user's genesis document get. */
function* replacedKeys(seed: Uint8Array): Generator<Ed25519KeyPair> {
  for (let index = 0; index < replacedValidators; index++) yield keyPairFromSeed(seed, 'genesis validator', index)
}

/** Whether a chain begins with the genesis of the recorded node. */
function isRecorded({ profile }: Settings, document: string | undefined): boolean {
  return profile === 'evmd' && document === undefined
}

/** Returns the genesis document of the recorded node, with the Cosmos chain id of the settings. */
function recordedGenesis({ chainId }: Settings): string {
  const text = packageText('genesis/evmd.json')
  const document = JSON.parse(text) as { readonly chain_id: string }
  return document.chain_id === chainId ? text : JSON.stringify({ ...document, chain_id: chainId })
}

/** Returns the keys of the funded accounts, as `eth_accounts` lists them. `document` is the user's genesis document. */
export function keyringOf(settings: Settings, document?: string): readonly NodeKey[] {
  return isRecorded(settings, document) ? recordedKeys() : accountKeys(settings)
}

/** Returns the accounts of the mnemonic, at Ethereum's derivation path. */
export function accountKeys({ accounts, mnemonic }: Settings): readonly NodeKey[] {
  return Array.from({ length: accounts }, (_, index) => keyOf(`account${index}`, mnemonic, index))
}

/** Returns the mnemonics of the recorded node's accounts by their names; each has its account at index 0. */
export function recordedMnemonics(): Readonly<Record<string, string>> {
  return JSON.parse(packageText('genesis/evmd.keys.json')) as Record<string, string>
}

/** Returns the recorded keys, sorted by name as in the node's keyring. */
function recordedKeys(): readonly NodeKey[] {
  return Object.entries(recordedMnemonics())
    .map(([name, mnemonic]) => keyOf(name, mnemonic, 0))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function keyOf(name: string, mnemonic: string, index: number): NodeKey {
  const privateKey = privateKeyFromMnemonic(mnemonic, ethereumPath(index))
  return { name, privateKey, address: ethAddressOfKey(privateKey) }
}

function limitsOf(settings: Settings): MempoolLimits {
  return {
    takesNothing: settings.mempoolType === 'nop',
    size: settings.mempoolSize,
    maxTxsBytes: BigInt(settings.mempoolMaxTxsBytes),
    maxTxBytes: settings.mempoolMaxTxBytes,
    cacheSize: settings.mempoolCacheSize,
    keepInvalid: settings.mempoolKeepInvalid,
    recheck: settings.mempoolRecheck,
    ttlBlocks: BigInt(settings.mempoolTtlBlocks),
    ttlMs: durationMs(settings.mempoolTtl),
    priceBumpPercent: settings.mempoolMaxTxs < 0 ? undefined : BigInt(settings.mempoolPriceBump),
  }
}

function retentionOf({ minRetainBlocks, indexer, pruning, pruningKeepRecent, pruningInterval }: Settings): Retention {
  const states = {
    nothing: undefined,
    default: { recent: 362_880n, interval: 10n },
    everything: { recent: 2n, interval: 10n },
    custom: { recent: BigInt(pruningKeepRecent), interval: BigInt(pruningInterval) },
  }[pruning]
  return { blocks: BigInt(minRetainBlocks), states, isIndexed: indexer !== 'null' }
}
