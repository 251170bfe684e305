/** The form of a simulation: it stays open, and the result or the error stands below it. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { type Field, SubmitForm } from './Form.tsx'

type Given<Result> = {
  /** Simulates with the fields of the form, whose texts are trimmed. Rejects with the reason. */
  readonly act: (field: Field) => Promise<Result>
  readonly show: (result: Result) => ComponentChildren
  readonly children: ComponentChildren
}

export function SimulationForm<Result>({ act, show, children }: Given<Result>) {
  const [told, setTold] = useState<{ readonly result: Result }>()
  const simulate = async (field: Field) => {
    setTold(undefined)
    setTold({ result: await act((name) => field(name).trim()) })
  }
  return (
    <>
      <SubmitForm verb="Simulate" class="stack card pad" label="Simulate again" act={simulate}>
        {children}
      </SubmitForm>
      {told === undefined ? null : show(told.result)}
    </>
  )
}
