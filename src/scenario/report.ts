/** What `chainstage run` says when a scenario is over. */
import type { Plan } from '../node/plan.ts'
import type { Progress } from './progress.ts'

/** Returns the report as text: each step with its fate, the failures with their places, the sum. */
export function reportText(plan: Plan, progress: Progress): string {
  const steps = plan.steps.map((step, index) => {
    const failed = progress.failures.some((failure) => failure.step === step.id)
    const mark = failed ? 'not ok' : index < progress.step ? 'ok' : 'not reached'
    return `  ${mark.padEnd(11)} ${step.id}`
  })
  const failures = progress.failures.map(({ step, text, source }) => `  ${source}  ${step}: ${text}`)
  return [
    `${plan.name}: ${progress.state}`,
    ...steps,
    ...(failures.length > 0 ? ['', 'failures:', ...failures] : []),
  ].join('\n')
}

/** Returns the exit code of a run (`mocks.md` §3.9): 0 passed, 1 an expectation failed, 3 not finished. */
export function exitCode(progress: Progress): 0 | 1 | 3 {
  return progress.state === 'passed' ? 0 : progress.state === 'failed' ? 1 : 3
}
