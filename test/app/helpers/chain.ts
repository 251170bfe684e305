/** A chain of one for tests of the application: blocks as they are asked for. */
import { readFileSync } from 'node:fs'
import type { TxResult, FinalizeBlockResult } from '../../../src/app/abci.ts'
import type { Application } from '../../../src/app/application.ts'
import type { EthereumView } from '../../../src/app/ethereumView.ts'
import type { AppState } from '../../../src/app/state.ts'
import { createEvmd } from '../../../src/app/evmd/evmd.ts'
import { genesisDocument } from '../../../src/app/evmd/genesisDocument.ts'
import { parseTime } from '../../../src/codec/time.ts'
import { createEngine } from '../../../src/evm/engine.ts'
import { wasmPath } from '../../../src/evm/wasmPath.ts'
import { profileSettings } from '../../../src/settings/profiles.ts'
import type { Settings } from '../../../src/settings/settings.ts'

const engine = createEngine(new WebAssembly.Module(readFileSync(wasmPath)))

export type TestChain = {
  readonly application: Application
  readonly ethereum: EthereumView
  state: AppState
  readonly block: (...txs: readonly Uint8Array[]) => FinalizeBlockResult
  readonly one: (tx: Uint8Array) => TxResult
}

export const evmChainId = 31_337
export const chainId = 'chainstage-1'

/** Starts from a genesis document's JSON text, or from that of profile local. */
export function startChain(options: { document?: string; settings?: Partial<Settings> } = {}): TestChain {
  const settings = { ...profileSettings('local'), ...options.settings }
  const { application, ethereum } = createEvmd({ engine, settings })
  const seed = new TextEncoder().encode('seed')
  const document = JSON.parse(options.document ?? genesisDocument(settings, seed))
  const { state, validators } = application.initChain(requestOf(document))
  const proposer = validators[0]
  const chain: TestChain = {
    application,
    ethereum,
    state,
    block: (...txs) => {
      const height = chain.state.height + 1n
      const done = application.finalizeBlock(chain.state, {
        height, time: { seconds: 1_735_689_600n + height, nanos: 0 },
        hash: new Uint8Array(32).fill(Number(height & 255n)), txs,
        proposerAddress: proposer === undefined ? new Uint8Array(20) : new Uint8Array(20),
        nextValidatorsHash: new Uint8Array(32), lastCommit: { round: 0, votes: [] }, misbehavior: [],
      })
      chain.state = application.commit(done.state)
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

function requestOf(document: any) {
  const { block, evidence, validator, version, abci } = document.consensus_params
  return {
    time: parseTime(document.genesis_time),
    chainId: document.chain_id,
    initialHeight: 1n,
    consensusParams: {
      block: { maxBytes: BigInt(block.max_bytes), maxGas: BigInt(block.max_gas) },
      evidence: {
        maxAgeBlocks: BigInt(evidence.max_age_num_blocks),
        maxAgeNanos: BigInt(evidence.max_age_duration), maxBytes: BigInt(evidence.max_bytes),
      },
      validator: { publicKeyTypes: validator.pub_key_types },
      version: { app: BigInt(version.app) },
      abci: { voteExtensionsEnableHeight: BigInt(abci.vote_extensions_enable_height) },
    },
    validators: [],
    appState: document.app_state,
  }
}
