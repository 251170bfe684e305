/**
 * Logs masked faults (`mocks.md` §3.3): the client retried, so a test may have missed the fault.
 */
import { maskedText } from '../fault/openCalls.ts'
import type { Simulation, Turn } from './turn.ts'

/** Returns the turn with log lines for the faults that were masked in it. */
export function withMasked(before: Simulation, turn: Turn): Turn {
  const { plan, node } = turn.simulation
  const fresh = node.faults.maskedCount - before.node.faults.maskedCount
  if (fresh <= 0 || plan.onMaskedFault === 'ignore') return turn
  const level = plan.onMaskedFault === 'error' ? 'error' : 'warn'
  const told = node.faults.masked.slice(-fresh).map((one) => ({ kind: 'log', level, text: maskedText(one) }) as const)
  return { ...turn, outputs: [...turn.outputs, ...told] }
}
