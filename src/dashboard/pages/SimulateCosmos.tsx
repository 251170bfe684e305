/** Simulates a Cosmos transaction again with other messages, without sending it. */
import JSON5 from 'json5'
import { post } from '../core/api.ts'
import { number } from '../core/format.ts'
import type { CosmosEvent, FullTx, ModuleChange } from '../core/shapes.ts'
import { Pill } from '../parts/basics.tsx'
import { SimulationForm } from '../parts/SimulationForm.tsx'
import { GroupedEvents, messagesOf } from './messages.tsx'
import { ModuleChanges } from './moduleChanges.tsx'

type Messages = readonly Readonly<Record<string, unknown>>[]
type Told = {
  readonly error: string | null
  readonly gasUsed: number | null
  readonly events: readonly CosmosEvent[]
  readonly changes: readonly ModuleChange[]
}

export function SimulateCosmos({ tx }: { tx: FullTx }) {
  const act = async (field: (name: string) => string) => {
    const messages = JSON5.parse<Messages>(field('messages'))
    return { messages, result: await post<Told>('/simulate/cosmos', { hash: tx.hash, messages, memo: field('memo') }) }
  }
  return (
    <SimulationForm act={act} show={(told) => <Result {...told} />}>
      <p class="hint">
        Runs on the latest state with the same signers, their current sequences and the same fee. Signatures are not
        checked, and nothing is sent.
      </p>
      <label>
        Messages (JSON5)
        <textarea
          name="messages"
          class="tall"
          spellcheck={false}
          defaultValue={JSON.stringify(messagesOf(tx), null, 2)}
        />
      </label>
      <label>
        Memo
        <input name="memo" class="long" defaultValue={tx.cosmos.result?.tx.body.memo ?? ''} />
      </label>
    </SimulationForm>
  )
}

function Result({ result: { error, gasUsed, events, changes }, messages }: { result: Told; messages: Messages }) {
  const isOk = error === null
  return (
    <>
      <h2>
        Result <Pill kind={isOk ? 'good' : 'bad'}>{isOk ? 'succeeds' : 'fails'}</Pill>
      </h2>
      {isOk ? <p>Uses {number(gasUsed ?? 0)} gas.</p> : <p class="fail">{error}</p>}
      {isOk ? (
        <>
          <ModuleChanges changes={changes} />
          <GroupedEvents events={events} messages={messages} />
        </>
      ) : null}
    </>
  )
}
