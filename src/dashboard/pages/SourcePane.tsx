/** The source lines around an opcode step or a failing call. */
import type { SourcePlace } from '../core/traceShapes.ts'
import { useData } from '../core/useData.ts'
import { Pending } from '../parts/basics.tsx'

const linesAround = 8

export function SourcePane({ source: { file, line } }: { source: SourcePlace }) {
  const { data, error } = useData<{ readonly text: string }>(`/sources?file=${encodeURIComponent(file)}`, false)
  if (data === undefined) return <Pending error={error} />
  const first = Math.max(1, line - linesAround)
  const lines = data.text.split('\n').slice(first - 1, line + linesAround)
  return (
    <figure class="card source">
      <figcaption class="mono break">
        {file}:{line}
      </figcaption>
      <pre tabIndex={0} role="region" aria-label={`${file}, line ${line}`}>
        {lines.map((text, at) => (
          <span
            key={at}
            class={first + at === line ? 'here' : ''}
            aria-current={first + at === line ? 'true' : undefined}
          >
            <span class="lineno">{first + at}</span>
            {text}
            {'\n'}
          </span>
        ))}
      </pre>
    </figure>
  )
}
