/** Runs a query nested in a query: /cosmos.base.tendermint.v1beta1.Service/ABCIQuery. */
import { bool, bytes, int64, message, nested, repeated, text, uint32 } from '../../../codec/protobuf/message.ts'
import type { ProofOp, QueryRequest, QueryResult } from '../../abci.ts'
import type { ChainMethods } from './chainMethod.ts'
import { invalidArgument } from './status.ts'

const request = message<QueryRequest>({
  1: ['data', bytes],
  2: ['path', text],
  3: ['height', int64],
  4: ['prove', bool],
})
type Proof = { ops: readonly (ProofOp | undefined)[] }
const proof = message<Proof>({
  1: [
    'ops',
    repeated(
      nested(
        message<ProofOp>({
          1: ['type', text],
          2: ['key', bytes],
          3: ['data', bytes],
        }),
      ),
    ),
  ],
})
type Answer = Omit<QueryResult, 'proofOps'> & { proof: Proof | undefined }
const answer = message<Answer>({
  1: ['code', uint32],
  3: ['log', text],
  4: ['info', text],
  5: ['index', int64],
  6: ['key', bytes],
  7: ['value', bytes],
  8: ['proof', nested(proof)],
  9: ['height', int64],
  10: ['codespace', text],
})

export const abciQueries: ChainMethods = {
  '/cosmos.base.tendermint.v1beta1.Service/ABCIQuery': (_context, data, ask) => {
    const inner = request.decode(data)
    if (inner.path === '') throw invalidArgument('empty query path')
    if (!/^\/?(app|store|p2p|custom)(\/|$)/.test(inner.path)) {
      throw invalidArgument(`unsupported ABCI query path: ${inner.path}`)
    }
    const { proofOps, ...rest } = ask(inner)
    return answer.encode({ ...rest, proof: proofOps && { ops: proofOps } })
  },
}
