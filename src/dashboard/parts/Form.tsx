/** A form in the dialog: it closes when its action succeeds, and shows why when it is refused. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { close } from '../core/dialog.tsx'
import { say } from '../core/said.ts'

type Given = {
  readonly verb: string
  /** Carries the form out and resolves with what to tell; throws why it cannot. */
  readonly act: (field: (name: string) => string) => Promise<string>
  readonly children: ComponentChildren
}

export function Form({ verb, act, children }: Given) {
  const [error, setError] = useState('')
  const [isBusy, setBusy] = useState(false)
  const submit = async (form: HTMLFormElement) => {
    const fields = new FormData(form)
    setBusy(true)
    try {
      say(await act((name) => String(fields.get(name) ?? '')))
      close()
    } catch (failure) {
      setError((failure as Error).message)
      say((failure as Error).message, true)
    }
    setBusy(false)
  }
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        void submit(event.currentTarget)
      }}
    >
      {children}
      <button class="main" disabled={isBusy}>
        {verb}
      </button>
      {error === '' ? null : (
        <p class="fail" role="alert">
          {error}
        </p>
      )}
    </form>
  )
}
