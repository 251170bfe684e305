/** Two chains of this process in columns, with a mark where they differ. */
import type { ComponentChildren } from 'preact'
import { counted, moment, number } from '../core/format.ts'
import { go } from '../core/router.ts'
import type { Block, FullStatus } from '../core/shapes.ts'
import { useData } from '../core/useData.ts'
import { Pill, Short } from '../parts/basics.tsx'
import { Table } from '../parts/Table.tsx'
import { titleOf, pageUrl } from './chainNames.ts'

type Faulty = { readonly active: readonly { readonly name: string; readonly applied: number }[] }

/** What one chain shows, and what of it counts as a difference. */
type Seen = { readonly show: ComponentChildren; readonly same: string }
type Compared = { readonly name: string; readonly left: Seen; readonly right: Seen }

type Query = Readonly<Record<string, string>>

export function SideBySide({ chains, query }: { chains: readonly FullStatus[]; query: Query }) {
  const names = chains.map(({ session }) => session)
  const [first = '', second = ''] = names
  const chosen = (name: string | undefined, otherwise: string) =>
    name !== undefined && names.includes(name) ? name : otherwise
  const [left, right] = [chosen(query['left'], first), chosen(query['right'], second)]
  return (
    <>
      <h2>Side by side</h2>
      <div class="formrow">
        <Choice label="Left" names={names} value={left} choose={(name) => go('sessions', '', { left: name, right })} />
        <Choice
          label="Right"
          names={names}
          value={right}
          choose={(name) => go('sessions', '', { left, right: name })}
        />
      </div>
      <Columns key={`${left} ${right}`} chains={chains} left={left} right={right} />
    </>
  )
}

type Chosen = {
  readonly label: string
  readonly names: readonly string[]
  readonly value: string
  readonly choose: (name: string) => void
}

function Choice({ label, names, value, choose }: Chosen) {
  return (
    <label>
      {label}
      <select value={value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {names.map((name) => (
          <option key={name} value={name}>
            {titleOf(name)}
          </option>
        ))}
      </select>
    </label>
  )
}

type Pair = { readonly chains: readonly FullStatus[]; readonly left: string; readonly right: string }

function Columns({ chains, left, right }: Pair) {
  const one = useChain(chains, left)
  const other = useChain(chains, right)
  const rows = Object.entries(one).flatMap(([name, seen]): readonly Compared[] => {
    const there = other[name]
    return there === undefined ? [] : [{ name, left: seen, right: there }]
  })
  return (
    <Table
      label="Two chains side by side"
      rows={rows}
      keyOf={({ name }) => name}
      empty={['These chains have ended']}
      columns={[
        {
          title: 'Fact',
          class: 'wrap',
          show: (row) => (
            <>
              {row.name} {row.left.same === row.right.same ? null : <Pill kind="info">differs</Pill>}
            </>
          ),
        },
        { title: titleOf(left), show: (row) => row.left.show },
        { title: left === right ? `${titleOf(right)} again` : titleOf(right), show: (row) => row.right.show },
      ]}
    />
  )
}

/** Returns the facts of a chain by name, read once a second. */
function useChain(chains: readonly FullStatus[], name: string): Readonly<Record<string, Seen>> {
  const [block] = useData<readonly Block[]>('/blocks?limit=1', 'timed', name).data ?? []
  const faults = useData<Faulty>('/faults', 'timed', name).data?.active ?? []
  const status = chains.find(({ session }) => session === name)
  if (status === undefined) return {}
  const { height, calls, waiting, scenario, connections } = status
  const linked = (page: string, text: string): Seen => ({ show: <a href={pageUrl(name, page)}>{text}</a>, same: text })
  const steps =
    scenario.steps === 0 ? '' : `, step ${number(Math.min(scenario.step, scenario.steps))} of ${number(scenario.steps)}`
  const faultText = faults.map((one) => `${one.name} (${counted(one.applied, 'hit')})`).join(', ') || 'none'
  return {
    Height: linked('blocks', number(height)),
    'Last block': {
      same: block?.hash ?? '',
      show:
        block === undefined ? null : (
          <a href={pageUrl(name, `block/${block.height}`)}>
            <Short text={block.hash} />
          </a>
        ),
    },
    'Block time (UTC)': { show: moment(status.blockTime), same: status.blockTime ?? '' },
    'Transactions in it': linked('transactions', number(block?.transactions ?? 0)),
    Mempool: linked('mempool', number(waiting)),
    Requests: linked('requests', number(calls)),
    Connections: linked('subscriptions', number(connections)),
    Scenario: linked('scenario', `${scenario.name}: ${scenario.state}${steps}`),
    Faults: linked('faults', faultText),
  }
}
