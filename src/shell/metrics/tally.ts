import type { Labels, Sample } from './exposition.ts'

/** Counters by labels. */
export type LabelledCounters = {
  readonly add: (amount: number, labels?: Labels) => void
  readonly samples: () => readonly Sample[]
}

/** Returns counters that start at 0. */
export function createTally(): LabelledCounters {
  const counts = new Map<string, { readonly labels: Labels; value: number }>()
  return {
    add: (amount, labels = {}) => {
      const key = JSON.stringify(labels)
      const one = counts.get(key) ?? { labels, value: 0 }
      counts.set(key, one)
      one.value += amount
    },
    samples: () => [...counts.values()],
  }
}
