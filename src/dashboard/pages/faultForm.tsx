/** The form for a new fault; its fields generate JSON5, which the user can also edit. */
import JSON5 from 'json5'
import { useState } from 'preact/hooks'
import { get, post } from '../core/api.ts'
import { close, open } from '../core/dialog.tsx'
import { refresh } from '../core/live.ts'
import { run } from '../core/said.ts'
import { Copy } from '../parts/basics.tsx'
import { Form } from '../parts/Form.tsx'

type Drafted = {
  readonly method: string
  readonly iface: string
  readonly effect: string
  readonly amount: string
  readonly select: string
  readonly count: string
}

const first: Drafted = { method: 'eth_*', iface: 'eth', effect: 'latency', amount: '200ms', select: 'all', count: '1' }

const effects: Readonly<Record<string, readonly [string, string, (amount: string) => unknown]>> = {
  latency: ['delay the response', '200ms', (amount) => amount],
  rpcError: ['JSON-RPC error', '-32005', (amount) => ({ code: Number(amount), message: 'limit exceeded' })],
  http: ['HTTP status', '503', (amount) => ({ status: Number(amount) })],
  hang: ['never respond', '', () => true],
  nullResult: ['null result', '', () => true],
  empty: ['empty body', '', () => true],
  truncate: ['truncate the response', '', () => true],
  refuse: ['refuse connections', '', () => true],
}

/** Returns a scenario rule from the form's fields. */
function ruleOf({ method, iface, effect, amount, select, count }: Drafted): string {
  const effectOf = effects[effect]?.[2] ?? (() => true)
  const rule = {
    match: { ...(iface === '' ? {} : { iface }), ...(method === '' ? {} : { method }) },
    ...(select === 'first' ? { select: { count: Number(count) } } : {}),
    ...(select === 'share' ? { select: { probability: Number(count) } } : {}),
    effect: { [effect]: effectOf(amount) },
  }
  return JSON5.stringify(rule, null, 2)
}

type Changing = { readonly draft: Drafted; readonly change: (part: Partial<Drafted>) => void }

function DraftFields({ draft, change }: Changing) {
  const field =
    (key: keyof Drafted) =>
    ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLSelectElement }) =>
      change({ [key]: currentTarget.value })
  return (
    <>
      <label>
        Interface
        <select value={draft.iface} onChange={field('iface')}>
          <option value="eth">Ethereum JSON-RPC</option>
          <option value="comet">CometBFT RPC</option>
          <option value="rest">Cosmos REST</option>
          <option value="grpc">gRPC</option>
          <option value="">all</option>
        </select>
      </label>
      <label>
        Method (with *)
        <input value={draft.method} onInput={field('method')} class="mono" />
      </label>
      <label>
        Effect
        <select
          value={draft.effect}
          onChange={({ currentTarget: { value } }) => change({ effect: value, amount: effects[value]?.[1] ?? '' })}
        >
          {Object.entries(effects).map(([id, [title]]) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
      </label>
      {effects[draft.effect]?.[1] === '' ? null : (
        <label>
          Amount
          <input value={draft.amount} onInput={field('amount')} />
        </label>
      )}
      <label>
        Requests
        <select value={draft.select} onChange={field('select')}>
          <option value="all">all</option>
          <option value="first">the first N</option>
          <option value="share">a share (0 to 1)</option>
        </select>
      </label>
      {draft.select === 'all' ? null : (
        <label>
          {draft.select === 'first' ? 'How many' : 'Share'}
          <input value={draft.count} onInput={field('count')} />
        </label>
      )}
    </>
  )
}

function FaultForm({ names }: { names: readonly string[] }) {
  const [draft, setDraft] = useState(first)
  const [text, setText] = useState(ruleOf(first))
  const [name, setName] = useState('slow')
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
          Duration (empty: until turned off)
          <input name="for" placeholder="30s" />
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
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
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
  const { available } = await get<Known>('/faults')
  open('New fault', <FaultForm names={available.map(({ name }) => name)} />)
}
