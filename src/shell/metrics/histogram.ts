import { numberText, type Labels, type Sample } from './exposition.ts'

export type Histogram = {
  readonly observe: (value: number, labels?: Labels) => void
  /**
   * Returns the samples of every series, with additional labels. Buckets are cumulative: each
   * counts all values up to its bound.
   */
  readonly samples: (more?: Labels) => readonly Sample[]
}

type Series = { readonly labels: Labels; readonly counts: number[]; sum: number }

/** Returns an empty histogram. `bounds` must be ascending; a bucket for infinity is added. */
export function createHistogram(bounds: readonly number[]): Histogram {
  const all = [...bounds, Infinity]
  const series = new Map<string, Series>()
  return {
    observe: (value, labels = {}) => {
      const key = JSON.stringify(labels)
      const one = series.get(key) ?? { labels, counts: all.map(() => 0), sum: 0 }
      series.set(key, one)
      const at = all.findIndex((bound) => value <= bound)
      one.counts[at] = (one.counts[at] ?? 0) + 1
      one.sum += value
    },
    samples: (more = {}) =>
      [...series.values()].flatMap(({ labels: own, counts, sum }) => {
        const labels = { ...more, ...own }
        let below = 0
        const buckets = all.map((bound, index) => {
          below += counts[index] ?? 0
          const bounded = { ...labels, le: numberText(bound) }
          return { suffix: '_bucket', labels: bounded, value: below }
        })
        return [...buckets, { suffix: '_sum', labels, value: sum }, { suffix: '_count', labels, value: below }]
      }),
  }
}
