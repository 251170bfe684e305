/**
 * Latency distributions as tables of whole milliseconds (`mocks.md` §3.3). A table is made once,
 * when a rule is compiled; at run time a draw picks an entry. The code uses only + − × ÷ and square
 * roots, which IEEE 754 defines to the bit, so every machine makes the same table.
 */
export type Distribution =
  | { readonly type: 'normal'; readonly meanMs: bigint; readonly sdMs: bigint }
  | { readonly type: 'lognormal'; readonly medianMs: bigint; readonly p99Ms: bigint }
  | { readonly type: 'exponential'; readonly meanMs: bigint }
  /** Ascending percentiles with their latencies; values in between are interpolated linearly. */
  | { readonly type: 'percentiles'; readonly points: readonly Percentile[] }

export type Percentile = { readonly percent: number; readonly ms: bigint }

const entries = 512

/** Returns 512 equally likely latencies in milliseconds, all at least 0. */
export function latencyTable(distribution: Distribution): readonly bigint[] {
  return Array.from({ length: entries }, (_, index) => {
    const ms = Math.round(quantile(distribution, (index + 0.5) / entries))
    return BigInt(ms < 0 ? 0 : ms)
  })
}

function quantile(one: Distribution, share: number): number {
  switch (one.type) {
    case 'normal':
      return Number(one.meanMs) + Number(one.sdMs) * normalQuantile(share)
    case 'exponential':
      return -Number(one.meanMs) * naturalLog(1 - share)
    case 'lognormal': {
      const median = Number(one.medianMs)
      if (median === 0) return 0
      const sigma = naturalLog(Number(one.p99Ms) / median) / normalQuantile(0.99)
      return median * exponential(sigma * normalQuantile(share))
    }
    case 'percentiles':
      return betweenPoints(one.points, share * 100)
  }
}

function betweenPoints(points: readonly Percentile[], percent: number): number {
  const above = points.findIndex((one) => one.percent >= percent)
  const high = points[above] ?? points.at(-1)
  const low = above === 0 ? { percent: 0, ms: 0n } : points[above - 1]
  if (high === undefined) return 0
  if (above < 0 || low === undefined || high.percent === low.percent) return Number(high.ms)
  const part = (percent - low.percent) / (high.percent - low.percent)
  return Number(low.ms) + part * (Number(high.ms) - Number(low.ms))
}

/**
 * Returns the quantile of the standard normal distribution, found by bisection of its cumulative
 * distribution function.
 */
function normalQuantile(share: number): number {
  let [low, high] = [-8, 8]
  for (let tries = 0; tries < 40; tries++) {
    const middle = (low + high) / 2
    if (normalShare(middle) < share) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** √(2π) */
const rootOfTau = 2.506_628_274_631_000_7

/** Returns the standard normal cumulative distribution function at `x`, by its series around 0. */
function normalShare(x: number): number {
  let [term, sum] = [x, x]
  for (let n = 1; n < 200 && term * term > 1e-36; n++) {
    term = (term * x * x) / (2 * n + 1)
    sum += term
  }
  return 0.5 + (sum * exponential((-x * x) / 2)) / rootOfTau
}

/** Returns e^x: halves `x` until it is at most 0.5, sums the series, and squares the sum back. */
function exponential(x: number): number {
  let halvings = 0
  let small = x
  while (small > 0.5 || small < -0.5) {
    small /= 2
    halvings += 1
  }
  let [term, sum] = [1, 1]
  for (let n = 1; n < 20; n++) {
    term = (term * small) / n
    sum += term
  }
  for (let n = 0; n < halvings; n++) sum *= sum
  return sum
}

/** Returns ln x: divides out powers of two, then sums the series of artanh. */
function naturalLog(x: number): number {
  let twos = 0
  let rest = x
  while (rest > 1.5) {
    rest /= 2
    twos += 1
  }
  while (rest < 0.75) {
    rest *= 2
    twos -= 1
  }
  const ratio = (rest - 1) / (rest + 1)
  let [term, sum] = [ratio, ratio]
  for (let n = 1; n < 40; n++) {
    term *= ratio * ratio
    sum += term / (2 * n + 1)
  }
  return 2 * sum + twos * Math.LN2
}
