/** BroadcastTx of cosmos.tx.v1beta1.Service (`cosmos-rest-grpc.md` §7). */
import { grpcCodes, earlyStatus } from '../../app/grpcStatus.ts'
import type { Submitted } from '../../chain/outcome.ts'
import { upperHexOf } from '../../codec/comet.ts'
import { codecOf } from '../../codec/schema/codecs.ts'
import { assert } from '../../errors.ts'
import { action, type Method } from '../method.ts'
import { JsonText, written } from '../result.ts'
import { callParams } from './params.ts'

const request = codecOf('cosmos.tx.v1beta1.BroadcastTxRequest')
const response = codecOf('cosmos.tx.v1beta1.BroadcastTxResponse')
const responseType = 'cosmos.tx.v1beta1.BroadcastTxResponse'
/** Values of BroadcastMode, by whether the response has the application's verdict. */
const modes = { checked: 2, unchecked: 3 } as const

/** Returns the method. It is no query of the application, so its response has no height header. */
export function broadcastTx(write: WriteResponse): Method {
  return action({
    name: 'cosmos.tx.v1beta1.Service/BroadcastTx',
    summary: 'Submits a transaction and, in mode `sync`, returns the result of CheckTx.',
    spec: 'cosmos-rest-grpc.md §7',
    traits: ['submits'],
    params: callParams,
    result: written({ type: 'object' }),
    examples: [],
    command: ({ caller }, [data]) => {
      const { txBytes, mode } = request.decode(data)
      // On REST, an empty `tx_bytes` is accepted and only an empty request is refused.
      if (data.length === 0 || (caller.side === 'grpc' && txBytes.length === 0)) {
        throw earlyStatus(grpcCodes.invalidArgument, 'invalid empty tx')
      }
      if (mode !== modes.checked && mode !== modes.unchecked) {
        throw earlyStatus(grpcCodes.unknown, 'unsupported return type unspecified; supported types: sync, async')
      }
      return { type: 'submitTx', tx: txBytes, mode: 'admit' }
    },
    reply: (_context, outcome, [data]) => {
      assert(outcome.type === 'submitted', 'a submission has the outcome submitted')
      const { mode } = request.decode(data)
      return new JsonText(
        write(
          responseType,
          response.encode({
            txResponse: {
              height: 0n,
              txhash: upperHexOf(outcome.hash),
              info: '',
              logs: [],
              gasWanted: 0n,
              gasUsed: 0n,
              tx: undefined,
              timestamp: '',
              events: [],
              ...verdictOf(outcome, mode),
            },
          }),
        ),
      )
    },
  })
}

type Verdict = {
  readonly code: number
  readonly codespace: string
  readonly rawLog: string
  readonly data: string
}

const accepted: Verdict = { code: 0, codespace: '', rawLog: '', data: '' }

/** The mempool's refusals that the SDK recognizes (client/broadcast.go), by their first words. */
const refusals = [
  ['tx already exists in cache', 19],
  ['mempool is full', 20],
  ['Tx too large', 21],
] as const

function verdictOf({ refusal, check }: Submitted, mode: number): Verdict {
  if (refusal !== undefined) {
    const known = refusals.find(([text]) => refusal.startsWith(text))
    if (known === undefined) throw earlyStatus(grpcCodes.unknown, refusal)
    return { ...accepted, code: known[1], codespace: 'sdk' }
  }
  if (mode === modes.unchecked || check === undefined) return accepted
  const { code, codespace, log, data } = check
  return { code, codespace, rawLog: log, data: upperHexOf(data ?? new Uint8Array(0)) }
}

/** Writes a response as the text of an answer; `type` is the name of its message. */
export type WriteResponse = (type: string, bytes: Uint8Array) => string
