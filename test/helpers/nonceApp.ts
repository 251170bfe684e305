/**
 * A real application with accounts: `from:nonce:fee:tip` is a transaction that must come in the
 * order of nonces; one that ends in `!` fails in its block. With a pool of its own it lets later
 * nonces wait, as the EVM's mempool does.
 */
import type { TxResult } from '../../src/app/abci.ts'
import type { Application, CheckTxOutcome, TxInfo } from '../../src/app/application.ts'
import type { AppState } from '../../src/app/state.ts'
import { emptyMap, mapGet, mapSet, type PersistentMap } from '../../src/data/persistentMap.ts'
import { kvApp } from './kvApp.ts'

type Nonces = PersistentMap<Uint8Array | null>

const result = (code: number, log = '', gasWanted = 10n): TxResult => ({
  code,
  log,
  data: code === 0 ? new Uint8Array(0) : undefined,
  info: '',
  gasWanted,
  gasUsed: 1n,
  events: [],
  codespace: code === 0 ? '' : 'acc',
})

function infoOf(tx: Uint8Array): TxInfo | undefined {
  const text = new TextDecoder().decode(tx).replace('!', '')
  const [from = '', nonce, fee = '10', tip = fee] = text.split(':')
  if (nonce === undefined || !/^\d+$/.test(nonce)) return undefined
  return {
    ethHash: new TextEncoder().encode(text.padEnd(32)).slice(0, 32),
    sender: new TextEncoder().encode(from.padEnd(20)),
    nonce: BigInt(nonce),
    gasLimit: 10n,
    feeCap: BigInt(fee),
    tipCap: BigInt(tip),
    ethSize: tx.length,
    cost: 0n,
    authorities: [],
    kind: 'ethereum',
  }
}

const keyOf = ({ sender }: TxInfo) => new TextDecoder().decode(sender).trim()
const nextOf = (nonces: Nonces, key: string) => BigInt(mapGet(nonces, key)?.[0] ?? 0)
const withNext = (nonces: Nonces, key: string, next: bigint) => mapSet(nonces, key, Uint8Array.of(Number(next)))

export function nonceApp({
  pooled = false,
  gasWanted = 10n,
}: {
  pooled?: boolean
  gasWanted?: bigint
} = {}): Application {
  const check = (state: AppState, tx: Uint8Array): CheckTxOutcome => {
    const info = infoOf(tx)
    if (info === undefined) {
      return { state, result: result(2, 'no transaction'), info, queued: false }
    }
    const key = keyOf(info)
    const next = mapGet(state.check, key) === undefined ? nextOf(state.edits, key) : nextOf(state.check, key)
    if (info.nonce === next) {
      return {
        state: { ...state, check: withNext(state.check, key, next + 1n) },
        result: result(0, '', gasWanted),
        info,
        queued: false,
      }
    }
    if (pooled && info.nonce > next) return { state, result: result(0), info, queued: true }
    if (pooled && info.nonce >= nextOf(state.edits, key)) {
      return { state, result: result(0), info, queued: false }
    }
    return { state, result: result(32, `expected ${next}, got ${info.nonce}`), info, queued: false }
  }
  return {
    ...kvApp,
    checkTx: check,
    prepareProposal: (_state, { candidates }) =>
      candidates
        .map(({ info }, index) => ({ nonce: info?.nonce ?? 0n, index }))
        .sort((a, b) => Number(a.nonce - b.nonce) || a.index - b.index)
        .map(({ index }) => index),
    finalizeBlock: (state, { txs, height }) => {
      let { edits } = state
      const txResults = txs.map((tx) => {
        const info = infoOf(tx)
        if (info === undefined || nextOf(edits, keyOf(info)) !== info.nonce) {
          return result(32, 'out of order')
        }
        edits = withNext(edits, keyOf(info), info.nonce + 1n)
        return result(new TextDecoder().decode(tx).endsWith('!') ? 5 : 0)
      })
      const appHash = Uint8Array.of(Number(height % 256n))
      return {
        state: { ...state, height, edits, appHash },
        result: {
          events: [],
          txResults,
          validatorUpdates: [],
          consensusParamUpdates: undefined,
          appHash,
        },
      }
    },
    commit: (state) => ({ ...state, check: emptyMap }),
  }
}
