/** Charts of blocks and of the last two minutes of requests. */
import { useMemo } from 'preact/hooks'
import { counted, duration, number, small } from '../core/format.ts'
import { height } from '../core/live.ts'
import { linkTo } from '../core/router.ts'
import type { Block, RequestStats } from '../core/shapes.ts'
import { useData, useKept } from '../core/useData.ts'
import { Chart } from '../parts/Chart.tsx'

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
const short = (value: number) => compact.format(value)

/** The most blocks that a chart of a longer range reads: the cost does not grow with the chain. */
const pointsMost = 120

/** Ranges of the block charts by name, in blocks. */
const ranges: Readonly<Record<string, { readonly title: string; readonly blocks: number }>> = {
  newest: { title: '60 blocks', blocks: 60 },
  thousand: { title: '1,000 blocks', blocks: 1000 },
  all: { title: 'All blocks', blocks: Number.POSITIVE_INFINITY },
}

/** Returns the distance between blocks of which at most `pointsMost` span a range: 1, 2, 5, 10 … */
export function stepOf(blocks: number, most = pointsMost): number {
  const least = Math.max(1, blocks / most)
  const ten = 10 ** Math.floor(Math.log10(least))
  return ([1, 2, 5, 10].find((factor) => factor * ten >= least) ?? 10) * ten
}

/** Charts of the newest blocks, or of a longer range of which it reads blocks at equal distances. */
export function BlockHistory({ newest, range = 'newest' }: { newest: readonly Block[]; range?: string | undefined }) {
  const blocks = Math.min(ranges[range]?.blocks ?? 60, height.value)
  const step = stepOf(blocks)
  const isLong = Object.hasOwn(ranges, range) && range !== 'newest'
  const path = `/blocks?limit=${Math.ceil(blocks / step)}&step=${step}`
  const read = useKept(useData<readonly Block[]>(isLong ? path : undefined, 'slowly').data)
  return (
    <>
      <nav class="pager ranges" aria-label="Range of the block charts">
        {Object.entries(ranges).map(([name, { title }]) => (
          <a
            key={name}
            class="button"
            href={linkTo('overview', '', name === 'newest' ? {} : { range: name })}
            aria-current={name === (isLong ? range : 'newest') ? 'true' : undefined}
          >
            {title}
          </a>
        ))}
      </nav>
      <BlockCharts blocks={isLong ? (read ?? []) : newest} step={isLong ? step : 1} />
    </>
  )
}

/** Charts of blocks, newest first; `step` is the distance between them. */
export function BlockCharts({ blocks, step = 1 }: { blocks: readonly Block[]; step?: number }) {
  const drawn = useMemo(() => {
    const rising = blocks.toReversed()
    return {
      heights: rising.map((one) => one.height),
      gas: rising.map(({ gasUsed }) => gasUsed),
      txs: rising.map(({ transactions }) => transactions),
      fees: rising.map(({ baseFee }) => (baseFee === null ? null : Number(BigInt(baseFee)) / 1e9)),
    }
  }, [blocks])
  const told = step === 1 ? `newest ${counted(blocks.length, 'block')}` : `one in ${number(step)} blocks`
  const common = { told, x: drawn.heights, showX: short, pointName: (value: number) => `block ${number(value)}` }
  const kind = step === 1 ? 'bars' : 'line'
  return (
    <div class="charts">
      <Chart
        {...common}
        title="Gas per block"
        series={[{ title: 'gas', color: 'accent', values: drawn.gas, kind }]}
        show={short}
      />
      <Chart
        {...common}
        title="Base fee"
        series={[{ title: 'gwei', color: 'info', values: drawn.fees }]}
        show={small}
      />
      <Chart
        {...common}
        title="Transactions per block"
        series={[{ title: 'transactions', color: 'good', values: drawn.txs, kind }]}
        show={short}
      />
    </div>
  )
}

/** Charts of the requests of one method, or of all without `of`. */
export function RequestCharts({ stats, of }: { stats: RequestStats; of?: string | undefined }) {
  const { seconds } = stats
  const drawn = useMemo(
    () => ({
      ago: seconds.map((_, index) => index - seconds.length + 1),
      counts: seconds.map(({ count }) => count),
      errors: seconds.map(({ errors }) => errors),
      p50: seconds.map(({ p50Ms }) => p50Ms),
      p95: seconds.map(({ p95Ms }) => p95Ms),
      p99: seconds.map(({ p99Ms }) => p99Ms),
    }),
    [seconds],
  )
  const total = drawn.counts.reduce((sum, one) => sum + one, 0)
  const failed = drawn.errors.reduce((sum, one) => sum + one, 0)
  const what = of ?? 'all methods'
  const common = {
    x: drawn.ago,
    showX: (value: number) => (value === 0 ? 'now' : `${value} s`),
    pointName: (value: number) => (value === 0 ? 'now' : `${-value} s ago`),
  }
  return (
    <div class="charts">
      <Chart
        {...common}
        title="Requests per second"
        told={`${what}; ${number(total)} in two minutes, ${number(failed)} failed`}
        series={[
          { title: 'requests', color: 'accent', values: drawn.counts, kind: 'bars' },
          { title: 'errors', color: 'bad', values: drawn.errors, kind: 'bars' },
        ]}
        show={short}
      />
      <Chart
        {...common}
        title="Latency"
        told={`${what}; percentiles of each second`}
        series={[
          { title: 'p50', color: 'accent', values: drawn.p50 },
          { title: 'p95', color: 'info', values: drawn.p95, dash: [6, 3] },
          { title: 'p99', color: 'warn', values: drawn.p99, dash: [2, 3] },
        ]}
        show={duration}
      />
    </div>
  )
}
