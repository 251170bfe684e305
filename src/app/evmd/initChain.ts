/** The state before the first block, out of a genesis document (ABCI InitChain). */
import { equalBytes } from '../../data/bytes.ts'
import { emptyMap } from '../../data/persistentMap.ts'
import { sha256 } from '../../crypto/hash.ts'
import type { ValidatorUpdate } from '../abci.ts'
import type { InitChainRequest, InitChainResult } from '../application.ts'
import { createDraft } from '../draft.ts'
import { commitStores, emptyStores } from '../multiStore.ts'
import type { AppState, BlockContext } from '../state.ts'
import { setConsensusParams } from './consensus.ts'
import { type Context, type Fixed, newContext } from './context.ts'
import { loadAuth, loadBank, makeModuleAccounts } from './genesis/accounts.ts'
import { loadEvm, loadFeemarket } from './genesis/evm.ts'
import { loadDistribution, loadMint } from './genesis/mint.ts'
import { InvalidGenesis, section, sectionOf, type Section } from './genesis/read.ts'
import { deliverGenesisTxs, loadValidators } from './genesis/validators.ts'
import { baseFeeOf } from './modules/feemarket/baseFee.ts'
import { storeNames } from './storeNames.ts'

/**
 * Returns the state of a genesis document. The first block's header carries the hash of nothing, as
 * the SDK returns it (corrections-a C 8). Throws `InvalidGenesis`.
 */
export function initChain(fixed: Fixed, request: InitChainRequest): InitChainResult {
  const appHash = sha256(new Uint8Array(0))
  const block = firstHeader(request)
  const stores = emptyStores(storeNames)
  const empty: AppState = {
    height: 0n, committed: stores, appHash, edits: emptyMap, check: emptyMap, pending: undefined,
    impersonated: { isAll: false, addresses: new Set() },
    transient: { gasWanted: 0n, gasUsed: 0n, baseFee: 0n, header: block },
  }
  const draft = createDraft(empty)
  const context = newContext({ fixed, draft, block, mode: 'genesis' })
  const { validators, gasWanted } = load(context, request)
  const committed = commitStores(stores, draft.changes(), request.initialHeight)
  const transient = { gasWanted, gasUsed: 0n, baseFee: baseFeeOf(context), header: block }
  return {
    state: { ...empty, committed, transient }, validators, consensusParams: request.consensusParams,
    appHash,
  }
}

function load(
  context: Context, request: InitChainRequest,
): { readonly validators: readonly ValidatorUpdate[]; readonly gasWanted: bigint } {
  const root: Section = sectionOf(request.appState, 'app_state')
  setConsensusParams(context, request.consensusParams)
  loadAuth(context, section(root, 'auth'))
  loadBank(context, section(root, 'bank'))
  makeModuleAccounts(context)
  const listed = loadValidators(context, section(root, 'staking'))
  loadMint(context, section(root, 'mint'))
  loadDistribution(context, section(root, 'distribution'))
  loadEvm(context, section(root, 'evm'))
  loadFeemarket(context, section(root, 'feemarket'))
  const made = deliverGenesisTxs(context, section(root, 'genutil'))
  const validators = [...listed, ...made.validators]
  checkValidators(validators, request.validators)
  return { validators, gasWanted: made.gasWanted }
}

function checkValidators(
  validators: readonly ValidatorUpdate[], given: readonly ValidatorUpdate[],
): void {
  if (validators.length === 0) throw new InvalidGenesis('app_state.genutil.gen_txs', 'one or more validators')
  const isSame = given.every(({ publicKey, power }) => validators.some((each) => (
    each.power === power && equalBytes(each.publicKey.bytes, publicKey.bytes)
  )))
  if (given.length > 0 && (!isSame || given.length !== validators.length)) {
    throw new InvalidGenesis('validators', 'the validators of app_state')
  }
}

function firstHeader({ time, chainId, initialHeight }: InitChainRequest): BlockContext {
  return {
    height: initialHeight, timeSeconds: time.seconds, timeNanos: time.nanos, chainId,
    proposerAddress: new Uint8Array(0), hash: new Uint8Array(32),
  }
}
