/** The functions of evmd behind Ethereum JSON-RPC: pure reads on the state of any height. */
import type { EthereumAccount, EthereumContent, EthereumView, EvmParams } from '../ethereumView.ts'
import { toBinaryString } from '../../data/binaryString.ts'
import { recentMap, remembered } from '../../data/remembered.ts'
import { createDraft } from '../draft.ts'
import type { AppState, BlockContext } from '../state.ts'
import { type Context, type Fixed, newContext } from './context.ts'
import { previewBlock } from './finalizeBlock.ts'
import { runCall } from './ethereum/call.ts'
import { estimateGas } from './ethereum/estimate.ts'
import { intrinsicGas } from './ethereum/intrinsicGas.ts'
import { recoverAuthorization, recoverTx } from './ethereum/recover.ts'
import { runSeries } from './ethereum/series.ts'
import { blockTraces, traceCall } from './ethereum/trace.ts'
import { unwrapTx, wrapTx } from './ethereum/wrap.ts'
import { baseFeeAfter, inWei } from './modules/feemarket/baseFee.ts'
import { getFeemarketParams } from './modules/feemarket/params.ts'
import { isImpersonated } from './impersonation.ts'
import { allAccounts } from './modules/auth/accounts.ts'
import { evmCoin } from './evmCoin.ts'
import { getEvmAccount } from './modules/evm/state.ts'
import { operatorOfConsensus } from './modules/staking/validators.ts'
import { allCodes, allSlots, emptyCodeHash, getCode, getCodeHash, getSlot } from './modules/evm/store.ts'

/** Returns the view. */
export function ethereumView(fixed: Fixed): EthereumView {
  const on = (state: AppState, block: BlockContext = state.transient.header): Context =>
    newContext({ fixed, draft: createDraft(state), block, mode: 'query' })
  const read = reader(on)
  /** Returns a context for a run that undoes its changes, which shares what other reads have found. */
  const over = (state: AppState, block: BlockContext): Context => {
    if (state.forked !== undefined) return on(state, block)
    const shared = read(state)
    return block === state.transient.header ? shared : newContext({ fixed, draft: shared.draft, block, mode: 'query' })
  }
  const paramsIn = remembered((state: AppState) => paramsOf(on(state)), statesMost)
  const accounts = remembered((_: AppState) => recentMap<string, EthereumAccount>(readsMost), statesMost)
  return {
    account: (state, address) => {
      if (state.forked !== undefined) return accountIn(read(state), address)
      const key = toBinaryString(address)
      const known = accounts(state)
      const found = known.get(key)
      if (found !== undefined) return found
      const account = accountIn(read(state), address)
      known.set(key, account)
      return account
    },
    code: (state, address) => {
      const context = read(state)
      return getCode(context, getCodeHash(context, address))
    },
    codes: (state) => allCodes(on(state)),
    slot: (state, address, key) => getSlot(read(state), address, key) ?? new Uint8Array(32),
    slots: (state, address) => allSlots(on(state), address),
    params: (state) => (state.forked === undefined ? paramsIn(state) : paramsOf(on(state))),
    accounts: (state) => contentsOf(on(state)),
    decode: recoverTx,
    recoverAuthorization,
    intrinsicGas,
    wrap: (state, tx) => wrapTx({ fixed }, tx, evmCoin(read(state)).extendedDenom),
    unwrap: unwrapTx,
    call: (state, call) => runCall(over(state, call.context), call),
    series: (state, blocks) => runSeries(on(state), blocks),
    estimate: (state, call) => estimateGas(over(state, call.context), call),
    trace: (state, call) => traceCall(on(state, call.context), call),
    blockTraces: (asked) => {
      const { state, block, ...traces } = asked()
      return blockTraces(on(state, block), traces)
    },
    operatorOf: (state, consensusAddress) => operatorOfConsensus(read(state), consensusAddress) ?? new Uint8Array(20),
    isImpersonated,
    nextBaseFee: (state) => baseFeeAfter(read(state)),
    preview: (state, request) => previewBlock(fixed, state, request),
  }
}

function accountIn(context: Context, address: Uint8Array): EthereumAccount {
  const account = getEvmAccount(context, address, evmCoin(context))
  if (account === undefined) return { wei: 0n, nonce: 0n, codeHash: emptyCodeHash, exists: false }
  const { balance: wei, nonce, codeHash } = account
  return { wei, nonce, codeHash, exists: true }
}

/** How many states keep what was read of them, and how many reads one of them keeps at most. */
const [statesMost, readsMost] = [16, 1000]

/**
 * Returns a function that returns a context for reads that write nothing. Reads of the same stores and
 * edits share one, so that an entry is looked up and decoded once. On a fork each read has its own,
 * which notes the entries to fetch.
 */
function reader(on: (state: AppState) => Context): (state: AppState) => Context {
  const shared = remembered(
    (_stores: AppState['committed']): { state?: AppState; context?: Context; reads: number } => {
      return { reads: 0 }
    },
    statesMost,
  )
  return (state) => {
    if (state.forked !== undefined) return on(state)
    const known = shared(state.committed)
    known.reads += 1
    const { state: of, context } = known
    const isSame = of !== undefined && of.edits === state.edits && of.transient === state.transient
    if (isSame && context !== undefined && known.reads <= readsMost) return context
    const made = on(state)
    Object.assign(known, { state, context: made, reads: 0 })
    return made
  }
}

function* contentsOf(context: Context): Generator<EthereumContent> {
  const coin = evmCoin(context)
  for (const { address, module } of allAccounts(context)) {
    if (address.length !== 20) continue
    const account = module === undefined ? getEvmAccount(context, address, coin) : undefined
    if (account === undefined) continue
    const { balance: wei, nonce, codeHash } = account
    yield {
      address,
      wei,
      nonce,
      code: getCode(context, codeHash),
      slots: allSlots(context, address),
    }
  }
}

function paramsOf(context: Context): EvmParams {
  const fees = getFeemarketParams(context)
  return {
    chainId: context.fixed.evmChainId,
    coin: evmCoin(context),
    fork: 'prague',
    minGasPrice: inWei(context, fees.minGasPrice),
    minGasMultiplier: fees.minGasMultiplier,
    elasticityMultiplier: fees.elasticity,
    baseFeeChangeDenominator: fees.denominator,
    noBaseFee: fees.noBaseFee,
  }
}
