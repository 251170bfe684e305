/** Services beside the modules that ask nothing of the chain. */
import { sdkError } from '../txError.ts'
import type { Methods } from './answer.ts'

export const serviceQueries: Methods = {
  // A simulated node is never behind: `syncing` is false, which protobuf leaves out.
  '/cosmos.base.tendermint.v1beta1.Service/GetSyncing': () => new Uint8Array(0),
  '/cosmos.tx.v1beta1.Service/BroadcastTx': () => {
    throw sdkError('invalidRequest', "can't route a broadcast tx message")
  },
}
