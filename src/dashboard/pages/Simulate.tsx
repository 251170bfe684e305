/** Simulates a transaction again with other input or on another state, without sending it. */
import JSON5 from 'json5'
import { post } from '../core/api.ts'
import { quantity } from '../core/format.ts'
import type { FullTx } from '../core/shapes.ts'
import type { CallView, Changed } from '../core/traceShapes.ts'
import { Pill } from '../parts/basics.tsx'
import { SimulationForm } from '../parts/SimulationForm.tsx'
import { sendRequestOf } from './copyAs.tsx'
import { CallTree, ChangeList } from './trace.tsx'

type Simulated = { readonly calls: CallView; readonly changes: readonly Changed[] }

/** Returns the quantity in a field. Throws if the text is no whole number. */
function quantityOf(text: string, name: string): string {
  const found = quantity(text)
  if (found === undefined) throw new Error(`${name}: expected a whole number, received "${text}".`)
  return found
}

/**
 * Resolves with the calls and state changes of the form's transaction, or rejects with the reason.
 */
async function simulate(field: (name: string) => string): Promise<Simulated> {
  const overrides = field('overrides') === '' ? undefined : (JSON5.parse(field('overrides')) as object)
  const members = ['from', 'to', 'data'].filter((name) => field(name) !== '').map((name) => [name, field(name)])
  return post<Simulated>('/simulate', {
    transaction: {
      ...Object.fromEntries(members),
      value: quantityOf(field('value') || '0', 'Value'),
      gas: quantityOf(field('gas') || '0', 'Gas limit'),
    },
    block: field('block'),
    ...(overrides === undefined ? {} : { overrides }),
  })
}

export function Simulate({ tx }: { tx: FullTx }) {
  return (
    <SimulationForm act={simulate} show={(told) => <Told told={told} />}>
      <Given tx={tx} />
    </SimulationForm>
  )
}

function Given({ tx }: { tx: FullTx }) {
  const given = sendRequestOf(tx)
  return (
    <>
      <div class="grid">
        <label>
          From
          <input name="from" class="mono" defaultValue={given['from'] ?? ''} />
        </label>
        <label>
          To
          <input name="to" class="mono" defaultValue={given['to'] ?? ''} />
        </label>
        <label>
          Value (wei)
          <input name="value" defaultValue={tx.wei ?? '0'} />
        </label>
        <label>
          Gas limit
          <input name="gas" defaultValue={String(tx.gasWanted)} />
        </label>
        <label>
          State after block
          <input name="block" defaultValue={String(tx.height - 1 || 'latest')} />
        </label>
      </div>
      <label>
        Calldata
        <textarea name="data" spellcheck={false} defaultValue={given['data'] ?? '0x'} />
      </label>
      <label>
        State overrides (JSON5, optional)
        <textarea
          name="overrides"
          spellcheck={false}
          placeholder="{ '0x…': { balance: '0x1', stateDiff: { '0x0…0': '0x0…1' } } }"
        />
      </label>
    </>
  )
}

function Told({ told: { calls, changes } }: { told: Simulated }) {
  const isOk = calls.error === undefined
  return (
    <>
      <h2>
        Result <Pill kind={isOk ? 'good' : 'bad'}>{isOk ? 'succeeds' : 'fails'}</Pill>
      </h2>
      <CallTree root={calls} />
      <h2>State changes</h2>
      <ChangeList changes={changes} />
    </>
  )
}
