/** Decoded calls, errors and logs with named arguments. */
import type { Log } from '../core/shapes.ts'
import type { Arg, Decoded } from '../core/traceShapes.ts'
import { AddressLink, Short } from '../parts/basics.tsx'

function Value({ type, value }: Arg) {
  if (type === 'address') return <AddressLink address={value} />
  if (value.startsWith('0x') && value.length > 20) return <Short text={value} />
  return <span class="mono">{type === 'string' ? JSON.stringify(value) : value}</span>
}

/** A function, error or event on one line. */
export function Line({ name, args }: { name: string; args: readonly Arg[] }) {
  return (
    <span class="call">
      <strong>{name}</strong>(
      {args.map((arg, index) => (
        <span key={index}>
          {index > 0 ? ', ' : ''}
          {arg.name === '' ? null : <span class="hint">{arg.name} </span>}
          <Value {...arg} />
        </span>
      ))}
      )
    </span>
  )
}

export function LogText({ log }: { log: Log }) {
  const { decoded, topics, data } = log
  if (decoded !== null) return <Line name={decoded.event} args={decoded.args} />
  return (
    <span>
      <span class="hint">topic </span>
      <Short text={topics[0] ?? 'anonymous'} /> <span class="hint">{(data.length - 2) / 2} bytes</span>
    </span>
  )
}

/** A table with one argument per row. */
export function Args({ decoded, label }: { decoded: Decoded; label: string }) {
  return (
    <table aria-label={label} class="args" role="table">
      <tbody role="rowgroup">
        {decoded.args.map((arg, index) => (
          <tr key={index} role="row">
            <th scope="row" role="rowheader">
              {arg.name || index}
            </th>
            <td role="cell" class="hint">
              {arg.type}
            </td>
            <td role="cell" class="mono break">
              {arg.type === 'address' ? <AddressLink address={arg.value} whole /> : arg.value}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
