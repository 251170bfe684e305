/** Builds access lists for messages. */
import { maxUint64 } from '../../codec/goIntegers.ts'
import type { StateOverride } from '../../app/ethereumView.ts'
import type { AppState } from '../../app/state.ts'
import type { BlockRef } from '../../codec/blockRef.ts'
import { encodeEthTx, type EthAuthorization } from '../../codec/ethTx.ts'
import { parseJson, type Json } from '../../codec/goJson.ts'
import type { PlainObject } from '../../codec/goJsonWrite.ts'
import { bytesOfHex, hexOf, quantityOf } from '../../codec/hex.ts'
import { keccak256 } from '../../crypto/hash.ts'
import { equalBytes } from '../../data/bytes.ts'
import type { AccessListEntry, EvmResult } from '../../evm/types.ts'
import { accessListJson } from '../../feed/ethShapes.ts'
import { hasQuirk } from '../../settings/quirks.ts'
import { RpcError } from '../errors.ts'
import type { Context } from '../method.ts'
import { callOf, gasCapOf, failureText } from './calls.ts'
import { aboveHead, grpcText, checkCrash, serverError } from './errors.ts'
import { fillTx } from './fill.ts'
import { ethereumOf, stateOfRef } from './lookup.ts'
import { stateOverrides } from './overrides.ts'
import { isPrecompile } from '../../app/stateOverrides.ts'
import { revertText } from './revert.ts'
import type { TxArgs } from '../../app/txArgs.ts'

type Where = { readonly at: BlockRef; readonly given: Json | undefined }

/**
 * Returns the result of `eth_createAccessList`: the slots and addresses that the message touches
 * (EIP-2930), without sender, receiver and precompiles. Under the quirk `access-list-echoed` it is
 * the given list, and a gas price is refused, as on the node. The gas is that charged with the list
 * (`cosmos-evm-rpc.md` §2.5).
 */
export function createAccessList(context: Context, args: TxArgs, { at, given }: Where): PlainObject {
  checkCrash(context, args.from === undefined && args.nonce === undefined)
  const state = stateOfRef(context, at, aboveHead.comet)
  const refused = (text: string, overrides: readonly StateOverride[]): RpcError => {
    const hash = hexOf(keccak256(encodeEthTx(fillTx(context, args, { state, overrides }))))
    return serverError(`failed to apply transaction: ${hash} err: ${text}`)
  }
  const overrides = overridesOr(given, (text) => refused(text, []))
  const tx = fillTx(context, { ...args, gasPrice: undefined }, { state, overrides })
  const authorizations = args.authorizationList ?? []
  if (BigInt(authorizations.length) > tx.gas / newAccountGas) {
    throw serverError('insufficient gas to process all authorizations')
  }
  const authorities = authoritiesOf(context, state, authorizations)
  const isEchoed = hasQuirk(context.node.settings, 'access-list-echoed')
  if (isEchoed && args.gasPrice !== undefined) {
    const text = 'both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified'
    throw refused(grpcText('InvalidArgument', text), overrides)
  }
  const without = { args: { ...args, gas: tx.gas }, overrides, authorities, isEstimated: args.gas === undefined }
  const list = isEchoed ? listed(args, authorities) : touched(context, state, without)
  const call = isEchoed ? without : withList(without, list)
  const result = run(context, state, call)
  if (result.status === 'revert') throw refused(revertText(result.output), overrides)
  if (result.status !== 'success') throw refused(grpcText('Internal', failureText(result)), overrides)
  return {
    accessList: accessListJson(list.map(({ address, slots }) => ({ address, storageKeys: slots }))),
    gasUsed: quantityOf(gasOfAccessList(context, result, call.args.gas)),
  }
}

type Message = {
  readonly args: TxArgs & { readonly gas: bigint }
  readonly overrides: readonly StateOverride[]
  readonly authorities: readonly Uint8Array[]
  readonly isEstimated: boolean
}

/** Returns decoded overrides, or throws what `refused` returns for the node's error about them. */
function overridesOr(given: Json | undefined, refused: (text: string) => RpcError): readonly StateOverride[] {
  try {
    return stateOverrides(given)
  } catch (error) {
    throw error instanceof RpcError ? refused(error.message) : error
  }
}

/** What an authorization of a new account costs at most (EIP-7702). */
const newAccountGas = 25_000n

/** Returns who signed the authorizations that could be valid on this chain. */
function authoritiesOf(context: Context, state: AppState, signed: readonly EthAuthorization[]): readonly Uint8Array[] {
  const view = ethereumOf(context)
  const { chainId: own } = view.params(state)
  const known = signed.filter(({ chainId, nonce }) => (chainId === 0n || chainId === own) && nonce < maxUint64)
  return known.flatMap((each) => view.recoverAuthorization(each).authority ?? [])
}

