import type { ValidatorUpdate } from '../app/abci.ts'
import { plainHexOf } from '../codec/hex.ts'
import type { Chain } from './chain.ts'
import { recordAt, withLastRecord } from './history.ts'
import { incremented, updated } from './validators.ts'

/**
 * Returns the chain with updates added to the results of its last block, and to the set that signs
 * the block after next (`comet-rpc.md` §5.9). No header contains that set's hash yet.
 */
export function withValidatorUpdates(chain: Chain, updates: readonly ValidatorUpdate[]): Chain {
  const { history, height, validators } = chain
  const record = recordAt(history, height)
  const all = latestOf([...(record?.results.validatorUpdates ?? []), ...updates])
  const nextValidators = incremented(updated(validators, all), 1)
  if (record === undefined) return { ...chain, nextValidators }
  const amended = { ...record, results: { ...record.results, validatorUpdates: all } }
  return { ...chain, nextValidators, history: withLastRecord(history, amended) }
}

/** Returns the last update of each validator. */
function latestOf(updates: readonly ValidatorUpdate[]): readonly ValidatorUpdate[] {
  return [...new Map(updates.map((one) => [plainHexOf(one.publicKey.bytes), one])).values()]
}
