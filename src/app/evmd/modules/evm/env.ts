/** The block as the EVM sees it (cosmos-evm-rpc.md §7.5). */
import type { EvmEnv, EvmRelax } from '../../../../evm/types.ts'
import type { BlockContext } from '../../../state.ts'
import { operatorText } from '../../address.ts'
import { blockGasLimit, consensusParams } from '../../consensus.ts'
import type { Context } from '../../context.ts'
import { accessFor } from './access.ts'
import { baseFeeOf } from '../feemarket/baseFee.ts'
import { operatorOfConsensus } from '../staking/validators.ts'

const memoryLimitBytes = 256 * 1024 * 1024

// The engine is told a block once, and recognizes it by the identity of its environment
// (`evm/run.ts`).
const latest = new WeakMap<BlockContext, { readonly of: readonly unknown[]; env: EvmEnv }>()

/** A call pays no fee and has no signature, but the sender needs the value it transfers. */
export const callRelax = {
  nonce: true,
  fees: true,
  baseFee: true,
  senderCode: true,
  blockGasLimit: true,
  nonceBump: true,
} as const satisfies EvmRelax

/**
 * Returns the EVM environment of the context's block for a signer; the same object for the same values, unless the
 * chain has access lists.
 */
export function evmEnv(context: Context, relax: EvmRelax, signer: Uint8Array): EvmEnv {
  const env = blockEnv(context, relax)
  const access = accessFor(context, signer)
  return access === undefined ? env : { ...env, access }
}

function blockEnv(context: Context, relax: EvmRelax): EvmEnv {
  const { fixed, block, draft } = context
  const of = [fixed, relax, consensusParams(context), baseFeeOf(context), draft.contents('staking')]
  const known = latest.get(block)
  if (known?.of.every((each, index) => each === of[index]) === true) return known.env
  const env = newEnv(context, relax)
  latest.set(block, { of, env })
  return env
}

function newEnv(context: Context, relax: EvmRelax): EvmEnv {
  return {
    fork: 'prague',
    chainId: context.fixed.evmChainId,
    height: context.block.height,
    timestampSeconds: context.block.timeSeconds,
    coinbase: context.block.evm?.coinbase ?? coinbaseOf(context),
    coldCoinbase: context.fixed.coinbaseIsCold,
    prevRandao: context.block.evm?.prevRandao ?? new Uint8Array(32).fill(255),
    blockGasLimit: blockGasLimit(consensusParams(context).block.maxGas),
    baseFee: baseFeeOf(context),
    blobBaseFee: undefined,
    relax: context.fixed.hasUnlimitedCode ? { ...relax, codeSize: true } : relax,
    memoryLimitBytes,
  }
}

/**
 * Returns the operator of the proposer. With quirk `coinbase-ascii`, returns the last 20 characters
 * of its bech32 address as bytes, as the node does.
 */
function coinbaseOf(context: Context): Uint8Array {
  const operator = operatorOfConsensus(context, context.block.proposerAddress)
  if (operator === undefined) return new Uint8Array(20)
  if (!context.fixed.coinbaseIsText) return operator
  return new TextEncoder().encode(operatorText(context, operator)).slice(-20)
}
