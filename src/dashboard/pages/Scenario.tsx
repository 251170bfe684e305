/** The scenario as a timeline of completed, current and upcoming steps, with its rules. */
import { post } from '../core/api.ts'
import { duration, number } from '../core/format.ts'
import { run } from '../core/said.ts'
import { useData } from '../core/useData.ts'
import { Empty, Folded, Pending, Pill, type Kind } from '../parts/basics.tsx'
import { Table } from '../parts/Table.tsx'

type Part = Readonly<Record<string, unknown>>
type Step = {
  readonly id: string
  readonly source: string
  readonly state: string
  readonly failures: readonly string[]
  readonly when: Part
  readonly actions: readonly Part[]
  readonly expectations: readonly Part[]
  readonly missing?: string
  readonly met?: number
  readonly fired?: number
  readonly times?: number
  readonly leftMs?: number
  readonly waitsFor: string | null
}
type Rule = {
  readonly id: string
  readonly when: Part
  readonly actions: readonly Part[]
  readonly phase: string | null
  readonly times: number | null
  readonly fired: number
  readonly failures: readonly string[]
}
type Told = {
  readonly name: string
  readonly description: string
  readonly state: string
  readonly steps: readonly Step[]
  readonly rules: readonly Rule[]
}

const kinds: Readonly<Record<string, Kind>> = {
  done: 'good',
  passed: 'good',
  failed: 'bad',
  waiting: 'warn',
  running: 'warn',
  checking: 'warn',
}

export function Scenario() {
  const { data: told, error } = useData<Told>('/scenario', 'timed')
  if (told === undefined) return <Pending error={error} />
  return (
    <>
      <p>
        <strong>{told.name}</strong> <Pill kind={kinds[told.state] ?? ''}>{told.state}</Pill>{' '}
        <span class="hint">{told.description}</span>
      </p>
      {told.steps.length === 0 ? (
        <Empty title="This scenario has no steps">
          Add steps to the scenario file, or start with <code>scenarios/slow-node.json5</code>.
        </Empty>
      ) : (
        <Steps steps={told.steps} />
      )}
      {told.rules.length === 0 ? null : (
        <>
          <h2>Rules</h2>
          <Rules rules={told.rules} />
        </>
      )}
    </>
  )
}

function Steps({ steps }: { steps: readonly Step[] }) {
  const over = steps.filter(({ state }) => state === 'done' || state === 'failed').length
  return (
    <>
      <progress max={steps.length} value={over} aria-label={`${over} of ${steps.length} steps finished`} />
      <ol class="steps card">
        {steps.map((step) => (
          <StepItem key={step.id} step={step} />
        ))}
      </ol>
    </>
  )
}

function StepItem({ step }: { step: Step }) {
  const { id, source, state, when, actions, expectations, failures, waitsFor } = step
  return (
    <li class={state.replace(' ', '')}>
      <Pill kind={kinds[state] ?? ''}>{state}</Pill>
      <div>
        <strong>{id}</strong>{' '}
        <span class="hint" title={source}>
          {source.split(/[\\/]/).at(-1)}
        </span>
        <div class="hint">when {spelled(when)}</div>
        <div>{actions.map(spelled).join('; ') || 'no actions'}</div>
        {expectations.length === 0 ? null : (
          <div class="hint">expects {expectations.map(({ source: _, ...one }) => spelled(one)).join('; ')}</div>
        )}
        <Standing {...step} />
        {failures.map((text) => (
          <div key={text} class="fail">
            {text}
          </div>
        ))}
        {waitsFor !== null && state === 'waiting' ? (
          <button
            type="button"
            onClick={() => void run(post('/signal', { name: waitsFor }), () => `Sent signal "${waitsFor}".`)}
          >
            Send signal "{waitsFor}"
          </button>
        ) : null}
        <Folded title="Compiled step" value={{ when, do: actions, expect: expectations }} />
      </div>
    </li>
  )
}

/** The progress of the current step. */
function Standing({ missing, met = 0, expectations, fired = 0, times = 1, leftMs = Number.POSITIVE_INFINITY }: Step) {
  if (missing === undefined) return null
  const parts = [
    missing,
    expectations.length > 0 && met > 0 ? `${met} of ${expectations.length} expectations met` : '',
    times > 1 ? `time ${fired + 1} of ${times}` : '',
    leftMs < 3_600_000 ? `${duration(leftMs)} left` : '',
  ]
  return <div class="standing">{parts.filter((part) => part !== '').join('; ')}</div>
}

function Rules({ rules }: { rules: readonly Rule[] }) {
  return (
    <Table
      label="Rules"
      rows={rules}
      keyOf={({ id }) => id}
      empty={['No rules']}
      columns={[
        { title: 'Name', show: ({ id }) => id },
        {
          title: 'Fired',
          class: 'num',
          show: ({ fired, times }) => (times === null ? number(fired) : `${number(fired)} of ${number(times)}`),
        },
        { title: 'Phase', show: ({ phase }) => phase },
        { title: 'When', class: 'wrap', show: ({ when }) => spelled(when) },
        {
          title: 'Actions',
          class: 'wrap',
          show: ({ actions, failures }) => (
            <>
              {actions.map(spelled).join('; ')}
              {failures.map((text) => (
                <div key={text} class="fail">
                  {text}
                </div>
              ))}
            </>
          ),
        },
      ]}
    />
  )
}

/** Returns a trigger, action or expectation in words; new kinds need no changes here. */
function spelled({ type, ...rest }: Part): string {
  // A counted trigger describes itself; its key is for the program.
  if (type === 'counted') return `${String(rest['text'])}, occurrence ${String(rest['nth'])}`
  const members = Object.entries(rest)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => memberText(name, value))
  return [type === 'command' ? '' : type, ...members].filter((part) => part !== undefined && part !== '').join(' ')
}

function memberText(name: string, value: unknown): string {
  if (typeof value === 'object' && value !== null) return spelled(value as Part)
  if (name === 'ms') return duration(Number(value))
  return name === 'text' ? `"${String(value)}"` : `${name} ${String(value)}`
}
