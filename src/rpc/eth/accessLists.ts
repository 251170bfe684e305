/** Access lists of messages. */
import type { AppState } from '../../app/state.ts'
import type { BlockRef } from '../../codec/blockRef.ts'
import { encodeEthTx } from '../../codec/ethTx.ts'
import type { Json } from '../../codec/goJson.ts'
import type { PlainObject } from '../../codec/goJsonWrite.ts'
import { hexOf, quantityOf } from '../../codec/hex.ts'
import { keccak256 } from '../../crypto/hash.ts'
import { equalBytes } from '../../data/bytes.ts'
import type { AccessListEntry, EvmResult } from '../../evm/types.ts'
import { accessListJson } from '../../feed/ethShapes.ts'
import { hasQuirk } from '../../settings/quirks.ts'
import type { Context } from '../method.ts'
import { callOf, failureText } from './calls.ts'
import { aboveHead, grpcText, handlerCrashed, serverError } from './errors.ts'
import { fillTx } from './fill.ts'
import { ethereumOf, stateOf } from './lookup.ts'
import { isPrecompile, stateOverrides } from './overrides.ts'
import { revertText } from './revert.ts'
import type { TxArgs } from './txArgs.ts'

type Where = { readonly at: BlockRef; readonly given: Json | undefined }

/**
 * Returns what `eth_createAccessList` answers: as the node, the list it was given without sender,
 * receiver and precompiles, and the gas charged (`cosmos-evm-rpc.md` §2.5).
 */
export function createAccessList(
  context: Context, args: TxArgs, { at, given }: Where,
): PlainObject {
  const isCrashing = args.from === undefined && args.nonce === undefined
  if (isCrashing && hasQuirk(context.node.settings, 'handler-crashes')) throw handlerCrashed()
  const state = stateOf(context, at, aboveHead.comet)
  const tx = fillTx(context, { ...args, gasPrice: undefined })
  const fail = (text: string): never => {
    const hash = hexOf(keccak256(encodeEthTx(fillTx(context, args))))
    throw serverError(`failed to apply transaction: ${hash} err: ${text}`)
  }
  if (args.gasPrice !== undefined) {
    fail(
      grpcText(
        'InvalidArgument', 'both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified',
      )
    )
  }
  const result = run(context, state, { args: { ...args, gas: tx.gas }, given })
  if (result.status === 'revert') fail(revertText(result.output))
  if (result.status !== 'success') fail(
    grpcText('Internal', failureText(result))
  )
  return {
    accessList: accessListJson(listed(args)),
    gasUsed: quantityOf(chargedGas(context, result, tx.gas)),
  }
}

function run(
  context: Context, state: AppState, { args, given }: { args: TxArgs; given: Json | undefined },
): EvmResult {
  return ethereumOf(context).call(
    state, callOf(context, state, { args, overrides: stateOverrides(given) }),
  )
}

// At least half of the limit is charged, as for a real transaction (cosmos-evm-rpc.md §7.2).
function chargedGas(context: Context, { gasUsed }: EvmResult, limit: bigint): bigint {
  const { minGasMultiplier } = ethereumOf(context).params(context.node.chain.app)
  const least = limit * minGasMultiplier / 10n ** 18n
  return gasUsed > least ? gasUsed : least
}

function listed(args: TxArgs): { address: Uint8Array; storageKeys: readonly Uint8Array[] }[] {
  const authorities = (args.authorizationList ?? []).map((each) => each.address)
  const left = [args.from, args.to, ...authorities].filter((each) => each !== undefined)
  const isLeft = ({ address }: AccessListEntry): boolean =>
    isPrecompile(address) || left.some((each) => equalBytes(each, address))
  // Slots bring their address back in, as in geth's tracer.
  return (args.accessList ?? []).filter((entry) => !isLeft(entry) || entry.slots.length > 0)
    .map(({ address, slots }) => ({ address, storageKeys: slots }))
}
