import { counted } from '../data/counted.ts'
import type { Plan } from '../plan/plan.ts'
import { check } from './check.ts'
import { lateFailure, type Progress } from './progress.ts'
import { triggerText } from './trigger.ts'
import { type Sight, seenBy, triggerInput } from './advance.ts'

/**
 * Returns the progress of a run that is stopped before its last step. The current step fails with a
 * text about what was missing. A run that has ended stays unchanged.
 */
export function stopped(plan: Plan, progress: Progress, { sight, why }: Stopping): Progress {
  if (progress.state !== 'running') return progress
  const step = plan.steps[progress.step]
  const id = step?.id ?? 'until'
  const { times = 1 } = step ?? {}
  const repetition = times > 1 ? ` (time ${progress.watch.fired + 1} of ${times})` : ''
  const missing = progress.goesOn === undefined ? missingText(plan, progress, sight) : ''
  const text = `${why} before step ${id} was complete${repetition}${missing === '' ? '' : `: ${missing}`}`
  const source = (step ?? plan.steps.at(-1))?.source ?? plan.name
  const failures = [...progress.failures, lateFailure({ id }, source, text)]
  return { ...progress, failures, state: 'failed' }
}

type Stopping = { readonly sight: Sight; readonly why: string }

/** Returns what the current step waits for, or which of its expectations do not hold yet. */
export function missingText(plan: Plan, progress: Progress, sight: Sight): string {
  const step = plan.steps[progress.step]
  const when = step?.when ?? plan.until
  if (step !== undefined && progress.phase === 'checking') {
    const {
      met,
      watch: { since },
    } = progress
    return step.expectations
      .flatMap((one, index) => {
        if (met.includes(index) || one.type === 'never') return []
        const now = check([{ ...one, within: undefined }], { met: [], since }, seenBy(progress, sight))
        return now.failed.map(({ text }) => text)
      })
      .join('; ')
  }
  if (progress.phase === 'delayed') {
    const { ms, blocks } = step?.delay ?? {}
    return `its delay of ${ms === undefined ? counted(Number(blocks ?? 0n), 'block') : `${ms} ms`} was not over`
  }
  if (when === undefined) return ''
  return `it waited for ${triggerText(when, triggerInput(progress, step?.id ?? 'until', sight))}`
}
