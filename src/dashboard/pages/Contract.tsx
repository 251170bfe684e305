/** Reads and writes a contract by its ABI, using the node's accounts. */
import { useState } from 'preact/hooks'
import { openAbi } from './forms.tsx'
import { post } from '../core/api.ts'
import type { AddressView, Fn } from '../core/addressShapes.ts'
import type { Arg } from '../core/traceShapes.ts'
import { Empty, TxLink } from '../parts/basics.tsx'
import { AccountField } from './AccountField.tsx'

export function Contract({ data: { contract, ethereum } }: { data: AddressView }) {
  if (contract === null) {
    return (
      <>
        <Empty title="No ABI matches this code">
          Add an ABI, or start with <code>--artifacts</code> and your compiler's output folder.
        </Empty>
        <button type="button" onClick={openAbi}>
          Add an ABI…
        </button>
      </>
    )
  }
  const [reads, writes] = [
    contract.functions.filter((one) => one.reads),
    contract.functions.filter((one) => !one.reads),
  ]
  return (
    <div class="columns">
      <section>
        <h2>Read</h2>
        {reads.map((one) => (
          <FunctionForm key={one.signature} fn={one} title={titleOf(one, contract.functions)} address={ethereum} />
        ))}
      </section>
      <section>
        <h2>Write</h2>
        {writes.map((one) => (
          <FunctionForm key={one.signature} fn={one} title={titleOf(one, contract.functions)} address={ethereum} />
        ))}
      </section>
    </div>
  )
}

/** Overloaded functions differ only in their signature. */
function titleOf({ name, signature }: Fn, all: readonly Fn[]): string {
  return all.filter((one) => one.name === name).length > 1 ? signature : name
}

type Outcome = { readonly values?: readonly Arg[]; readonly hash?: string; readonly error?: string }

/** A form for one function; `title` is its name, or its signature if others have the same name. */
function FunctionForm({ fn, title, address }: { fn: Fn; title: string; address: string }) {
  const [outcome, setOutcome] = useState<Outcome>()
  const [isBusy, setBusy] = useState(false)
  const submit = async (form: HTMLFormElement) => {
    const fields = new FormData(form)
    const field = (name: string) => String(fields.get(name) ?? '')
    const body = {
      address,
      signature: fn.signature,
      args: fn.inputs.map((_, index) => field(`arg${index}`)),
      ...(field('value') === '' ? {} : { value: field('value') }),
    }
    setBusy(true)
    try {
      setOutcome(
        fn.reads
          ? await post<Outcome>('/contracts/read', body)
          : await post<Outcome>('/contracts/write', { ...body, from: field('from') }),
      )
    } catch (failure) {
      setOutcome({ error: (failure as Error).message })
    }
    setBusy(false)
  }
  return (
    <form
      class="card pad stack fn"
      aria-label={fn.signature}
      onSubmit={(event) => {
        event.preventDefault()
        void submit(event.currentTarget)
      }}
    >
      <strong class="mono break">{title}</strong>
      {fn.inputs.map(({ name, type }, index) => (
        <label key={index}>
          <span>
            {name || `argument ${index}`} <span class="mono">{type}</span>
          </span>
          <input name={`arg${index}`} class="mono" spellcheck={false} />
        </label>
      ))}
      {fn.reads ? null : <AccountField label="From" />}
      {fn.payable ? (
        <label>
          Value (wei)
          <input name="value" inputMode="numeric" />
        </label>
      ) : null}
      <button disabled={isBusy}>{fn.reads ? 'Read' : 'Send'}</button>
      {outcome === undefined ? null : <OutcomeLine outcome={outcome} />}
    </form>
  )
}

function OutcomeLine({ outcome: { values, hash, error } }: { outcome: Outcome }) {
  if (error !== undefined) {
    return (
      <p class="fail" role="alert">
        {error}
      </p>
    )
  }
  return (
    <output class="mono break">
      {hash === undefined
        ? values?.map(({ name, value }) => `${name === '' ? '' : `${name} `}${value}`).join(', ')
        : null}
      {hash === undefined ? null : <TxLink hash={hash} />}
    </output>
  )
}
