/** Traces of messages and transactions as geth writes them (cosmos-evm-rpc.md §2.10). */
import { SliceOver } from '../../../evm/run.ts'
import { runsScript, tracerOf } from '../../../evm/trace.ts'
import type { EvmResult, EvmTracer } from '../../../evm/types.ts'
import { chargedGas, type EthereumTrace, type RecoveredTx } from '../../ethereumView.ts'
import { type Context, newContext } from '../context.ts'
import { anteRelax, readForTx, runEthereumTx } from '../ethereumTx.ts'
import { evmEnv } from '../modules/evm/env.ts'
import { evmRead } from '../modules/evm/state.ts'
import { getEvmParams } from '../modules/evm/store.ts'
import { hostPrecompiles } from '../precompiles/host.ts'
import { getAccount, setAccount } from '../modules/auth/accounts.ts'
import { TxError } from '../txError.ts'
import { limitedTx, surroundingsOf } from './call.ts'

/**
 * Returns the trace's JSON text. Earlier transactions run first, without fees, as the node replays
 * them. Throws `ScriptFailed`, and `GoPanic` as `Hosted.explain`; with a slice of gas `SliceOver`, for
 * a tracer in JavaScript in any case.
 */
export function traceCall(
  context: Context,
  { before, call, tracer, config, place, charge, slice }: EthereumTrace,
): string {
  const chosen = chosenTracer(tracer, config)
  if (slice !== undefined && runsScript(chosen)) throw new SliceOver()
  const { evmDenom } = getEvmParams(context)
  for (const earlier of before) replay(context, earlier, evmDenom)
  const job =
    'hash' in call ? recordedJob(context, call, evmDenom) : { ...surroundingsOf(context, call), tx: limitedTx(call) }
  const { host, read, explain } = hostPrecompiles(context, job.read, evmDenom)
  const options = {
    endsFailed: false,
    host,
    ...(place === undefined ? {} : { place }),
    ...(charge === undefined ? {} : { gasUsed: (end: EvmResult) => chargedGas(charge, end.gasUsed) }),
    ...(slice && { slice }),
  }
  const { result, json } = context.fixed.engine.trace({ ...job, read }, chosen, options)
  explain(job.tx, result)
  return json
}

function recordedJob(context: Context, message: RecoveredTx, denom: string) {
  const read = readForTx(evmRead(context, denom), message)
  return { env: evmEnv(context, anteRelax), tx: message.tx, read }
}

/**
 * The ante chain is not replayed: of the senders' sequences only those of creations rise. What
 * could not be committed in its block changes nothing here either.
 */
function replay(context: Context, message: RecoveredTx, denom: string): void {
  const mark = context.draft.mark()
  try {
    runEthereumTx(newContext(context, context.counters), {
      message,
      denom,
      price: 0n,
      bytes: new Uint8Array(0),
    })
  } catch (error) {
    if (!(error instanceof TxError)) throw error
    context.draft.cut(mark)
  }
  const account = getAccount(context, message.from)
  if (message.tx.to !== undefined || account === undefined) return
  setAccount(context, { ...account, sequence: message.tx.nonce + 1n })
}

function chosenTracer(name: string, config: string): EvmTracer {
  const options: unknown = config === '' ? {} : JSON.parse(config)
  const isObject = typeof options === 'object' && options !== null
  const own = isObject ? Object.fromEntries(Object.entries(options)) : {}
  return tracerOf(name, own, config === '' ? '{}' : config)
}
