/** Runs messages on a state without keeping changes: calls, estimate probes, traces (§2.5). */
import { toBinaryString } from '../../../data/binaryString.ts'
import { keccak256 } from '../../../crypto/hash.ts'
import type { EvmEnv, EvmRelax, EvmOptions, EvmRead, EvmResult, EvmTx, HostPrecompiles } from '../../../evm/types.ts'
import type { BlockOverride, EthereumCall, StateOverride } from '../../ethereumView.ts'
import { floorGas } from './intrinsicGas.ts'
import type { Context } from '../context.ts'
import { callRelax, evmEnv } from '../modules/evm/env.ts'
import { deniedResult } from './permissions.ts'
import { evmRead, withAccount } from '../modules/evm/state.ts'
import { evmCoin } from '../evmCoin.ts'
import { emptyCodeHash } from '../modules/evm/store.ts'
import { hostPrecompiles } from '../precompiles/host.ts'

/** Returns the result of a message. Throws `GoPanic` as `Hosted.explain` does. */
export function runCall(context: Context, call: EthereumCall): EvmResult {
  return runIn(context, call, surroundingsOf(context, call))
}

/**
 * Returns the result of a message that is run as a transaction: the sender exists and its nonce has
 * been raised, so the sender can authorize its own delegation (EIP-7702). Throws as `runCall` does.
 */
export function runAsTx(context: Context, call: EthereumCall): EvmResult {
  const { env, read } = surroundingsOf(context, call)
  return runIn(context, call, { env, read: call.tx.to === undefined ? read : raisedNonce(read, call.tx.from) })
}

function raisedNonce(read: EvmRead, sender: Uint8Array): EvmRead {
  return withAccount(read, sender, (account) => ({
    balance: 0n,
    codeHash: emptyCodeHash,
    ...account,
    nonce: (account?.nonce ?? 0n) + 1n,
  }))
}

function runIn(context: Context, call: EthereumCall, { env, read }: Surroundings): EvmResult {
  const tx = limitedTx(call)
  const denied = deniedResult(env, tx)
  if (denied !== undefined) return denied
  const hosted = hostPrecompiles(context, read, evmCoin(context))
  const options = hostOptions(context, hosted.host, call)
  try {
    const result = context.fixed.engine.execute(env, tx, hosted.read, options)
    return worded(tx, hosted.explain(tx, result))
  } finally {
    hosted.undo()
  }
}

/**
 * Returns the options with the precompiles that a call sees. As with Ethereum's own precompiles, an
 * overridden address is no longer a precompile. With quirk `overrides-hide-precompiles`, any
 * override hides all of them.
 */
export function hostOptions(
  context: Context,
  host: HostPrecompiles,
  { overrides, slice }: Pick<EthereumCall, 'overrides' | 'slice'>,
): EvmOptions {
  const sliced = slice === undefined ? {} : { slice }
  // The engine recognizes the addresses that it knows by their list.
  if (overrides.length === 0) return slice === undefined ? { host } : { host, slice }
  if (context.fixed.overridesHidePrecompiles) return sliced
  const overridden = new Set(overrides.map(({ address }) => toBinaryString(address)))
  const addresses = host.addresses.filter((one) => !overridden.has(toBinaryString(one)))
  return { host: { ...host, addresses }, ...sliced }
}

/**
 * Returns the result with the node's error text for a message whose gas does not cover its data.
 */
export function worded(tx: EvmTx, result: EvmResult): EvmResult {
  const kind = result.reason?.kind
  if (kind === 'CallGasCostMoreThanGasLimit') {
    return { ...result, reason: { kind, detail: 'apply message: intrinsic gas too low' } }
  }
  if (kind !== 'GasFloorMoreThanGasLimit') return result
  const detail = `insufficient gas for floor data gas cost: have ${tx.gasLimit}, want ${floorGas(tx)}`
  return { ...result, reason: { kind, detail } }
}

type Surroundings = { readonly env: EvmEnv; readonly read: EvmRead }

/** Returns the block and the state in which a call runs, with its overrides applied; `relax` says what is not checked. */
export function surroundingsOf(
  context: Context,
  { overrides, blockOverride, tx }: EthereumCall,
  relax: EvmRelax = callRelax,
): Surroundings {
  const coin = evmCoin(context)
  const block = evmEnv(context, relax, tx.from)
  const state = evmRead(context, coin)
  // The engine recognizes the block that it knows by this object.
  if (overrides.length === 0 && Object.keys(blockOverride).length === 0) return { env: block, read: state }
  const env = overriddenEnv({ ...block, movedPrecompiles: movedBy(overrides) }, blockOverride)
  return { env, read: overriddenRead(state, overrides) }
}

/** An overridden address loses its precompile, whichever override applies to it. */
export function movedBy(overrides: readonly StateOverride[]) {
  return overrides.map(({ address: from, movePrecompileTo: to }) => ({ from, to }))
}

const mostPrice = (1n << 128n) - 1n

/**
 * Returns the transaction with its gas limited by the API's gas cap and the call's time budget
 * (design §10).
 */
export function limitedTx({ tx, gasCap, gasBudget }: EthereumCall): EvmTx {
  let gasLimit = gasCap > 0n && tx.gasLimit > gasCap ? gasCap : tx.gasLimit
  if (gasBudget !== undefined && gasLimit > gasBudget) gasLimit = gasBudget
  // Nobody pays, so any price above the engine's maximum is replaced by that maximum.
  const capped = (price: bigint): bigint => (price < mostPrice ? price : mostPrice)
  const { priorityFee } = tx
  return {
    ...tx,
    gasLimit,
    gasPrice: capped(tx.gasPrice),
    priorityFee: priorityFee === undefined ? undefined : capped(priorityFee),
  }
}

function overriddenEnv(env: EvmEnv, override: BlockOverride): EvmEnv {
  return {
    ...env,
    height: override.height ?? env.height,
    timestampSeconds: override.timestampSeconds ?? env.timestampSeconds,
    blockGasLimit: override.gasLimit ?? env.blockGasLimit,
    coinbase: override.coinbase ?? env.coinbase,
    baseFee: override.baseFee ?? env.baseFee,
    blobBaseFee: override.blobBaseFee ?? env.blobBaseFee,
    prevRandao: override.prevRandao ?? env.prevRandao,
  }
}

function overriddenRead(read: EvmRead, overrides: readonly StateOverride[]): EvmRead {
  if (overrides.length === 0) return read
  const byAddress = new Map(overrides.map((each) => [toBinaryString(each.address), each]))
  const codes = new Map<string, Uint8Array>()
  for (const { code } of overrides) {
    if (code !== undefined) codes.set(toBinaryString(keccak256(code)), code)
  }
  return {
    ...read,
    account: (address) => {
      const own = byAddress.get(toBinaryString(address))
      const account = read.account(address)
      if (own === undefined) return account
      return {
        balance: own.balance ?? account?.balance ?? 0n,
        nonce: own.nonce ?? account?.nonce ?? 0n,
        codeHash: own.code === undefined ? (account?.codeHash ?? emptyCodeHash) : keccak256(own.code),
      }
    },
    slot: (address, key) => {
      const own = byAddress.get(toBinaryString(address))
      const wanted = toBinaryString(key)
      const entries = own?.state ?? own?.stateDiff
      const found = entries?.find(([slot]) => toBinaryString(slot) === wanted)
      if (found !== undefined) return found[1]
      return own?.state === undefined ? read.slot(address, key) : undefined
    },
    code: (hash) => codes.get(toBinaryString(hash)) ?? read.code(hash),
  }
}
