import type { CallMatch } from '../plan/trigger.ts'
import type { CallRecord } from '../rpc/callRecord.ts'

/** Returns whether a call matches; `phase` is the scenario's current phase. */
export function callMatches(match: CallMatch, record: CallRecord, phase: string): boolean {
  const { side, methods, except, transport, params, session, outcome } = match
  return (
    (side ?? record.side) === record.side &&
    (methods === undefined || methods.some((pattern) => isLike(pattern, record.method))) &&
    !(except ?? []).some((pattern) => isLike(pattern, record.method)) &&
    (transport === undefined || (transport === 'ws') === (record.transport === 'ws')) &&
    (session ?? record.session) === record.session &&
    (outcome === undefined || record.outcome === outcome || record.faults.includes(outcome)) &&
    (match.phase ?? phase) === phase &&
    (params === undefined || contains(record.params, params))
  )
}

function isLike(pattern: string, method: string): boolean {
  if (!pattern.includes('*')) return pattern === method
  const [head = '', ...rest] = pattern.split('*')
  const tail = rest.at(-1) ?? ''
  return method.startsWith(head) && method.endsWith(tail) && method.length >= head.length + tail.length
}

/** Returns whether the parameters contain all wanted members. Texts are compared without case. */
function contains(given: string, wanted: string): boolean {
  if (given === '') return wanted === '[]' || wanted === '{}'
  try {
    return has(JSON.parse(given), JSON.parse(wanted))
  } catch {
    return false
  }
}

function has(given: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) {
    return String(given).toLowerCase() === String(wanted).toLowerCase()
  }
  if (typeof given !== 'object' || given === null) return false
  return Object.entries(wanted).every(([key, one]) => has((given as Record<string, unknown>)[key], one))
}