/** Gas of a listed address and a listed slot, paid before the first instruction (EIP-2930). */
const [addressGas, slotGas] = [2400n, 1900n]

/**
 * Returns the message with an access list. An estimated gas limit grows by the cost of the list.
 */
function withList(message: Message, accessList: readonly AccessListEntry[]): Message {
  const { args, isEstimated } = message
  const extra = isEstimated ? listGas(accessList) - listGas(args.accessList ?? []) : 0n
  const gas = extra > 0n ? args.gas + extra : args.gas
  return { ...message, args: { ...args, accessList, gas } }
}

function listGas(list: readonly AccessListEntry[]): bigint {
  return list.reduce((sum, { slots }) => sum + addressGas + slotGas * BigInt(slots.length), 0n)
}

function run(context: Context, state: AppState, { args, overrides }: Message): EvmResult {
  return ethereumOf(context).call(state, callOf(context, state, { args, overrides }))
}

// At least half of the limit, which the gas cap lowers, is charged as for a real transaction
// (cosmos-evm-rpc.md §7.2).
function gasOfAccessList(context: Context, { gasPeak, refund }: EvmResult, asked: bigint): bigint {
  // EIP-7623's floor applies to the limit only.
  const gasUsed = gasPeak - refund
  const { minGasMultiplier } = ethereumOf(context).params(context.node.chain.app)
  const cap = gasCapOf(context)
  const limit = asked < cap ? asked : cap
  const least = (limit * minGasMultiplier) / 10n ** 18n
  return gasUsed > least ? gasUsed : least
}

/** Returns the given list without entries that are warm anyway and have no slots. */
function listed(args: TxArgs, others: readonly Uint8Array[]): readonly AccessListEntry[] {
  const left = [args.from, args.to, ...others].filter((each) => each !== undefined)
  const isLeft = ({ address }: AccessListEntry): boolean =>
    isPrecompile(address) || left.some((each) => equalBytes(each, address))
  // An entry with slots stays even if its address is warm, as in geth's tracer.
  return (args.accessList ?? []).filter((entry) => !isLeft(entry) || entry.slots.length > 0)
}

/** Most rounds until the list is stable; geth has no limit. */
const mostRounds = 8

/**
 * Returns what the message touches when executed with that list. Accounts that do not exist are
 * omitted.
 */
function touched(context: Context, state: AppState, message: Message): readonly AccessListEntry[] {
  let list = listed(message.args, message.authorities)
  for (let round = 0; round < mostRounds; round++) {
    const next = touchedWith(context, state, withList(message, list))
    const isStable = sizeOf(next) === sizeOf(list)
    list = next
    if (isStable) break
  }
  return list
}

function touchedWith(
  context: Context,
  state: AppState,
  { args, overrides, authorities }: Message,
): readonly AccessListEntry[] {
  const call = callOf(context, state, { args, overrides })
  const view = ethereumOf(context)
  const { evm, proposerAddress } = call.context
  const coinbase = evm?.coinbase ?? view.operatorOf(state, proposerAddress)
  const json = parseJson(
    view.trace(state, {
      context: call.context,
      call,
      tracer: 'prestateTracer',
      config: '',
    }),
  )
  const seen =
    json.type === 'object'
      ? json.members.map(([key, account]) => ({
          address: bytesOfHex(key),
          slots: slotsOf(account),
        }))
      : []
  const all = merged([...(args.accessList ?? []), ...seen])
  return listed({ ...args, accessList: all }, [coinbase, ...authorities])
}

function slotsOf(account: Json): readonly Uint8Array[] {
  const storage = account.type === 'object' ? account.members.find(([key]) => key === 'storage')?.[1] : undefined
  return storage?.type === 'object' ? storage.members.map(([key]) => bytesOfHex(key)) : []
}

/** Merges entries: each address once and each of its slots once, in byte order. */
function merged(entries: readonly AccessListEntry[]): readonly AccessListEntry[] {
  const byAddress = new Map<string, Set<string>>()
  for (const { address, slots } of entries) {
    const key = hexOf(address)
    const known = byAddress.get(key) ?? new Set<string>()
    for (const slot of slots) known.add(hexOf(slot))
    byAddress.set(key, known)
  }
  return [...byAddress]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, slots]) => ({ address: bytesOfHex(key), slots: [...slots].sort().map((slot) => bytesOfHex(slot)) }))
}

function sizeOf(list: readonly AccessListEntry[]): number {
  return list.reduce((sum, { slots }) => sum + 1 + slots.length, 0)
}
