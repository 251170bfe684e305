/** Labels of addresses: accounts of the node and names of the scenario, by lower-case address. */
import { effect, signal } from '@preact/signals'
import { get } from './api.ts'
import { status } from './live.ts'

export const labels = signal<ReadonlyMap<string, string>>(new Map())

/** Reads the labels again with every scenario, every step of it, which may deploy contracts, and every restart. */
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
