import { emptyTxResult, type TxResult } from '../../app/abci.ts'
import type { Submitted } from '../../chain/outcome.ts'
import { txByHash } from '../../chain/lookups.ts'
import { waitingTx } from '../../chain/mempool.ts'
import { upperHexOf } from '../../codec/comet.ts'
import type { PlainObject } from '../../codec/goJsonWrite.ts'
import { assert } from '../../errors.ts'
import { txResultJson } from '../../feed/cometShapes.ts'
import { durationMs } from '../../settings/duration.ts'
import { action, WaitingReply, type Context } from '../method.ts'
import { submittedOf } from './broadcast.ts'
import { failed } from './errors.ts'
import { checkListenerLimits } from './listeners.ts'
import { txParam } from './params.ts'
import { hexText, named, numeral, objectOf } from './results.ts'

export const broadcast_tx_commit = action({
  name: 'broadcast_tx_commit',
  summary: 'Submits a transaction and waits until a block contains it.',
  spec: 'comet-rpc.md §1.25',
  params: [txParam],
  result: objectOf({
    check_tx: named('ResponseCheckTx'),
    tx_result: named('ExecTxResult'),
    hash: hexText,
    height: numeral,
  }),
  traits: ['submits', 'ofMinedTx', 'showsTxs'],
  examples: [{ params: ['aGVsbG8='], result: { check_tx: '…', tx_result: '…', hash: '…', height: '0' } }],
  command: (context, [tx]) => {
    checkListenerLimits(context)
    return { type: 'submitTx', tx, mode: 'admit' }
  },
  reply: (context, outcome) => {
    const submitted = submittedOf(outcome, 'error on broadcastTxCommit: ')
    const { check, hash } = submitted
    assert(check !== undefined, 'a transaction that is not refused has been checked')
    if (check.code !== 0) return answer(submitted, check, { result: emptyTxResult, height: 0n })
    const included = inclusionOf(context, hash)
    if (included !== undefined) return answer(submitted, check, included)
    if (context.woken === 'timeout') {
      throw failed('timed out waiting for tx to be included in a block')
    }
    return new WaitingReply({ for: 'tx', hash }, durationMs(context.node.settings.broadcastCommitTimeout))
  },
})

type Included = { readonly result: TxResult; readonly height: bigint }

/**
 * While the call waits, an entry in the index belongs to an earlier inclusion of the same bytes.
 */
function inclusionOf({ node: { chain } }: Context, hash: Uint8Array): Included | undefined {
  if (waitingTx(chain.mempool, hash) !== undefined) return undefined
  const found = txByHash(chain.history, hash)
  return found === undefined ? undefined : { result: found.result, height: found.height }
}

function answer({ hash }: Submitted, check: TxResult, { result, height }: Included): PlainObject {
  return {
    check_tx: txResultJson(check),
    tx_result: txResultJson(result),
    hash: upperHexOf(hash),
    height: height.toString(),
  }
}
