/** Simulates a transaction without committing it: /app/simulate and the tx service. */
import { base64Of } from '../../../codec/base64.ts'
import { writeJson } from '../../../codec/goJsonWrite.ts'
import { SimulateRequest, SimulateResponse } from '../../../codec/messages/cosmos.ts'
import { message } from '../../../codec/protobuf/message.ts'
import { txMsgData } from '../../../codec/messages/cosmosEvm.ts'
import { packedJson } from '../../../codec/schema/protoJson.ts'
import type { TxResult } from '../../abci.ts'
import { createDraft } from '../../draft.ts'
import type { AppState } from '../../state.ts'
import { type Context, type Fixed, newContext } from '../context.ts'
import { runTx } from '../runTx.ts'
import { presentBytes } from './answer.ts'
import { invalidArgument, statusError } from './status.ts'

const wholeTx = message<{ tx: Uint8Array | undefined }>({ 1: ['tx', presentBytes] })

type Method = (context: Context, data: Uint8Array) => Uint8Array

export const txQueries: Readonly<Record<string, Method>> = {
  '/cosmos.tx.v1beta1.Service/Simulate': (context, data) => {
    const asked = SimulateRequest.decode(data)
    // The deprecated request holds the transaction itself in field 1.
    const txBytes = asked.txBytes.length > 0 ? asked.txBytes : wholeTx.decode(data).tx
    if (txBytes === undefined) throw invalidArgument('empty txBytes is not allowed')
    const { result, refusal } = runTx({ ...context, mode: 'simulate' }, txBytes)
    if (refusal !== undefined) {
      throw statusError('Unknown', `${refusal.message} with gas used: '${result.gasUsed}'`)
    }
    return SimulateResponse.encode(responseOf(result))
  },
}

/** Returns the amino JSON response of /app/simulate. Throws `TxError`. */
export function simulateQuery(fixed: Fixed, state: AppState, tx: Uint8Array): Uint8Array {
  const block = state.transient.header
  const context = newContext({ fixed, draft: createDraft(state, { seesCheck: true }), block, mode: 'query' })
  const { result: done, refusal } = runTx({ ...context, mode: 'simulate' }, tx)
  if (refusal !== undefined) throw refusal.inside('failed to simulate tx')
  const { result, gasInfo } = responseOf(done)
  return new TextEncoder().encode(
    writeJson({
      gas_info: { gas_wanted: gasInfo.gasWanted.toString(), gas_used: gasInfo.gasUsed.toString() },
      result: {
        data: base64Of(result.data),
        log: result.log,
        events: result.events.map(({ type, attributes }) => ({ type, attributes })),
        msg_responses: result.msgResponses.map(packedJson),
      },
    }),
  )
}

function responseOf(done: TxResult) {
  const data = done.data ?? new Uint8Array(0)
  const { msgResponses } = txMsgData.decode(data)
  const gasWanted = BigInt.asUintN(64, done.gasWanted)
  return {
    gasInfo: { gasWanted, gasUsed: done.gasUsed },
    result: {
      data,
      log: '',
      msgResponses,
      events: done.events.map(({ type, attributes }) => ({
        // Attributes are marked for indexing in blocks only.
        type,
        attributes: attributes.map((attribute) => ({ ...attribute, index: false })),
      })),
    },
  }
}
