/**
 * A real application as small as one can be: `key=value` in one store, refused unless it has a `=`.
 */
import { createHash } from 'node:crypto'
import { emptyQueryResult, type TxResult } from '../../src/app/abci.ts'
import type { Application } from '../../src/app/application.ts'
import type { AppState } from '../../src/app/state.ts'
import { emptyMap, mapEntries, mapSet } from '../../src/data/persistentMap.ts'

const noBytes = new Uint8Array(0)

function resultOf(tx: Uint8Array): TxResult {
  const [key = '', value] = new TextDecoder().decode(tx).split('=')
  const isFine = value !== undefined
  return {
    code: isFine ? 0 : 1,
    data: isFine ? noBytes : undefined,
    log: isFine ? '' : 'expected key=value',
    info: '',
    gasWanted: 1n,
    gasUsed: isFine ? 1n : 0n,
    codespace: isFine ? '' : 'kv',
    events: isFine
      ? [
          {
            type: 'app',
            attributes: [
              { key: 'key', value: key, index: true },
              { key: 'secret', value, index: false },
            ],
          },
        ]
      : [],
  }
}

function hashOf({ edits }: AppState): Uint8Array {
  const hash = createHash('sha256')
  for (const [key, value] of mapEntries(edits)) hash.update(`${key}=`).update(value ?? noBytes)
  return new Uint8Array(hash.digest())
}

const first: AppState = {
  height: 0n,
  committed: new Map(),
  appHash: noBytes,
  edits: emptyMap,
  check: emptyMap,
  pending: undefined,
  impersonated: { isAll: false, addresses: new Set() },
  transient: {
    gasWanted: 0n,
    gasUsed: 0n,
    baseFee: 0n,
    header: {
      height: 0n,
      timeSeconds: 0n,
      timeNanos: 0,
      chainId: '',
      proposerAddress: noBytes,
      hash: noBytes,
    },
  },
}

export const kvApp: Application = {
  name: 'kv',
  info: ({ height, appHash }) => ({
    data: 'kv',
    version: '',
    appVersion: 0n,
    lastBlockHeight: height,
    lastBlockAppHash: appHash,
  }),
  halted: () => undefined,
  initChain: ({ validators, consensusParams }) => ({ state: first, validators, consensusParams, appHash: noBytes }),
  checkTx: (state, tx) => ({ state, result: resultOf(tx), info: undefined, queued: false }),
  prepareProposal: (_state, { candidates }) => candidates.map((_, index) => index),
  finalizeBlock: (state, { txs, height }) => {
    let { edits } = state
    for (const tx of txs) {
      const [key = '', value] = new TextDecoder().decode(tx).split('=')
      if (value !== undefined) edits = mapSet(edits, key, new TextEncoder().encode(value))
    }
    const appHash = txs.length === 0 ? state.appHash : hashOf({ ...state, edits })
    return {
      state: { ...state, height, edits, appHash },
      result: {
        events: [],
        txResults: txs.map(resultOf),
        validatorUpdates: [],
        consensusParamUpdates: undefined,
        appHash,
      },
    }
  },
  commit: (state) => state,
  query: (state) => ({ ...emptyQueryResult, height: state.height }),
  edit: (state) => ({ state, validatorUpdates: [] }),
}
