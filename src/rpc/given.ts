/** What a client receives of a call, for expectations of scenarios. */
import type { FaultEffect } from '../fault/effect.ts'
import type { Answer } from '../node/answer.ts'
import type { Given } from './callRecord.ts'

/** The journal keeps some hundred calls, so longer answers are not kept with them. */
const textMost = 16_384

/** Returns what is left of an answer when the fault that took it, if any, has had its effect. */
export function givenOf(answer: Answer | undefined, terminal: FaultEffect | undefined): Given {
  if (terminal?.type === 'http') return { is: 'status', status: terminal.status }
  if (answer?.ok === undefined || isUnreadable(terminal)) return { is: 'nothing' }
  if (answer.ok) return { is: 'result', text: kept(answer.text) }
  const { code, message, data } = answer.error
  const head = JSON.stringify({ code, message })
  return { is: 'error', text: kept(data === undefined ? head : `${head.slice(0, -1)},"data":${data}}`) }
}

function kept(text: string): string | undefined {
  return text.length > textMost ? undefined : text
}

/** Whether the body is damaged or cut, in an answer that was carried out. */
function isUnreadable(effect: FaultEffect | undefined): boolean {
  if (effect?.type === 'reset') return effect.when !== 'afterBody'
  return effect?.type === 'body' || effect?.type === 'framing'
}
