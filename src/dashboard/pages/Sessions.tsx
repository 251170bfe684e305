/** The sessions: chains that run beside the main one. */
import { remove } from '../core/api.ts'
import { confirm } from '../core/dialog.tsx'
import { moment, number } from '../core/format.ts'
import { run } from '../core/said.ts'
import type { FullStatus } from '../core/shapes.ts'
import { useData } from '../core/useData.ts'
import { newSession } from './more.tsx'
import { Copy, Pending } from '../parts/basics.tsx'
import { Table } from '../parts/Table.tsx'

export function Sessions() {
  const { data, error, again } = useData<readonly FullStatus[]>('/sessions')
  if (data === undefined) return <Pending error={error} />
  const end = (name: string) =>
    confirm('End a session', {
      text: `The chain of session ${name} and everything on it will be deleted.`,
      verb: 'End session',
      act: () => run(remove(`/sessions/${name}`), () => `Ended session ${name}.`).then(again),
    })
  return (
    <>
      <div class="formrow">
        <button type="button" onClick={() => void newSession()}>
          New session
        </button>
      </div>
      <Table
        label="Sessions"
        rows={data}
        keyOf={({ session }) => session}
        empty={[
          'No sessions',
          'A session is a separate chain with the genesis of the main chain, for example for one test.',
        ]}
        columns={[
          { title: 'Name', show: ({ session }) => <a href={`/s/${session}/`}>{session}</a> },
          { title: 'Height', class: 'num', show: ({ height }) => number(height) },
          { title: 'Block time (UTC)', show: ({ blockTime }) => moment(blockTime) },
          { title: 'Mempool', class: 'num', show: ({ waiting }) => number(waiting) },
          { title: 'Faults', class: 'num', show: ({ faults }) => number(faults) },
          { title: 'Requests', class: 'num', show: ({ calls }) => number(calls) },
          { title: 'Scenario', show: ({ scenario }) => `${scenario.name}: ${scenario.state}` },
          {
            title: 'Ethereum JSON-RPC',
            class: 'mono',
            show: ({ urls, session }) => (
              <>
                {urls['eth']} <Copy text={urls['eth'] ?? ''} what={`the URL of ${session}`} />
              </>
            ),
          },
          {
            title: '',
            show: ({ session }) => (
              <button type="button" class="small" onClick={() => end(session)}>
                End…<span class="hidden"> {session}</span>
              </button>
            ),
          },
        ]}
      />
    </>
  )
}
