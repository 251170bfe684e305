/** Charts of the latest blocks and of the last two minutes of requests. */
import { useMemo } from 'preact/hooks'
import { duration, number, small } from '../core/format.ts'
import type { Block, RequestStats } from '../core/shapes.ts'
import { Chart } from '../parts/Chart.tsx'

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
const short = (value: number) => compact.format(value)

export function BlockCharts({ blocks }: { blocks: readonly Block[] }) {
  const drawn = useMemo(() => {
    const rising = blocks.toReversed()
    return {
      heights: rising.map(({ height }) => height),
      gas: rising.map(({ gasUsed }) => gasUsed),
      txs: rising.map(({ transactions }) => transactions),
      fees: rising.map(({ baseFee }) => (baseFee === null ? null : Number(BigInt(baseFee)) / 1e9)),
    }
  }, [blocks])
  const last = <Value,>(list: readonly Value[]) => list.at(-1)
  return (
    <div class="charts">
      <Chart
        title="Gas per block"
        told={`latest: ${number(last(drawn.gas) ?? 0)}`}
        x={drawn.heights}
        series={[{ title: 'gas', color: 'accent', values: drawn.gas, kind: 'bars' }]}
        show={short}
      />
      <Chart
        title="Base fee"
        told={`latest: ${small(last(drawn.fees) ?? 0)} gwei`}
        x={drawn.heights}
        series={[{ title: 'gwei', color: 'info', values: drawn.fees }]}
        show={small}
      />
      <Chart
        title="Transactions per block"
        told={`latest: ${number(last(drawn.txs) ?? 0)}`}
        x={drawn.heights}
        series={[{ title: 'transactions', color: 'good', values: drawn.txs, kind: 'bars' }]}
        show={short}
      />
    </div>
  )
}

export function RequestCharts({ stats }: { stats: RequestStats }) {
  const { seconds } = stats
  const drawn = useMemo(
    () => ({
      ago: seconds.map((_, index) => index - seconds.length + 1),
      counts: seconds.map(({ count }) => count),
      errors: seconds.map(({ errors }) => errors),
      mean: seconds.map(({ meanMs }) => meanMs),
      slowest: seconds.map(({ count, slowestMs }) => (count === 0 ? null : slowestMs)),
    }),
    [seconds],
  )
  const total = drawn.counts.reduce((sum, one) => sum + one, 0)
  const failed = drawn.errors.reduce((sum, one) => sum + one, 0)
  const slowest = Math.max(0, ...drawn.slowest.map((one) => one ?? 0))
  const ago = (value: number) => (value === 0 ? 'now' : `${value} s`)
  return (
    <div class="charts">
      <Chart
        title="Requests per second"
        told={`${number(total)} in the last two minutes, ${number(failed)} failed`}
        x={drawn.ago}
        series={[
          { title: 'requests', color: 'accent', values: drawn.counts, kind: 'bars' },
          { title: 'errors', color: 'bad', values: drawn.errors, kind: 'bars' },
        ]}
        show={short}
        showX={ago}
      />
      <Chart
        title="Latency"
        told={`mean and slowest request per second; maximum ${duration(slowest)}`}
        x={drawn.ago}
        series={[
          { title: 'slowest', color: 'warn', values: drawn.slowest },
          { title: 'mean', color: 'accent', values: drawn.mean },
        ]}
        show={(value) => duration(value)}
        showX={ago}
      />
    </div>
  )
}
