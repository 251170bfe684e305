/** One request with its response. */
import type { PageProps } from '../core/router.ts'
import { duration } from '../core/format.ts'
import { useData } from '../core/useData.ts'
import { Copy, Fields, Json, Pending } from '../parts/basics.tsx'
import { interfaces } from './Requests.tsx'

type Exchange = {
  readonly seq: number
  readonly side: string
  readonly transport: string
  readonly target: string
  readonly timeMs: number
  readonly tookMs?: number
  readonly status?: number
  readonly request: string
  readonly answer?: string
  readonly calls: readonly { readonly faults: readonly string[] }[]
}

export function Request({ id }: PageProps) {
  const { data: one, error } = useData<Exchange>(`/journal/${encodeURIComponent(id)}`, false)
  if (one === undefined) return <Pending error={error} />
  return (
    <>
      <div class="card">
        <Fields
          pairs={[
            ['Interface', interfaces[one.side] ?? one.side],
            ['Transport', `${one.transport} ${one.target}`],
            ['Arrived at', duration(one.timeMs)],
            ['Duration', one.tookMs === undefined ? 'no response yet' : duration(one.tookMs)],
            ['HTTP status', one.status],
            ['Faults', one.calls.flatMap(({ faults }) => faults).join(', ')],
          ]}
        />
      </div>
      <h2>
        Request <Copy text={one.request} what="the request" />
      </h2>
      <Json value={one.request} label="Request" />
      <h2>
        Response <Copy text={one.answer ?? ''} what="the response" />
      </h2>
      {one.answer === undefined ? <p>No response yet.</p> : <Json value={one.answer} label="Response" />}
    </>
  )
}
