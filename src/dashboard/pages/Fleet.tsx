/** The members of the fleet and the chains they share: leaders and lagging members. */
import { counted, duration, number } from '../core/format.ts'
import { useData } from '../core/useData.ts'
import { Copy, Fields, Pending, Pill, Short } from '../parts/basics.tsx'
import { Table } from '../parts/Table.tsx'

type Member = {
  readonly member: string
  readonly isSelf: boolean
  readonly host: string
  readonly pid: number
  readonly version: string
  readonly lagMs: number
  readonly leads: readonly string[]
  readonly chains: number
  readonly behind: number
}

type Held = {
  readonly chain: string
  readonly leader: string | null
  readonly term: number
  readonly height: number
  readonly sequence: number
  readonly members: number
  /** Whether the responding member has a copy of the chain, so that links to it work. */
  readonly isHere: boolean
}

type Shown = {
  readonly name: string
  readonly members: readonly Member[]
  readonly chains: readonly Held[]
}

/**
 * The maximum number of chains named per member; a member may lead hundreds, and the Chains table
 * lists all of them.
 */
const namedMost = 3

export function Fleet() {
  const { data, error } = useData<Shown>('/fleet')
  if (data === undefined) return <Pending error={error} />
  const { name, members, chains } = data
  const isCutOff = members.some(({ isSelf, lagMs }) => isSelf && lagMs > 0)
  return (
    <>
      <Fields
        pairs={[
          ['Name', name],
          ['Members', isCutOff ? 'unknown' : number(members.length)],
          ['Chains', number(chains.length)],
          ['NATS', isCutOff ? <Pill kind="bad">unreachable, writes fail</Pill> : <Pill kind="good">connected</Pill>],
        ]}
      />
      <h2>Members</h2>
      <Table
        label="Members"
        rows={members}
        keyOf={({ member }) => member}
        empty={['No members', 'No member of the fleet responds.']}
        columns={[
          { title: 'Member', show: (one) => <Name {...one} /> },
          { title: 'Process', class: 'mono', show: ({ host, pid }) => `${host}:${pid}` },
          { title: 'Version', show: ({ version }) => version },
          { title: 'Leads', class: 'wrap', show: ({ leads }) => ledWords(leads) },
          { title: 'Copies', class: 'num', show: ({ chains: count }) => number(count) },
          { title: 'Behind', class: 'num', show: ({ behind }) => counted(behind, 'entry', 'entries') },
          {
            title: 'Lag',
            show: ({ lagMs }) =>
              lagMs === 0 ? <Pill kind="good">none</Pill> : <Pill kind="bad">{duration(lagMs)}</Pill>,
          },
        ]}
      />
      <h2>Chains</h2>
      <Table
        label="Chains"
        rows={chains}
        keyOf={({ chain }) => chain}
        empty={['No chains', 'The main chain appears when a member joins.']}
        columns={[
          { title: 'Chain', show: (one) => <Chain {...one} /> },
          {
            title: 'Leader',
            show: ({ leader }) => (leader === null ? <Pill kind="warn">unknown</Pill> : <Short text={leader} />),
          },
          { title: 'Term', class: 'num', show: ({ term }) => number(term) },
          { title: 'Height', class: 'num', show: ({ height }) => number(height) },
          { title: 'Entries', class: 'num', show: ({ sequence }) => number(sequence) },
          { title: 'Copies', class: 'num', show: ({ members: count }) => number(count) },
        ]}
      />
    </>
  )
}

function Name({ member, isSelf }: Member) {
  return (
    <>
      <Short text={member} /> <Copy text={member} what={`the name of member ${member}`} />{' '}
      {isSelf ? <Pill kind="info">this member</Pill> : null}
    </>
  )
}

/** The link to a chain. A member opens a session, and gets its page, on the first write to it. */
function Chain({ chain, isHere }: Held) {
  if (!isHere) return <>{chainName(chain)}</>
  return <a href={chain === '' ? '/' : `/s/${chain}/`}>{chainName(chain)}</a>
}

function chainName(chain: string): string {
  return chain === '' ? 'main chain' : chain
}

function ledWords(leads: readonly string[]): string {
  const named = leads.slice(0, namedMost).map(chainName).join(', ')
  return leads.length > namedMost ? `${named} and ${number(leads.length - namedMost)} more` : named || 'none'
}
