/** The trace of a transaction: its call tree and state changes. */
import { decimal, number, units } from '../core/format.ts'
import { coin } from '../core/live.ts'
import type { CallView, Changed } from '../core/traceShapes.ts'
import { useData } from '../core/useData.ts'
import { AddressLink, Empty, Pending, Pill, Short } from '../parts/basics.tsx'
import { Table } from '../parts/Table.tsx'
import { Line } from './decoded.tsx'

export function Calls({ hash }: { hash: string }) {
  const { data, error } = useData<CallView>(`/transactions/${hash}/calls`, false)
  return data === undefined ? <Pending error={error} /> : <CallTree root={data} />
}

/** The call tree of a transaction; a frame with inner calls can be collapsed. */
export function CallTree({ root }: { root: CallView }) {
  return (
    <ul class="tree card" aria-label="Calls">
      <Frame frame={root} />
    </ul>
  )
}

function Frame({ frame }: { frame: CallView }) {
  const line = <FrameLine frame={frame} />
  return (
    <li class={frame.isOrigin ? 'origin' : ''}>
      {frame.calls.length === 0 ? (
        <div class="leaf">{line}</div>
      ) : (
        <details open>
          <summary>{line}</summary>
          <ul>
            {frame.calls.map((inner, index) => (
              <Frame key={index} frame={inner} />
            ))}
          </ul>
        </details>
      )}
    </li>
  )
}

function FrameLine({ frame }: { frame: CallView }) {
  const { type, to, value, gasUsed, input, output, decoded, returned, failure, error, isOrigin, source } = frame
  const wei = decimal(value)
  return (
    <>
      <Pill kind={error === undefined ? '' : 'bad'}>{type}</Pill> <AddressLink address={to ?? null} />{' '}
      {decoded !== null ? <Line {...decoded} /> : <span class="mono">{input.slice(0, 10)}</span>}{' '}
      {wei === '0' ? null : (
        <span class="value">
          {units(wei)} {coin.value}{' '}
        </span>
      )}
      <span class="hint">{number(Number(gasUsed))} gas</span>
      {returned !== null ? (
        <span class="hint"> → {returned.map((one) => one.value).join(', ')}</span>
      ) : error === undefined && output !== undefined && output !== '0x' ? (
        <span class="hint">
          {' '}
          → <Short text={output} />
        </span>
      ) : null}
      {error === undefined ? null : (
        <span class="fail">
          {' '}
          {isOrigin ? 'fails: ' : ''}
          {failure === null ? error : <Line {...failure} />}
          {source === null ? null : ` at ${source.file}:${source.line}`}
        </span>
      )}
    </>
  )
}

export function Changes({ hash }: { hash: string }) {
  const { data, error } = useData<readonly Changed[]>(`/transactions/${hash}/changes`, false)
  return data === undefined ? <Pending error={error} /> : <ChangeList changes={data} />
}

/** State values before and after the transaction, by account. */
export function ChangeList({ changes }: { changes: readonly Changed[] }) {
  const changed = changes.filter((one) => one.changes.length > 0)
  if (changed.length === 0) return <Empty title="No state changes" />
  return (
    <>
      {changed.map(({ address, changes: fields }) => (
        <section key={address}>
          <h2>
            <AddressLink address={address} whole />
          </h2>
          <Table
            label={`Changes of ${address}`}
            rows={fields}
            keyOf={({ field }) => field}
            empty={['Nothing']}
            columns={[
              { title: 'Field', show: ({ field }) => <Short text={field} /> },
              { title: 'Before', class: 'mono', show: ({ field, before }) => spelled(field, before) },
              { title: 'After', class: 'mono', show: ({ field, after }) => spelled(field, after) },
            ]}
          />
        </section>
      ))}
    </>
  )
}

function spelled(field: string, value: string | null) {
  if (value === null) return null
  if (field === 'balance') return `${units(decimal(value))} ${coin.value}`
  const isWord = field.startsWith('0x') || field === 'nonce'
  if (isWord && BigInt(value) < 10n ** 30n) return <span title={value}>{number(BigInt(value))}</span>
  return <Short text={value} />
}
