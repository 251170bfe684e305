/** Evidence submitted in a transaction (x/evidence msg_server.go). */
import { GoPanic, nilPointer, upperHexOf } from '../../../../codec/comet.ts'
import { message, nested, text } from '../../../../codec/protobuf/message.ts'
import { formatTime } from '../../../../codec/time.ts'
import { addressOf } from '../../address.ts'
import { handler } from '../../tx/handler.ts'
import { TxError } from '../../txError.ts'
import { anyMessage, type StoredAny } from '../../wire.ts'
import { type Equivocation, equivocation, evidenceKey } from './misbehavior.ts'
import type { Context, Handler } from '../../context.ts'

type Submit = { submitter: string; evidence: StoredAny | undefined }
const msgSubmit = message<Submit>({ 1: ['submitter', text], 2: ['evidence', nested(anyMessage)] })

export const evidenceMessages: Readonly<Record<string, Handler>> = {
  '/cosmos.evidence.v1beta1.MsgSubmitEvidence': handler(
    msgSubmit,
    ({ submitter }) => addressOf(submitter),
    (context, { evidence }) => refuse(context, evidence),
  ),
}

/**
 * Rejects evidence. evmd has no route for any type of evidence, so valid evidence makes its node
 * panic.
 */
function refuse(context: Context, evidence: StoredAny | undefined): never {
  if (evidence?.typeUrl !== '/cosmos.evidence.v1beta1.Equivocation') {
    throw invalid('missing evidence')
  }
  const fault = equivocation.decode(evidence.value)
  const wrong = wrongIn(fault)
  if (wrong !== undefined) throw invalid(`failed basic validation: invalid equivocation ${wrong}`)
  const key = evidenceKey(equivocation.encode(fault))
  if (context.store('evidence').get(key) !== undefined) {
    const hash = upperHexOf(key.subarray(1))
    throw new TxError(`${hash}: evidence already exists`, { code: 5, codespace: 'evidence' })
  }
  throw new GoPanic(nilPointer)
}

function wrongIn({ height, time, power, address }: Equivocation): string | undefined {
  if (time.seconds <= 0n) return `time: ${formatTime(time)}`
  if (height < 1n) return `height: ${height}`
  if (power < 1n) return `validator power: ${power}`
  return address === '' ? 'validator consensus address: ' : undefined
}

function invalid(text: string): TxError {
  return new TxError(`${text}: invalid evidence`, { code: 3, codespace: 'evidence' })
}
