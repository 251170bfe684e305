/** The main chain and the sessions, which run beside it: as a list, and two of them side by side. */
import { remove, session as own } from '../core/api.ts'
import { confirm } from '../core/dialog.tsx'
import { moment, number } from '../core/format.ts'
import type { PageProps } from '../core/router.ts'
import { run } from '../core/said.ts'
import type { FullStatus } from '../core/shapes.ts'
import { useData } from '../core/useData.ts'
import { titleOf, pageUrl } from './chainNames.ts'
import { newSession } from './more.tsx'
import { SideBySide } from './SideBySide.tsx'
import { Copy, Empty, Pending, Pill } from '../parts/basics.tsx'
import { Table } from '../parts/Table.tsx'

export function Sessions({ query }: PageProps) {
  const { data, error, again } = useData<readonly FullStatus[]>('/sessions?main=true', 'timed')
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
        empty={['No chains']}
        columns={[
          {
            title: 'Name',
            show: ({ session }) => (
              <>
                <a href={pageUrl(session)}>{titleOf(session)}</a>{' '}
                {session === own ? <Pill kind="good">this page</Pill> : null}
              </>
            ),
          },
          { title: 'Height', class: 'num', show: ({ height }) => number(height) },
          { title: 'Block time (UTC)', show: ({ blockTime }) => moment(blockTime) },
          { title: 'Mempool', class: 'num', show: ({ waiting }) => number(waiting) },
          { title: 'Faults', class: 'num', show: ({ faults }) => number(faults) },
          { title: 'Requests', class: 'num', show: ({ calls }) => number(calls) },
          { title: 'Scenario', show: ({ scenario }) => `${scenario.name}: ${scenario.state}` },
          {
            title: '',
            show: ({ session }) =>
              session === '' ? (
                <span />
              ) : (
                <button type="button" class="small" onClick={() => end(session)}>
                  End…<span class="hidden"> {session}</span>
                </button>
              ),
          },
          {
            title: 'Ethereum JSON-RPC',
            class: 'mono wrap',
            show: ({ urls, session }) => (
              <>
                {urls['eth']} <Copy text={urls['eth'] ?? ''} what={`the URL of ${titleOf(session)}`} />
              </>
            ),
          },
        ]}
      />
      {data.length === 1 ? (
        <Empty title="No sessions">
          A session is a separate chain with the genesis of the main chain, for example for one test.
        </Empty>
      ) : (
        <SideBySide chains={data} query={query} />
      )}
    </>
  )
}
