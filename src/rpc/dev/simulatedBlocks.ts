/**
 * The simulated blocks of `eth_simulateV1`, by geth's rules (`internal/ethapi/simulate.go`): calls
 * share the gas of their block, and a call that no block could contain is an error.
 */
import type { BlockOverride, CallBlock, CallBlockEnd } from '../../app/ethereumView.ts'
import type { AppState } from '../../app/state.ts'
import { inputOf, txArgs, type TxArgs } from '../../app/txArgs.ts'
import type { EthereumTx, ShownBlock } from '../../chain/block.ts'
import { pendingBlock } from '../../chain/pendingBlock.ts'
import { latestBlock } from '../../chain/view.ts'
import type { BlockRef } from '../../codec/blockRef.ts'
import { array, bool, object, optional, type Codec } from '../../codec/codec.ts'
import { encodeEthTx } from '../../codec/ethTx.ts'
import type { Json } from '../../codec/goJson.ts'
import type { PlainObject } from '../../codec/goJsonWrite.ts'
import { hexOf, quantityOf } from '../../codec/hex.ts'
import { keccak256 } from '../../crypto/hash.ts'
import { canonicalJson } from '../../data/canonicalJson.ts'
import { assert } from '../../errors.ts'
import type { EvmResult } from '../../evm/types.ts'
import { blockJson, logJson } from '../../feed/ethShapes.ts'
import { RpcError } from '../errors.ts'
import { callOf, failureText } from '../eth/calls.ts'
import { aboveHead, codes, serverError } from '../eth/errors.ts'
import { typedTx } from '../eth/fill.ts'
import { blockOf, ethereumOf, stateOfRef } from '../eth/lookup.ts'
import { blockOverride, rawOverrides, stateOverrides } from '../eth/overrides.ts'
import { revertText } from '../eth/revert.ts'
import type { Context } from '../method.ts'

type Wanted = {
  readonly blockOverrides: BlockOverride | undefined
  readonly stateOverrides: Json | undefined
  readonly calls: readonly TxArgs[] | undefined
}

const wanted: Codec<Wanted> = object<Wanted>(
  {
    blockOverrides: blockOverride,
    stateOverrides: rawOverrides,
    calls: optional(array(txArgs, '[]TransactionArgs')),
  },
  { goType: 'simBlock' },
)

type Options = {
  readonly blockStateCalls: readonly Wanted[]
  readonly traceTransfers: boolean | undefined
  readonly validation: boolean | undefined
  readonly returnFullTransactions: boolean | undefined
}

/** Codec of the blocks to simulate, with geth's names. */
export const simulated: Codec<Options> = object<Options>(
  {
    blockStateCalls: array(wanted, '[]simBlock'),
    traceTransfers: optional(bool),
    validation: optional(bool),
    returnFullTransactions: optional(bool),
  },
  { goType: 'simOpts' },
)

/** A block to simulate with all that is known before it runs. */
type Plan = {
  readonly given: Wanted
  readonly hash: Uint8Array
  readonly parent: Uint8Array
  readonly block: BlockOverride & {
    readonly height: bigint
    readonly timestampSeconds: bigint
    readonly gasLimit: bigint
  }
}

/** Returns the JSON of the simulated blocks. Throws geth's error for one that is not possible. */
export function simulate(context: Context, [options, at]: readonly [Options, BlockRef]): readonly PlainObject[] {
  const state = stateOfRef(context, at, aboveHead.header)
  const base = baseOf(context, at)
  const plans = plansOf(base, state, options)
  const blocks = plans.map((plan) => blockToRun(context, state, plan, options))
  const view = ethereumOf(context)
  const ends = view.series(state, blocks)
  const { chainId } = view.params(state)
  return plans.flatMap((plan, index) => {
    const end = ends[index]
    return end === undefined ? [] : [simulatedJson(base, plan, { end, chainId, options })]
  })
}

function baseOf(context: Context, at: BlockRef): ShownBlock {
  const { world, node, caller } = context
  const { chain } = node
  const base = blockOf(context, at) ?? latestBlock(chain) ?? pendingBlock(world, chain, caller.timeMs)?.shown
  if (base === undefined) throw serverError('header not found')
  return base
}

