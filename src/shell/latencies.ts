/** Counts of latencies in classes of 5 %: percentiles of any number of requests in little memory. */

/** Counts by class; class `n` holds latencies around 1.05 ** n milliseconds. */
export type Latencies = Map<number, number>

const step = Math.log(1.05)
/** The smallest latency that is told apart, in milliseconds. */
const leastMs = 0.001

/** Adds a latency in milliseconds. */
export function addLatency(latencies: Latencies, tookMs: number): void {
  const at = Math.round(Math.log(Math.max(tookMs, leastMs)) / step)
  latencies.set(at, (latencies.get(at) ?? 0) + 1)
}

/**
 * Returns the latencies in milliseconds below which the given shares of requests are, within 2.5 %;
 * null without requests. `shares` rise, such as 0.5 and 0.99.
 */
export function percentilesOf(latencies: Latencies, shares: readonly number[]): readonly (number | null)[] {
  const classes = [...latencies].sort(([a], [b]) => a - b)
  const total = classes.reduce((sum, [, count]) => sum + count, 0)
  return shares.map((share) => {
    const rank = Math.min(Math.floor(total * share), total - 1)
    let seen = 0
    const found = classes.find(([, count]) => {
      seen += count
      return seen > rank
    })
    return found === undefined ? null : Math.exp(found[0] * step)
  })
}
