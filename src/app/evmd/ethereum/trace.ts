/** Traces of messages and transactions as geth writes them (cosmos-evm-rpc.md §2.10). */
import { SimError } from '../../../errors.ts'
import type { EvmTracer } from '../../../evm/types.ts'
import type { EthereumTrace, RecoveredTx } from '../../ethereumView.ts'
import type { Context } from '../context.ts'
import { newContext } from '../context.ts'
import { anteRelax, readForTx, runEthereumTx } from '../ethereumTx.ts'
import { evmEnv } from '../modules/evm/env.ts'
import { evmRead } from '../modules/evm/state.ts'
import { getEvmParams } from '../modules/evm/store.ts'
import { hostPrecompiles } from '../precompiles/host.ts'
import { getAccount, setAccount } from '../modules/auth/accounts.ts'
import { limitedTx, surroundingsOf } from './call.ts'

/**
 * Returns the trace's JSON text. Earlier transactions run first, without fees, as the node replays
 * them. Throws `UnknownTracer`.
 */
export function traceCall(context: Context, { before, call, tracer, config }: EthereumTrace): string {
  const chosen = tracerOf(tracer, config)
  const { evmDenom } = getEvmParams(context)
  for (const earlier of before) replay(context, earlier, evmDenom)
  const job = 'hash' in call
    ? recordedJob(context, call, evmDenom)
    : { ...surroundingsOf(context, call), tx: limitedTx(call) }
  const { host, read } = hostPrecompiles(context, job.read, evmDenom)
  return context.fixed.engine.trace({ ...job, read }, chosen, { endsFailed: false, host }).json
}

function recordedJob(context: Context, message: RecoveredTx, denom: string) {
  const read = readForTx(evmRead(context, denom), message)
  return { env: evmEnv(context, anteRelax), tx: message.tx, read }
}

/** The ante chain is not replayed: of the senders' sequences only those of creations rise. */
function replay(context: Context, message: RecoveredTx, denom: string): void {
  runEthereumTx(newContext(context, context.counters), {
    message, denom, price: 0n, bytes: new Uint8Array(0),
  })
  const account = getAccount(context, message.from)
  if (message.tx.to !== undefined || account === undefined) return
  setAccount(context, { ...account, sequence: message.tx.nonce + 1n })
}

const names = [
  'callTracer', 'flatCallTracer', 'prestateTracer', '4byteTracer', 'noopTracer', 'muxTracer',
] as const

/** The options of a tracer have the names that geth gives them, so they are taken as they come. */
function tracerOf(name: string, config: string): EvmTracer {
  const options: unknown = config === '' ? {} : JSON.parse(config)
  const object = typeof options === 'object' && options !== null ? options : {}
  if (name === '') return { ...object, name: 'structLogs' }
  const known = names.find((each) => each === name)
  if (known === undefined) throw new UnknownTracer(name)
  if (known === 'muxTracer') return { name: known, tracers: muxed(object) }
  return { ...object, name: known }
}

function muxed(config: object): Record<string, EvmTracer> {
  return Object.fromEntries(Object.entries(config).map(([name, options]) => (
    [name, tracerOf(name, JSON.stringify(options ?? {}))]
  )))
}

/** A tracer that is none of geth's native ones; the message is the node's. */
export class UnknownTracer extends SimError {
  constructor(name: string) {
    super('UNKNOWN_TRACER', `ReferenceError: ${name} is not defined at <eval>:1:2(0)`, {
      hint: `Known tracers: ${names.join(', ')}. Tracers in JavaScript are not run.`,
    })
  }
}