/** As in geth, so that a request cannot ask for any number of blocks. */
const blocksMost = 256n

/**
 * Returns the plans of all blocks. Gaps between their numbers become empty blocks. A block is one
 * second after the previous one unless its overrides set the time.
 */
function plansOf({ ethereum }: ShownBlock, { transient: { header } }: AppState, options: Options): readonly Plan[] {
  const plans: Plan[] = []
  const { height, timeSeconds, hash: parent } = header
  let last = {
    hash: parent,
    block: { height, timestampSeconds: timeSeconds, gasLimit: ethereum.gasLimit, coinbase: ethereum.miner },
  }
  const add = (given: Wanted, overrides: BlockOverride): void => {
    // Base fee and randomness are those of one block; gas limit and miner are inherited (geth).
    const { gasLimit, coinbase } = last.block
    const next = { height: last.block.height + 1n, timestampSeconds: last.block.timestampSeconds + 1n }
    const block = { gasLimit, coinbase, ...next, ...overrides }
    if (block.timestampSeconds <= last.block.timestampSeconds) {
      const text = `block timestamps must be in order: ${block.timestampSeconds} <= ${last.block.timestampSeconds}`
      throw new RpcError(-38021, text)
    }
    // What a block does follows from its parent and its plan.
    const text = canonicalJson({ parent: last.hash, block, given, isValidated: options.validation === true })
    const hash = keccak256(new TextEncoder().encode(text))
    plans.push({ given, hash, parent: last.hash, block })
    last = { hash, block }
  }
  for (const given of options.blockStateCalls) {
    const number = given.blockOverrides?.height ?? last.block.height + 1n
    if (number <= last.block.height) {
      throw new RpcError(-38020, `block numbers must be in order: ${number} <= ${last.block.height}`)
    }
    if (number - height > blocksMost) throw new RpcError(-38026, 'too many blocks')
    while (last.block.height + 1n < number) add(emptyBlock, {})
    add(given, given.blockOverrides ?? {})
  }
  return plans
}

const emptyBlock: Wanted = { blockOverrides: undefined, stateOverrides: undefined, calls: undefined }

function blockToRun(context: Context, state: AppState, { given, hash, block }: Plan, options: Options): CallBlock {
  const { calls = [] } = given
  return {
    overrides: stateOverrides(given.stateOverrides),
    calls: calls.map((args) => {
      checkTip(args)
      return callOf(context, state, { args })
    }),
    rules: {
      hash,
      block,
      isValidated: options.validation === true,
      logsTransfers: options.traceTransfers === true,
      asked: calls.map(({ gas, nonce }) => ({ gas, nonce })),
    },
  }
}

function checkTip({ maxFeePerGas = 0n, maxPriorityFeePerGas: tip = 0n }: TxArgs): void {
  if (tip <= maxFeePerGas) return
  const text = `max priority fee per gas higher than max fee per gas: tip ${tip}, cap ${maxFeePerGas}`
  throw new RpcError(codes.invalidParams, text)
}

type Ran = { readonly end: CallBlockEnd; readonly chainId: bigint; readonly options: Options }

function simulatedJson(base: ShownBlock, plan: Plan, ran: Ran): PlainObject {
  const { end, options } = ran
  const { hash, parent, block } = plan
  const transactions = transactionsOf(plan, ran)
  const { header } = base.block
  const shown: ShownBlock = {
    id: { hash },
    block: {
      ...base.block,
      header: {
        ...header,
        height: block.height,
        time: { seconds: block.timestampSeconds, nanos: 0 },
        lastBlockId: { ...header.lastBlockId, hash: parent },
      },
    },
    ethereum: {
      baseFee: end.baseFee,
      gasLimit: block.gasLimit,
      gasUsed: end.results.reduce((sum, one) => sum + one.gasUsed, 0n),
      miner: block.coinbase ?? base.ethereum.miner,
      ...(block.prevRandao && { prevRandao: block.prevRandao }),
      transactions,
    },
  }
  let logIndex = 0
  const calls = end.results.map((result, index) => {
    const tx = transactions[index]
    const logs = end.logs[index] ?? result.logs
    return {
      returnData: result.status === 'halt' ? '0x' : hexOf(result.output),
      logs:
        tx === undefined || result.status !== 'success'
          ? []
          : logs.map((log) => logJson(shown, tx, { ...log, index: logIndex++ })),
      gasUsed: quantityOf(result.gasUsed),
      status: result.status === 'success' ? '0x1' : '0x0',
      ...(result.status === 'success' ? {} : { error: errorOf(result) }),
    }
  })
  return { ...blockJson(shown, options.returnFullTransactions === true), calls }
}

