/** The responses that clients receive, for expectations of scenarios. */
import { type FaultEffect, replyFaultOf } from '../fault/effect.ts'
import type { Answer } from '../node/answer.ts'
import type { GivenAnswer } from './callRecord.ts'

/** Most characters of a text that the journal keeps: with 4,096 calls that expectations judge, 64 MiB. */
const textMost = 16_384

/** Returns the response as the client receives it, after the fault that ended the call, if any. */
export function givenOf(answer: Answer | undefined, terminal: FaultEffect | undefined): GivenAnswer {
  const { message: other, isUnreadable } = replyFaultOf(terminal)
  if (other !== undefined && 'status' in other) return { is: 'status', status: other.status }
  if (answer?.ok === undefined || isUnreadable === true) return { is: 'nothing' }
  if (answer.ok) return { is: 'result', text: kept(answer.text) }
  const { code, message, data } = answer.error
  const head = JSON.stringify({ code, message })
  return { is: 'error', text: kept(data === undefined ? head : `${head.slice(0, -1)},"data":${data}}`) }
}

function kept(text: string): string | undefined {
  return text.length > textMost ? undefined : text
}
