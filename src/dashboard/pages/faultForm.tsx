/** The form for a new fault; its fields generate JSON5, which the user can also edit. */
import JSON5 from 'json5'
import { useEffect, useState } from 'preact/hooks'
import { get, post } from '../core/api.ts'
import { close, open } from '../core/dialog.tsx'
import { refresh } from '../core/live.ts'
import { heard, run } from '../core/said.ts'
import { Copy } from '../parts/basics.tsx'
import { Form } from '../parts/Form.tsx'
import { DraftFields, first, ruleOf, type Drafted } from './faultDraft.tsx'

function FaultForm({ names }: { names: readonly string[] }) {
  const [draft, setDraft] = useState(first)
  const [text, setText] = useState(ruleOf(first))
  const [name, setName] = useState('slow')
  const problem = useProblem(name, text)
  const change = (part: Partial<Drafted>) => {
    const next = { ...draft, ...part }
    setDraft(next)
    setText(ruleOf(next))
  }
  return (
    <Form
      verb="Turn on"
      act={async (value) => {
        const rule = parsed(value('rule'))
        await post('/faults', {
          name,
          rule,
          ...(value('for') === '' ? {} : { for: value('for') }),
          ...(value('forBlocks') === '' ? {} : { forBlocks: Number(value('forBlocks')) }),
        })
        refresh()
        return `"${name}" is on.`
      }}
    >
      {names.length === 0 ? null : (
        <p class="hint">Turn the faults of the scenario on and off on the Faults page: {names.join(', ')}.</p>
      )}
      <div class="grid">
        <label>
          Name
          <input name="name" value={name} required onInput={({ currentTarget }) => setName(currentTarget.value)} />
        </label>
        <DraftFields draft={draft} change={change} />
        <label>
          Duration, such as 30s
          <input name="for" placeholder="until turned off" />
        </label>
        <label>
          Number of blocks
          <input name="forBlocks" type="number" min={1} />
        </label>
      </div>
      <label>
        Rule (JSON5)
        <textarea
          name="rule"
          value={text}
          spellcheck={false}
          aria-describedby="ruleproblem"
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      <p id="ruleproblem" class={problem === null ? 'hint' : 'fail'} role="status">
        {problem ?? 'The rule is valid.'}
      </p>
      <div class="formrow">
        <Copy text={`faults: { ${JSON.stringify(name)}: ${text} }`} what="the fault for a scenario">
          Copy for scenario
        </Copy>
        <button type="button" onClick={() => void save(name, text)}>
          Save to scenario
        </button>
      </div>
    </Form>
  )
}

/** The pause in typing after which the chain checks the rule, in milliseconds. */
const pauseMs = 250

/** Returns what is wrong with a rule, checked while the user types; null if it is valid. */
function useProblem(name: string, text: string): string | null {
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    let isOver = false
    const check = async () => {
      const told = await checked(name, text).catch((error: Error) => error.message)
      if (!isOver) setProblem(told)
    }
    const timer = setTimeout(() => void check(), pauseMs)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [name, text])
  return problem
}

async function checked(name: string, text: string): Promise<string | null> {
  const { problem } = await post<{ problem: string | null }>('/faults/check', { name, rule: parsed(text) })
  return problem
}

/** Adds the fault to the scenario file; the Faults page lists it after the hot reload. */
function save(name: string, text: string): Promise<boolean> {
  const saving = async () => post<{ path: string }>('/faults/save', { name, rule: parsed(text) })
  return run(saving(), ({ path }) => `Saved "${name}" to ${path}.`).then((isDone) => {
    if (isDone) close()
    return isDone
  })
}

function parsed(text: string): unknown {
  try {
    return JSON5.parse(text)
  } catch (error) {
    throw new Error(`The rule is not valid JSON5: ${(error as Error).message}`)
  }
}

type Known = { readonly available: readonly { readonly name: string }[] }

/** Opens the form for a new fault. */
export async function openFault(): Promise<void> {
  const told = await heard(get<Known>('/faults'))
  if (told === undefined) return
  open('New fault', <FaultForm names={told.available.map(({ name }) => name)} />)
}
