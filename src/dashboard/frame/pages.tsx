/** All pages, with their title, navigation group, shortcut and component. */
import type { ComponentType } from 'preact'
import { number } from '../core/format.ts'
import type { PageProps, Route } from '../core/router.ts'
import type { Status } from '../core/shapes.ts'
import { Accounts } from '../pages/Accounts.tsx'
import { Address } from '../pages/Address.tsx'
import { Block } from '../pages/Block.tsx'
import { Blocks } from '../pages/Blocks.tsx'
import { Connections } from '../pages/Connections.tsx'
import { Contracts } from '../pages/Contracts.tsx'
import { Events } from '../pages/Events.tsx'
import { Faults } from '../pages/Faults.tsx'
import { Fleet } from '../pages/Fleet.tsx'
import { Mempool } from '../pages/Mempool.tsx'
import { Overview } from '../pages/Overview.tsx'
import { Proposal } from '../pages/Proposal.tsx'
import { Proposals } from '../pages/Proposals.tsx'
import { Request } from '../pages/Request.tsx'
import { Requests } from '../pages/Requests.tsx'
import { Scenario } from '../pages/Scenario.tsx'
import { Sessions } from '../pages/Sessions.tsx'
import { Time } from '../pages/Time.tsx'
import { Token } from '../pages/Token.tsx'
import { Tokens } from '../pages/Tokens.tsx'
import { Transactions } from '../pages/Transactions.tsx'
import { Tx } from '../pages/Tx.tsx'
import { Validators } from '../pages/Validators.tsx'

export type Page = {
  readonly id: string
  readonly title: string
  readonly view: ComponentType<PageProps>
  readonly heading: (route: Route) => string
  readonly hint?: string
  readonly group?: string
  /** Returns whether the navigation lists the page; if absent, it always does. */
  readonly isListed?: (status: Status) => boolean
  readonly key?: string
  readonly count?: (status: Status) => number | string | undefined
  /** The ID of the listed page that this detail page belongs to. */
  readonly under?: string
}

type Listed = Omit<Page, 'heading' | 'id' | 'title' | 'view'>

function page(id: string, title: string, view: Page['view'], rest: Listed = {}): Page {
  return { id, title, view, heading: () => title, ...rest }
}

export const groups = ['Chain', 'Stage'] as const
const isChain = ({ playback }: Status) => playback === null
const chain = { group: 'Chain', isListed: isChain }
const stage = { group: 'Stage' }

/** The pages in the navigation. */
export const listed: readonly Page[] = [
  page('overview', 'Overview', Overview, { group: 'Chain', key: '1' }),
  page('blocks', 'Blocks', Blocks, { ...chain, key: '2', count: ({ height }) => height }),
  page('transactions', 'Transactions', Transactions, { ...chain, key: '3' }),
  page('accounts', 'Accounts', Accounts, {
    ...chain,
    key: '4',
    hint: 'These keys are public. Never use them on other chains.',
  }),
  page('contracts', 'Contracts', Contracts, { ...chain, key: '5' }),
  page('tokens', 'Tokens', Tokens, chain),
  page('events', 'Events', Events, { ...chain, key: '6' }),
  page('mempool', 'Mempool', Mempool, { ...chain, key: '7', count: ({ waiting }) => waiting }),
  page('validators', 'Validators', Validators, { ...chain, key: '8' }),
  page('proposals', 'Proposals', Proposals, chain),
  page('scenario', 'Scenario', Scenario, {
    ...stage,
    key: '9',
    count: ({ scenario: { step, steps } }) => (steps === 0 ? undefined : `${Math.min(step, steps)}/${steps}`),
  }),
  page('faults', 'Faults', Faults, { ...stage, key: '0', count: ({ faults }) => faults }),
  page('checkpoints', 'Time travel', Time, { ...stage, isListed: isChain }),
  page('requests', 'Requests', Requests, { ...stage, count: ({ calls }) => calls }),
  page('subscriptions', 'Connections', Connections, { ...stage, count: ({ connections }) => connections }),
  page('sessions', 'Sessions', Sessions, stage),
  page('fleet', 'Fleet', Fleet, {
    ...stage,
    isListed: ({ fleet }) => fleet !== null,
    count: ({ fleet }) => fleet?.members,
  }),
]

const details: readonly Page[] = [
  {
    id: 'block',
    title: 'Block',
    view: Block,
    under: 'blocks',
    heading: ({ id }) => `Block ${/^\d+$/.test(id) ? number(BigInt(id)) : id}`,
  },
  page('tx', 'Transaction', Tx, { under: 'transactions' }),
  { id: 'proposal', title: 'Proposal', view: Proposal, under: 'proposals', heading: ({ id }) => `Proposal ${id}` },
  page('address', 'Address', Address, { under: 'accounts' }),
  page('token', 'Token', Token, { under: 'tokens' }),
  { id: 'request', title: 'Request', view: Request, under: 'requests', heading: ({ id }) => `Request ${id}` },
]

/**
 * Returns whether the navigation lists a page, or the page that it belongs to. Before the first status, a page
 * that depends on it is not listed.
 */
export function isListed(page: Page, status: Status | undefined): boolean {
  const { isListed: isOffered } = listed.find(({ id }) => id === page.under) ?? page
  return isOffered === undefined || (status !== undefined && isOffered(status))
}

/**
 * Returns the page of a route; links from the old dashboard open the corresponding new page. A link to a
 * detail page without an ID opens its list.
 */
export function pageOfRoute({ page, id }: Route): Page {
  const asked = page === 'journal' ? 'requests' : page
  const found = [...listed, ...details].find((one) => one.id === asked)
  const shown = id === '' && found?.under !== undefined ? listed.find((one) => one.id === found.under) : found
  return shown ?? (listed[0] as Page)
}
