/**
 * The opcode steps of a transaction, page by page, with the selected step's stack and source line.
 */
import { number } from '../core/format.ts'
import { linkTo } from '../core/router.ts'
import type { Step, StepMemory, StepPage } from '../core/traceShapes.ts'
import { useData } from '../core/useData.ts'
import { Pending } from '../parts/basics.tsx'
import { firstRow } from '../parts/PageLinks.tsx'
import { Table } from '../parts/Table.tsx'
import { SourcePane } from './SourcePane.tsx'

const size = 100

type Given = {
  readonly hash: string
  /** The first step shown and the selected step, both from the URL. */
  readonly query: Readonly<Record<string, string>>
}

export function Steps({ hash, query: { from, step } }: Given) {
  const first = firstRow(from)
  const { data, error } = useData<StepPage>(`/transactions/${hash}/steps?from=${first}&limit=${size}`, false)
  if (data === undefined) return <Pending error={error} />
  const { rows, total, next, failure } = data
  const to = (query: Readonly<Record<string, number>>) => linkTo('tx', hash, { tab: 'steps', ...query })
  const toStep = (index: number) => to({ from: Math.floor(index / size) * size, step: index })
  const last = Math.max(0, Math.floor((total - 1) / size) * size)
  const chosen = rows.find(({ index }) => String(index) === step)
  return (
    <>
      <nav class="pager" aria-label="Pagination of steps">
        {first > 0 ? (
          <>
            <a class="button" href={to({ from: 0 })}>
              First
            </a>
            <a class="button" href={to({ from: Math.max(0, first - size) })}>
              Earlier steps
            </a>
          </>
        ) : null}
        <span class="hint">
          {total === 0 ? '' : `${number(first)} to ${number(first + rows.length - 1)} of ${number(total)}`}
        </span>
        {next === null ? null : (
          <>
            <a class="button" href={to({ from: next })}>
              Later steps
            </a>
            <a class="button" href={to({ from: last })}>
              Last
            </a>
          </>
        )}
        {failure === null ? null : (
          <a class="button" href={toStep(failure)}>
            Go to failure
          </a>
        )}
      </nav>
      <div class={chosen === undefined ? '' : 'beside'}>
        <StepTable rows={rows} failure={failure} chosen={chosen} link={toStep} />
        {chosen === undefined ? null : <Chosen hash={hash} step={chosen} />}
      </div>
    </>
  )
}

type Listed = {
  readonly rows: readonly Step[]
  readonly failure: number | null
  readonly chosen: Step | undefined
  readonly link: (index: number) => string
}

function StepTable({ rows, failure, chosen, link }: Listed) {
  const hasSource = rows.some(({ source }) => source !== null)
  return (
    <Table
      label="Opcode steps"
      rows={rows}
      keyOf={({ index }) => index}
      empty={['No opcodes', 'A transfer to an account without code runs no opcodes.']}
      columns={[
        {
          title: 'Step',
          class: 'num',
          show: ({ index }) => (
            <a
              href={link(index)}
              data-key={`step-${index}`}
              aria-current={index === chosen?.index ? 'step' : undefined}
              draggable={false}
            >
              {index}
            </a>
          ),
        },
        { title: 'Depth', class: 'num', show: ({ depth }) => depth },
        { title: 'PC', class: 'num', show: ({ pc }) => pc },
        {
          title: 'Opcode',
          class: 'mono',
          show: ({ index, op, error }) =>
            index === failure || error !== undefined ? <span class="fail">{[op, error].join(' ').trim()}</span> : op,
        },
        ...(hasSource
          ? [{ title: 'Source', class: 'mono', show: ({ source }: Step) => (source === null ? '' : placeOf(source)) }]
          : []),
        { title: 'Remaining gas', class: 'num', show: ({ gas }) => number(gas) },
        { title: 'Cost', class: 'num', show: ({ gasCost }) => number(gasCost) },
        {
          title: 'Stack, top first',
          class: 'mono wrap',
          show: ({ stack = [] }) => stack.toReversed().slice(0, 3).map(brief).join(' '),
        },
      ]}
    />
  )
}

const placeOf = ({ file, line }: NonNullable<Step['source']>) => `${file.split('/').at(-1)}:${line}`

function Chosen({ hash, step: { index, op, stack = [], source } }: { hash: string; step: Step }) {
  return (
    <aside aria-label={`Step ${index}`}>
      <h2>
        Step {number(index)} <code>{op}</code>
      </h2>
      {source === null ? (
        <p class="hint">
          No source map matches this code. Start with <code>--artifacts</code> and the output folder of Hardhat or
          Foundry.
        </p>
      ) : (
        <SourcePane source={source} />
      )}
      <h3>Stack, top first</h3>
      {stack.length === 0 ? (
        <p class="hint">The stack is empty.</p>
      ) : (
        <ol class="card pad mono stackwords">
          {stack.toReversed().map((word, at) => (
            <li key={at}>{word}</li>
          ))}
        </ol>
      )}
      <h3>Memory</h3>
      <Memory hash={hash} index={index} />
    </aside>
  )
}

/** The number of hex digits of a word of 32 bytes. */
const wordDigits = 64

function Memory({ hash, index }: { hash: string; index: number }) {
  const { data, error } = useData<StepMemory>(`/transactions/${hash}/steps/${index}/memory`, false)
  if (data === undefined) return <Pending error={error} />
  if (data.size === 0) return <p class="hint">The memory is empty.</p>
  const words = data.data.slice(2).match(new RegExp(`.{1,${wordDigits}}`, 'g')) ?? []
  return (
    <>
      <ol class="card pad mono stackwords memory" aria-label="Memory">
        {words.map((word, at) => (
          <li key={at}>
            <span class="hint">0x{(at * 32).toString(16).padStart(3, '0')}</span> {word}
          </li>
        ))}
      </ol>
      {words.length * 32 < data.size ? (
        <p class="hint">
          The first {number(words.length * 32)} of {number(data.size)} bytes.
        </p>
      ) : null}
    </>
  )
}

const brief = (word: string) => (word.length > 14 ? `${word.slice(0, 6)}…${word.slice(-4)}` : word)
