/** Forms with one button. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { close } from '../core/dialog.tsx'
import { say } from '../core/said.ts'

/** Returns the text of a field by its name. */
export type Field = (name: string) => string

type Submitted = {
  readonly verb: string
  /** Runs the form's action; an error is shown below the button. */
  readonly act: (field: Field) => Promise<void>
  readonly class?: string
  readonly label?: string
  readonly children: ComponentChildren
}

/** A form that stays open. */
export function SubmitForm({ verb, act, class: look = 'stack', label, children }: Submitted) {
  const [error, setError] = useState('')
  const [isBusy, setBusy] = useState(false)
  const submit = async (form: HTMLFormElement) => {
    const fields = new FormData(form)
    setBusy(true)
    setError('')
    try {
      await act((name) => String(fields.get(name) ?? ''))
    } catch (failure) {
      setError((failure as Error).message)
    }
    setBusy(false)
  }
  return (
    <form
      class={look}
      aria-label={label}
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

type Given = {
  readonly verb: string
  /** Runs the form's action. Resolves with a message for the user, or rejects with the error. */
  readonly act: (field: Field) => Promise<string>
  readonly children: ComponentChildren
}

/** A form in a dialog; it closes when its action succeeds and shows the error when it fails. */
export function Form({ verb, act, children }: Given) {
  const submit = async (field: Field) => {
    try {
      say(await act(field))
      close()
    } catch (failure) {
      say((failure as Error).message, true)
      throw failure
    }
  }
  return (
    <SubmitForm verb={verb} act={submit}>
      {children}
    </SubmitForm>
  )
}