/** Returns the unsigned transactions of a block. Throws geth's error for one that no block can contain. */
function transactionsOf({ given }: Plan, { end, chainId }: Ran): readonly EthereumTx[] {
  let cumulativeGasUsed = 0n
  let logIndex = 0
  return end.results.map((result, index) => {
    const args = assertGiven(given.calls?.[index])
    const { gas, nonce } = end.ran[index] ?? { gas: 0n, nonce: 0n }
    if (result.status === 'refused') throw refusedError(result, gas)
    const { maxFeePerGas = 0n, maxPriorityFeePerGas = 0n, value = 0n } = args
    const caps = { maxFeePerGas, maxPriorityFeePerGas }
    const unsigned = { gas, nonce, value, data: inputOf(args), chainId, v: 0n, r: 0n, s: 0n, ...caps }
    const raw = encodeEthTx(typedTx(args, { ...unsigned, dropsList: false }))
    const paid = end.baseFee + maxPriorityFeePerGas
    cumulativeGasUsed += result.gasUsed
    return {
      hash: keccak256(raw),
      raw,
      from: args.from ?? new Uint8Array(20),
      index,
      cometIndex: index,
      receipt: {
        failed: result.status !== 'success',
        vmError: '',
        gasUsed: result.gasUsed,
        cumulativeGasUsed,
        effectiveGasPrice: args.gasPrice ?? (paid < maxFeePerGas ? paid : maxFeePerGas),
        contractAddress: result.created,
        logs: result.logs.map((log) => ({ ...log, index: logIndex++ })),
        output: result.output,
      },
    }
  })
}

function assertGiven(args: TxArgs | undefined): TxArgs {
  assert(args !== undefined, 'each result has its call')
  return args
}

/** The codes of the execution APIs and geth's texts, by the engine's name of a refusal. */
const refusals: Readonly<Record<string, readonly [code: number, text: string]>> = {
  NonceTooLow: [-38010, 'nonce too low'],
  NonceTooHigh: [-38011, 'nonce too high'],
  GasPriceLessThanBasefee: [codes.invalidParams, 'max fee per gas less than block base fee'],
  CallGasCostMoreThanGasLimit: [-38013, 'intrinsic gas too low'],
  GasFloorMoreThanGasLimit: [-38013, 'insufficient gas for floor data gas cost'],
  LackOfFundForMaxFee: [-38014, 'insufficient funds for gas * price + value'],
  CreateInitCodeSizeLimit: [-38025, 'max initcode size exceeded'],
}

function refusedError({ reason }: EvmResult, gas: bigint): RpcError {
  const { kind, detail } = reason ?? { kind: '', detail: '' }
  if (kind === 'BlockGasLimitReached') return new RpcError(-38015, detail)
  const [code, text] = refusals[kind] ?? [codes.internal, kind]
  return new RpcError(code, `err: ${text}: ${detail} (supplied gas ${gas})`)
}

/** Error code of the execution APIs for a message that failed other than by REVERT. */
const vmError = -32015

/** Returns the error of a message that failed. */
export function errorOf(result: EvmResult): PlainObject {
  if (result.status !== 'revert') return { code: vmError, message: failureText(result) }
  return { code: codes.reverted, message: revertText(result.output), data: hexOf(result.output) }
}
