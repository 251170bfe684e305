/** The form of a simulation: it stays open, and the result or the error stands below it. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

type Given<Result> = {
  /** Simulates with the fields of the form, whose texts are trimmed. Rejects with the reason. */
  readonly act: (field: (name: string) => string) => Promise<Result>
  readonly show: (result: Result) => ComponentChildren
  readonly children: ComponentChildren
}

export function SimulationForm<Result>({ act, show, children }: Given<Result>) {
  const [told, setTold] = useState<{ readonly result: Result }>()
  const [error, setError] = useState('')
  const [isBusy, setBusy] = useState(false)
  const submit = async (form: HTMLFormElement) => {
    const fields = new FormData(form)
    setBusy(true)
    setError('')
    setTold(undefined)
    try {
      setTold({ result: await act((name) => String(fields.get(name) ?? '').trim()) })
    } catch (failure) {
      setError((failure as Error).message)
    }
    setBusy(false)
  }
  return (
    <>
      <form
        class="stack card pad"
        aria-label="Simulate again"
        onSubmit={(event) => {
          event.preventDefault()
          void submit(event.currentTarget)
        }}
      >
        {children}
        <button class="main" disabled={isBusy}>
          Simulate
        </button>
        {error === '' ? null : (
          <p class="fail" role="alert">
            {error}
          </p>
        )}
      </form>
      {told === undefined ? null : show(told.result)}
    </>
  )
}
