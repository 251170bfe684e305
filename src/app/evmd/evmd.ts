/** Cosmos EVM's example chain as an implementation of `app/application.ts`. */
import type { Engine } from '../../evm/engine.ts'
import { hasQuirk } from '../../settings/quirks.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Application } from '../application.ts'
import { createDraft } from '../draft.ts'
import type { EthereumView } from '../ethereumView.ts'
import { addressTexts } from './address.ts'
import { checkTx } from './checkTx.ts'
import type { Fixed } from './context.ts'
import { editState } from './edit.ts'
import { learnFacts } from './learn.ts'
import { ethereumView } from './ethereumView.ts'
import { commit, finalizeBlock } from './finalizeBlock.ts'
import { initChain } from './initChain.ts'
import { prepareProposal } from './prepareProposal.ts'
import { upgradeNeeded } from './modules/upgrade/upgrade.ts'
import { callService, query } from './query.ts'
import { findHandler } from './messages.ts'

/** Returns the application and its view for Ethereum JSON-RPC. */
export function createEvmd({
  engine,
  settings,
}: {
  readonly engine: Engine
  readonly settings: Pick<
    Settings,
    'evmChainId' | 'bech32Prefix' | 'mempoolMaxTxs' | 'evmMinTip' | 'unlimitedCode' | 'quirks'
  >
}): { readonly application: Application; readonly ethereum: EthereumView } {
  const fixed: Fixed = {
    engine,
    evmChainId: BigInt(settings.evmChainId),
    addressTexts: addressTexts(settings.bech32Prefix),
    checksNothingFirst: hasQuirk(settings, 'empty-first-checks'),
    coinbaseIsText: hasQuirk(settings, 'coinbase-ascii'),
    coinbaseIsCold: hasQuirk(settings, 'coinbase-cold'),
    dropsFailedDelegations: hasQuirk(settings, 'failed-delegations-dropped'),
    keepsFundedAccounts: hasQuirk(settings, 'funded-constructor-cannot-end'),
    tracesKeepNonce: hasQuirk(settings, 'trace-nonce-kept'),
    overridesHidePrecompiles: hasQuirk(settings, 'overrides-hide-precompiles'),
    panicsOnLegacyProposals: hasQuirk(settings, 'legacy-proposals-panic'),
    simulatesWithoutFee: hasQuirk(settings, 'fee-left-out-of-simulation'),
    requiresLastFee: hasQuirk(settings, 'last-fee-required'),
    usesEvmMempool: settings.mempoolMaxTxs >= 0,
    minTip: BigInt(settings.evmMinTip),
    hasUnlimitedCode: settings.unlimitedCode,
    route: findHandler,
  }
  return { application: applicationOf(fixed), ethereum: ethereumView(fixed) }
}

function applicationOf(fixed: Fixed): Application {
  return {
    name: 'evmd',
    info: ({ height, appHash }) => ({
      data: 'evmd',
      version: '',
      appVersion: 0n,
      lastBlockHeight: height,
      lastBlockAppHash: appHash,
    }),
    initChain: (request) => initChain(fixed, request),
    checkTx: (state, tx, kind) => checkTx(fixed, state, tx, kind),
    prepareProposal: (state, request) => prepareProposal(fixed, state, request),
    halted: (state) => upgradeNeeded({ store: createDraft(state).raw }, state.height + 1n),
    finalizeBlock: (state, request) => finalizeBlock(fixed, state, request),
    commit,
    query: (state, request, context) => query(fixed, state, request, context),
    callService: (state, request, context) => callService(fixed, state, request, context),
    edit: (state, edits) => editState(fixed, state, edits),
    learn: (state, facts) => learnFacts({ fixed }, state, facts),
  }
}
