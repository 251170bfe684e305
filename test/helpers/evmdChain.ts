/** A chain of one for tests of the application: blocks as they are asked for. */
import type { TxResult, FinalizeBlockResult } from '../../src/app/abci.ts'
import type { Application } from '../../src/app/application.ts'
import type { EthereumView } from '../../src/app/ethereumView.ts'
import type { AppState } from '../../src/app/state.ts'
import { createEvmd } from '../../src/app/evmd/evmd.ts'
import { genesisDocument } from '../../src/app/evmd/genesisDocument.ts'
import { ed25519Address } from '../../src/crypto/ed25519.ts'
import { parseTime } from '../../src/codec/time.ts'
import { profileSettings } from '../../src/settings/profiles.ts'
import type { Settings } from '../../src/settings/settings.ts'
import type { Engine } from '../../src/evm/engine.ts'
import { testEngine } from './engine.ts'

const engine = testEngine()

export type TestChain = {
  readonly application: Application
  readonly ethereum: EthereumView
  state: AppState
  /** Bugs that came to light in the last block. */
  incidents: readonly string[]
  readonly block: (...txs: readonly Uint8Array[]) => FinalizeBlockResult
  readonly one: (tx: Uint8Array) => TxResult
}

export const evmChainId = 31_337
export const chainId = 'chainstage-1'

/** Starts from a genesis document's JSON text, or from that of profile local. */
export function startChain(
  options: { document?: string; settings?: Partial<Settings>; engine?: Engine } = {},
): TestChain {
  const settings = { ...profileSettings('local'), ...options.settings }
  const { application, ethereum } = createEvmd({ engine: options.engine ?? engine, settings })
  const seed = new TextEncoder().encode('seed')
  const document = JSON.parse(options.document ?? genesisDocument(settings, seed))
  const { state, validators } = application.initChain(requestOf(document))
  const votes = validators.map(({ publicKey, power }) => ({
    address: ed25519Address(publicKey.bytes),
    power,
    signed: true,
  }))
  const proposerAddress = votes[0]?.address ?? new Uint8Array(20)
  const chain: TestChain = {
    application,
    ethereum,
    state,
    incidents: [],
    block: (...txs) => {
      const height = chain.state.height + 1n
      const done = application.finalizeBlock(chain.state, {
        height,
        time: { seconds: 1_735_689_600n + height, nanos: 0 },
        hash: new Uint8Array(32).fill(Number(height & 255n)),
        txs,
        proposerAddress,
        nextValidatorsHash: new Uint8Array(32),
        lastCommit: { round: 0, votes: height === 1n ? [] : votes },
        misbehavior: [],
      })
      chain.state = application.commit(done.state)
      chain.incidents = done.incidents ?? []
      return done.result
    },
    one: (tx) => {
      const [result] = chain.block(tx).txResults
      if (result === undefined) throw new Error('no result')
      return result
    },
  }
  return chain
}

export type Document = {
  readonly genesis_time: string
  readonly chain_id: string
  readonly app_state: unknown
  readonly consensus_params: {
    readonly block: { readonly max_bytes: string; readonly max_gas: string }
    readonly evidence: {
      readonly max_age_num_blocks: string
      readonly max_age_duration: string
      readonly max_bytes: string
    }
    readonly validator: { readonly pub_key_types: readonly string[] }
    readonly version: { readonly app: string }
    readonly abci: { readonly vote_extensions_enable_height: string }
  }
}

/** What InitChain is asked for with a document. */
export function requestOf(document: Document) {
  const { block, evidence, validator, version, abci } = document.consensus_params
  return {
    time: parseTime(document.genesis_time),
    chainId: document.chain_id,
    initialHeight: 1n,
    consensusParams: {
      block: { maxBytes: BigInt(block.max_bytes), maxGas: BigInt(block.max_gas) },
      evidence: {
        maxAgeBlocks: BigInt(evidence.max_age_num_blocks),
        maxAgeNanos: BigInt(evidence.max_age_duration),
        maxBytes: BigInt(evidence.max_bytes),
      },
      validator: { publicKeyTypes: validator.pub_key_types },
      version: { app: BigInt(version.app) },
      abci: { voteExtensionsEnableHeight: BigInt(abci.vote_extensions_enable_height) },
    },
    validators: [],
    appState: document.app_state,
  }
}
