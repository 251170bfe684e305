/** A form in a dialog; it closes when its action succeeds and shows the error when it fails. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { close } from '../core/dialog.tsx'
import { say } from '../core/said.ts'

type Given = {
  readonly verb: string
  /** Runs the form's action. Resolves with a message for the user, or rejects with the error. */
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
