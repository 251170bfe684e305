/** Tells of faults that nobody noticed (`mocks.md` §3.3): a test that meant to see one did not. */
import { maskedText } from '../fault/openCalls.ts'
import type { Simulation, Turn } from '../simulation.ts'

/** Returns the turn with what was masked in it in the log, or as failures of the scenario. */
export function withMasked(before: Simulation, turn: Turn): Turn {
  const { plan, node, progress } = turn.simulation
  const fresh = node.faults.maskedCount - before.node.faults.maskedCount
  if (fresh <= 0 || plan.onMaskedFault === 'ignore') return turn
  const texts = node.faults.masked.slice(-fresh).map(maskedText)
  const isError = plan.onMaskedFault === 'error'
  const level = isError ? 'error' : 'warn'
  const outputs = [...turn.outputs, ...texts.map((text) => ({ kind: 'log', level, text } as const))]
  if (!isError) return { ...turn, outputs }
  const failures = texts.map((text) => ({ step: 'run', text, source: plan.name }))
  return {
    ...turn, outputs,
    simulation: {
      ...turn.simulation,
      progress: {
        ...progress, failures: [...progress.failures, ...failures],
        state: progress.state === 'passed' ? 'failed' : progress.state,
      },
    },
  }
}
