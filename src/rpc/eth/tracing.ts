/**
 * Traces (`cosmos-evm-rpc.md` §2.10): what a transaction or message did, step by step or call by
 * call.
 */
import type { EthereumTrace, RecoveredTx } from '../../app/ethereumView.ts'
import type { AppState } from '../../app/state.ts'
import type { BlockRecord, EthereumTx } from '../../chain/block.ts'
import { bool, defaulting, integer, object, optional, text, type Codec } from '../../codec/codec.ts'
import { DecodeError, insideStruct } from '../../codec/decodeError.ts'
import { parseJson, type Json } from '../../codec/goJson.ts'
import { plainOf, type Plain } from '../../codec/goJsonWrite.ts'
import { hasQuirk } from '../../settings/quirks.ts'
import { RpcError } from '../errors.ts'
import type { Context } from '../method.ts'
import { callOf } from './calls.ts'
import { serverError } from './errors.ts'
import { committedState, ethereumOf } from './lookup.ts'
import { goUint64 } from './params.ts'
import type { TxArgs } from './txArgs.ts'

/** A tracer's name ('' for geth's struct logger) and all of its configuration as JSON text. */
export type TraceConfig = { readonly tracer: string; readonly config: string }

const plainConfig: TraceConfig = { tracer: '', config: '{}' }

type GoConfig = {
  readonly tracer: string
  readonly timeout: string
  readonly reexec: bigint
  readonly limit: bigint
  readonly disableStack: boolean
  readonly disableStorage: boolean
  readonly enableMemory: boolean
  readonly enableReturnData: boolean
  readonly debug: boolean
}

// Only for its errors: the tracer reads the configuration itself.
const goConfig: Codec<GoConfig> = object<GoConfig>({
  tracer: defaulting(text(), ''),
  timeout: defaulting(text(), ''),
  reexec: defaulting(goUint64, 0n),
  limit: defaulting(integer('int32', -(1n << 31n), (1n << 31n) - 1n), 0n),
  disableStack: defaulting(bool, false),
  disableStorage: defaulting(bool, false),
  enableMemory: defaulting(bool, false),
  enableReturnData: defaulting(bool, false),
  debug: defaulting(bool, false),
}, { goType: 'types.TraceConfig' })

/** Codec of a trace configuration; what the tracer itself reads is passed on as it came. */
export const traceConfig: Codec<TraceConfig | undefined> = optional({
  schema: { type: 'object' },
  decode: (wire: Json, path: string): TraceConfig => {
    return { tracer: checked(wire, path).tracer, config: wire.raw }
  },
  encode: () => null,
})

// The node's type embeds another of the same name, which shows in errors.
function checked(wire: Json, path: string): GoConfig {
  try {
    return goConfig.decode(wire, path)
  } catch (error) {
    if (!(error instanceof DecodeError) || wire.type !== 'object') throw error
    throw insideStruct(error, { structName: 'TraceConfig', field: 'TraceConfig' })
  }
}

/** Returns the trace of an included transaction, run again after those before it in its block. */
export function traceMined(
  context: Context, { record, tx }: {
    record: BlockRecord
    tx: EthereumTx
  }, config: TraceConfig | undefined,
): Plain {
  const view = ethereumOf(context)
  const { height } = record.block.header
  if (height <= context.node.chain.history.first) throw serverError('genesis is not traceable')
  const decode = (each: EthereumTx): RecoveredTx => view.decode(each.raw)
  return traced(context, committedState(context.node.chain, height - 1n), {
    context: committedState(context.node.chain, height).transient.header,
    before: record.ethereum.transactions.slice(0, tx.index).map(decode),
    call: decode(tx),
    ...(config ?? plainConfig),
  })
}

/** Returns the traces of all transactions of a block; one that fails gives its error. */
export function traceRecord(
  context: Context, record: BlockRecord, config: TraceConfig | undefined,
): Plain {
  return record.ethereum.transactions.map((tx) => {
    try {
      return { result: traceMined(context, { record, tx }, config) }
    } catch (error) {
      if (error instanceof RpcError) return { error: error.message }
      throw error
    }
  })
}

/** Returns the trace of a message on a state. */
export function traceMessage(
  context: Context, state: AppState, { args, config }: {
    args: TxArgs
    config: TraceConfig | undefined
  },
): Plain {
  const call = callOf(context, state, { args })
  return traced(
    context, state, { context: call.context, before: [], call, ...(config ?? plainConfig) },
  )
}

function traced(context: Context, state: AppState, trace: EthereumTrace): Plain {
  const answer = ethereumOf(context).trace(state, trace)
  const wire = parseJson(answer)
  return hasQuirk(context.node.settings, 'trace-keys-sorted')
    ? sorted(plainOf(wire))
    : plainOf(wire)
}

// The node decodes what a tracer wrote into a Go map and encodes it again.
function sorted(value: Plain): Plain {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1)
  return Object.fromEntries(
    entries.map(([key, each]) => [key, each === undefined ? undefined : sorted(each)])
  )
}
