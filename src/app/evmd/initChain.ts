/** The state before the first block, built from a genesis document (ABCI InitChain). */
import { equalBytes } from '../../data/bytes.ts'
import { emptyMap, mapSet } from '../../data/persistentMap.ts'
import { sha256 } from '../../crypto/hash.ts'
import type { ValidatorUpdate } from '../abci.ts'
import type { InitChainRequest, InitChainResult } from '../application.ts'
import { createDraft, overlayKey } from '../draft.ts'
import type { Forked } from '../forked.ts'
import { emptyStores } from '../multiStore.ts'
import type { AppState, BlockContext, Overlay } from '../state.ts'
import type { Draft } from '../store.ts'
import { setConsensusParams } from './consensus.ts'
import { type Context, type Fixed, newContext } from './context.ts'
import { loadAuth, loadBank } from './genesis/accounts.ts'
import { loadEvidence } from './genesis/evidence.ts'
import { loadEvm, loadFeemarket, loadPrecisebank } from './genesis/evm.ts'
import { deliverGenesisTxs } from './genesis/genutil.ts'
import { loadAllowances, loadGrants } from './genesis/grants.ts'
import { loadIbc } from './genesis/ibc.ts'
import { loadErc20, loadGov } from './genesis/others.ts'
import { InvalidGenesis, rootSection, section, type Section } from './genesis/read.ts'
import { loadDistribution, loadMint, loadSlashing } from './genesis/rewards.ts'
import { loadStaking } from './genesis/staking.ts'
import { refuseModules, refuseUnread } from './genesis/unread.ts'
import { loadVersions } from './genesis/versions.ts'
import { newForkedState } from './learn.ts'
import { allAccounts, moduleAccount, skipNumbers } from './modules/auth/accounts.ts'
import { evmCoin } from './evmCoin.ts'
import { baseFeeOf } from './modules/feemarket/baseFee.ts'
import { bondedPool, notBondedPool } from './modules/staking/pools.ts'
import { storeNames } from './storeNames.ts'

/**
 * Returns the state of a genesis document. The app hash in the first block's header is the hash of
 * no data, as the SDK returns it (corrections-a C 8). Throws `InvalidGenesis`.
 */
export function initChain(fixed: Fixed, request: InitChainRequest): InitChainResult {
  const appHash = sha256(new Uint8Array(0))
  const block = firstHeader(request)
  const stores = emptyStores(storeNames)
  const empty: AppState = {
    height: 0n,
    committed: stores,
    appHash,
    edits: emptyMap,
    check: emptyMap,
    pending: undefined,
    impersonated: { isAll: false, addresses: new Set() },
    transient: { gasWanted: 0n, gasUsed: 0n, baseFee: 0n, header: block },
  }
  const draft = createDraft(empty)
  const context = newContext({ fixed, draft, block: { ...block, height: 0n }, mode: 'genesis' })
  const { validators, gasWanted } = load(context, request)
  // Accounts of the other chain keep their account numbers.
  if (request.isForked === true) skipNumbers(context, 1n << 40n)
  const transient = { gasWanted, gasUsed: 0n, baseFee: baseFeeOf(context), header: block }
  return {
    state: {
      ...empty,
      edits: editsOf(draft),
      transient,
      ...(request.isForked === true ? { forked: forkedStateOf(context) } : {}),
    },
    validators,
    consensusParams: request.consensusParams,
    appHash,
  }
}

function forkedStateOf(context: Context): Forked {
  const own = [...allAccounts(context)].map(({ address }) => address)
  return newForkedState(context, evmCoin(context).denom, own)
}

/**
 * Returns the genesis writes as edits above the trees, because the SDK commits the genesis with the
 * first block.
 */
function editsOf(draft: Draft): Overlay {
  let edits: Overlay = emptyMap
  for (const [store, changes] of draft.changes()) {
    for (const [key, value] of changes) {
      if (value !== undefined) edits = mapSet(edits, overlayKey(store, key), value)
    }
  }
  return edits
}

function load(
  context: Context,
  request: InitChainRequest,
): { readonly validators: readonly ValidatorUpdate[]; readonly gasWanted: bigint } {
  const root: Section = rootSection(request.appState, 'app_state')
  refuseModules(root)
  setConsensusParams(context, request.consensusParams)
  loadVersions(context)
  loadAuth(context, section(root, 'auth'))
  loadBank(context, section(root, 'bank'))
  moduleAccount(context, 'distribution')
  loadDistribution(context, section(root, 'distribution'))
  moduleAccount(context, bondedPool)
  moduleAccount(context, notBondedPool)
  const listed = loadStaking(context, section(root, 'staking'))
  loadSlashing(context, section(root, 'slashing'))
  loadGov(context, section(root, 'gov'))
  loadMint(context, section(root, 'mint'))
  moduleAccount(context, 'mint')
  loadEvm(context, section(root, 'evm'))
  loadFeemarket(context, section(root, 'feemarket'))
  loadErc20(context, section(root, 'erc20'))
  loadPrecisebank(context, section(root, 'precisebank'))
  loadIbc(context, section(root, 'ibc'), section(root, 'transfer'))
  const made = deliverGenesisTxs(context, section(root, 'genutil'))
  loadEvidence(context, section(root, 'evidence'))
  loadGrants(context, section(root, 'authz'))
  loadAllowances(context, section(root, 'feegrant'))
  const validators = made.validators.length > 0 ? made.validators : listed
  refuseUnread(root)
  checkValidators(validators, request.validators)
  return { validators, gasWanted: made.gasWanted }
}

function checkValidators(validators: readonly ValidatorUpdate[], given: readonly ValidatorUpdate[]): void {
  if (validators.length === 0) {
    throw new InvalidGenesis('app_state.genutil.gen_txs', 'one or more validators')
  }
  const isSame = given.every(({ publicKey, power }) =>
    validators.some((each) => each.power === power && equalBytes(each.publicKey.bytes, publicKey.bytes)),
  )
  if (given.length > 0 && (!isSame || given.length !== validators.length)) {
    throw new InvalidGenesis('validators', 'the validators of app_state')
  }
}

function firstHeader({ time, chainId, initialHeight }: InitChainRequest): BlockContext {
  return {
    height: initialHeight,
    timeSeconds: time.seconds,
    timeNanos: time.nanos,
    chainId,
    proposerAddress: new Uint8Array(0),
    hash: new Uint8Array(32),
  }
}
