/** Evidence submitted in a transaction (x/evidence msg_server.go). */
import { GoPanic, nilPointer, upperHexOf } from '../../../../codec/comet.ts'
import { message, nested, text } from '../../../../codec/protobuf/message.ts'
import { addressOf } from '../../address.ts'
import { handler } from '../../tx/handler.ts'
import { TxError } from '../../txError.ts'
import { anyMessage, type StoredAny } from '../../wire.ts'
import {
  equivocation,
  equivocationHash,
  equivocationProblem,
  equivocationUrl,
  isEvidenceStored,
} from './equivocation.ts'
import type { Context, Handler } from '../../context.ts'

type Submit = { submitter: string; evidence: StoredAny | undefined }
const msgSubmit = message<Submit>({ 1: ['submitter', text], 2: ['evidence', nested(anyMessage)] })

export const evidenceMessages: Readonly<Record<string, Handler>> = {
  '/cosmos.evidence.v1beta1.MsgSubmitEvidence': handler(
    msgSubmit,
    ({ submitter }, at) => addressOf(at, submitter),
    (context, { evidence }) => refuse(context, evidence),
  ),
}

/**
 * Rejects evidence. evmd has no route for any type of evidence, so valid evidence makes its node
 * panic.
 */
function refuse(context: Context, evidence: StoredAny | undefined): never {
  if (evidence?.typeUrl !== equivocationUrl) throw invalid('missing evidence')
  const fault = equivocation.decode(evidence.value)
  const problem = equivocationProblem(fault)
  if (problem !== undefined) throw invalid(`failed basic validation: ${problem}`)
  const hash = equivocationHash(fault)
  if (isEvidenceStored(context, hash)) {
    throw new TxError(`${upperHexOf(hash)}: evidence already exists`, { code: 5, codespace: 'evidence' })
  }
  throw new GoPanic(nilPointer)
}

function invalid(text: string): TxError {
  return new TxError(`${text}: invalid evidence`, { code: 3, codespace: 'evidence' })
}
