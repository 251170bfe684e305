/** Labels of the node's accounts and the scenario's names, by lower-case address. */
import { effect, signal } from '@preact/signals'
import { get } from './api.ts'
import { status } from './live.ts'

export const labels = signal<ReadonlyMap<string, string>>(new Map())

/**
 * Reads the labels again after a restart, a scenario change or a step, which may deploy contracts.
 */
export function followLabels(): void {
  let known = ''
  effect(() => {
    const now = status.value
    if (now === undefined) return
    const key = `${now.instanceId} ${now.scenario.name} ${now.scenario.step} ${now.session}`
    if (key === known) return
    known = key
    get<Readonly<Record<string, string>>>('/labels').then(
      (found) => {
        labels.value = new Map(Object.entries(found))
      },
      () => {
        known = ''
      },
    )
  })
}
