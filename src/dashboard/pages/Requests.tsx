/** Requests: charts of one method or all, methods with rates and latencies, and the latest requests. */
import { type PageProps, go, linkTo } from '../core/router.ts'
import { duration, number, percent, small } from '../core/format.ts'
import type { Exchange, RequestStats } from '../core/shapes.ts'
import { useData, useKept } from '../core/useData.ts'
import { pageSize } from '../parts/PageLinks.tsx'
import { Pending, Pill, type Kind } from '../parts/basics.tsx'
import { Pager } from '../parts/Pager.tsx'
import { Table } from '../parts/Table.tsx'
import { RequestCharts } from './charts.tsx'

/** The names of the interfaces as the documentation spells them. */
export const interfaces: Readonly<Record<string, string>> = {
  comet: 'CometBFT RPC',
  eth: 'Ethereum JSON-RPC',
  rest: 'Cosmos REST',
  grpc: 'gRPC',
}
const kinds: Readonly<Record<string, Kind>> = { ok: 'good', error: 'bad', fault: 'warn', owed: 'warn' }

/** The number of requests that the chain keeps. */
const keptMost = 500

export function Requests({ query: { method, before } }: PageProps) {
  const isNewest = method === undefined && before === undefined
  const path = method === undefined ? '/requests' : `/requests?method=${encodeURIComponent(method)}`
  const read = useData<RequestStats>(path, 'timed')
  const asked = useData<{ readonly recent: readonly Exchange[] }>(
    `/journal?limit=${isNewest ? pageSize : keptMost}`,
    before === undefined,
  )
  const stats = useKept(read.data)
  const journal = useKept(asked.data)
  if (stats === undefined || journal === undefined) return <Pending error={read.error ?? asked.error} />
  const recent = journal.recent.filter(
    (one) => (method === undefined || one.method === method) && (before === undefined || one.seq < Number(before)),
  )
  const rows = recent.slice(0, pageSize)
  const last = rows.at(-1)?.seq ?? 0
  const of = method === undefined ? {} : { method }
  return (
    <>
      <MethodChoice methods={stats.methods.map((one) => one.method)} method={method} />
      <RequestCharts stats={stats} of={method} />
      <h2>Methods</h2>
      <p class="hint">Rates are averages of the last ten seconds, percentiles those of the newest 500 requests.</p>
      <Methods rows={stats.methods} method={method} />
      <h2>
        Latest requests{' '}
        {method === undefined ? null : (
          <>
            of <code>{method}</code> <a href={linkTo('requests')}>Show all</a>
          </>
        )}
      </h2>
      <Pager
        newest={before === undefined ? undefined : linkTo('requests', '', of)}
        older={rows.length === pageSize && last > 1 ? linkTo('requests', '', { ...of, before: last }) : undefined}
      />
      <Recent rows={rows} />
    </>
  )
}

/** Chooses the method that charts and journal show. */
function MethodChoice({ methods, method }: { methods: readonly string[]; method: string | undefined }) {
  const names = [...new Set([...methods, ...(method === undefined ? [] : [method])])].toSorted()
  return (
    <div class="formrow">
      <label>
        Method
        <select
          id="method"
          value={method ?? ''}
          onChange={({ currentTarget: { value } }) => go('requests', '', value === '' ? {} : { method: value })}
        >
          <option value="">All methods</option>
          {names.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}

function Methods({ rows, method: chosen }: { rows: RequestStats['methods']; method: string | undefined }) {
  return (
    <Table
      label="Methods"
      rows={rows.toSorted((a, b) => b.count - a.count)}
      keyOf={({ method, side }) => `${side} ${method}`}
      empty={['No requests yet', 'Requests to all interfaces are counted here.']}
      columns={[
        {
          title: 'Method',
          class: 'mono whole',
          show: ({ method }) => (
            <a href={linkTo('requests', '', { method })} aria-current={method === chosen ? 'true' : undefined}>
              {method}
            </a>
          ),
        },
        { title: 'Interface', show: ({ side }) => interfaces[side] ?? side },
        { title: 'Count', class: 'num', show: ({ count }) => number(count) },
        {
          title: 'Rate',
          class: 'num',
          show: ({ perSecond }) => (perSecond === 0 ? null : `${small(perSecond)}/s`),
        },
        {
          title: 'Errors',
          class: 'num',
          show: ({ errors, count }) => (errors === 0 ? null : `${number(errors)} (${percent(errors / count)})`),
        },
        { title: 'p50', class: 'num', show: ({ p50Ms }) => duration(p50Ms) },
        { title: 'p95', class: 'num', show: ({ p95Ms }) => duration(p95Ms) },
        { title: 'p99', class: 'num', show: ({ p99Ms }) => duration(p99Ms) },
        { title: 'Last', class: 'num', show: ({ agoMs }) => `${duration(agoMs)} ago` },
      ]}
    />
  )
}

function Recent({ rows }: { rows: readonly Exchange[] }) {
  return (
    <Table
      label="Journal"
      rows={rows}
      keyOf={({ seq }) => seq}
      empty={['No requests yet', 'Requests to all interfaces appear here with their responses.']}
      columns={[
        { title: 'No.', class: 'num', show: ({ seq }) => seq },
        {
          title: 'Method',
          class: 'mono',
          show: ({ seq, method }) => (
            <a href={linkTo('request', String(seq))} data-key={`call-${seq}`} draggable={false}>
              {method}
            </a>
          ),
        },
        { title: 'Interface', show: ({ side }) => interfaces[side] ?? side },
        { title: 'Result', show: ({ outcome }) => <Pill kind={kinds[outcome] ?? ''}>{outcome}</Pill> },
        { title: 'Faults', show: ({ faults }) => faults.join(', ') },
        { title: 'Transport', show: ({ transport }) => transport },
        { title: 'Status', class: 'num', show: ({ status }) => status },
        { title: 'Duration', class: 'num', show: ({ tookMs }) => duration(tookMs) },
        { title: 'At', class: 'num', show: ({ timeMs }) => duration(timeMs) },
      ]}
    />
  )
}
