/** The control API as data: what can be read and done, with the shape of every body. */
import { z } from 'zod'
import { blockAt } from '../../chain/view.ts'
import { SimError } from '../../errors.ts'
import type { Instance } from '../instance.ts'
import { abiShape, signatureOf } from './abis.ts'
import {
  advance, checkpoint, clearFault, faucet, mine, moveTime, operate, reorganise, restore, signal,
  useFault,
} from './actions.ts'
import { loadCheckpoint, saveCheckpoint, savedCheckpoints } from '../savedCheckpoints.ts'
import type { Problem } from '../problems.ts'
import type { Controlled } from './controlled.ts'
import { exchangeView, faultsView, journalView, scenarioView } from './progressViews.ts'
import { transactionsOf, transactionsView, transactionView } from './transactions.ts'
import {
  accountsView, blocksView, blockView, checkpointsView, mempoolView, statusView, subscriptionsView,
} from './views.ts'

/** What a request brings: path parameters, query, and the body in the shape of its route. */
export type Asked<Body> = {
  readonly controlled: Controlled
  readonly instance: Instance
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | undefined>>
  readonly body: Body
}

export type Route = {
  readonly verb: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly summary: string
  readonly body: z.ZodType
  readonly handle: (asked: Asked<unknown>) => unknown
}

const nothing = z.unknown()
const blocks = z.int({ error: 'expected a whole number of blocks' }).min(1).max(1_000_000)
const duration = z.string({ error: 'expected a duration with its unit, like "1h30m"' })

function reading(path: string, summary: string, handle: Route['handle']): Route {
  return { verb: 'GET', path, summary, body: nothing, handle }
}

function doing<Body>(path: string, summary: string, { body, handle }: {
  readonly body: z.ZodType<Body>; readonly handle: (asked: Asked<Body>) => unknown
}): Route {
  return {
    verb: 'POST', path, summary, body,
    handle: (asked) => handle({ ...asked, body: body.parse(asked.body) }),
  }
}

function removing(path: string, summary: string, handle: Route['handle']): Route {
  return { verb: 'DELETE', path, summary, body: nothing, handle }
}

type Bounds = { readonly fallback: number; readonly most: number }

const numberOf = (text: string | undefined, { fallback, most }: Bounds) =>
  (/^\d{1,9}$/.test(text ?? '') ? Math.min(Number(text), most) : fallback)

const limitOf = (query: Asked<unknown>['query'], fallback: number) =>
  numberOf(query['limit'], { fallback, most: 500 })

const reads: readonly Route[] = [
  reading('/status', 'Where the chain stands, its addresses and its problems.', statusOf),
  reading('/blocks', 'Blocks from the newest down; ?before=HEIGHT&limit=30.',
    ({ instance, query }) => blocksView(
      instance,
      query['before'] === undefined
        ? undefined : numberOf(query['before'], { fallback: 0, most: 1e9 }),
      limitOf(query, 30),
    )),
  reading('/blocks/:height', 'A block as both interfaces show it, with its transactions.', blockOf),
  reading('/transactions', 'Transactions from the newest down; ?limit=50.',
    ({ instance, query }) => transactionsView(instance, limitOf(query, 50))),
  reading('/transactions/:hash',
    'A transaction by either hash, with decoded logs and the events of both sides.',
    ({ controlled: { abis }, instance, params: { hash = '' } }) =>
      present(transactionView(instance, hash, abis.events()), `transaction ${hash}`)),
  reading('/abis', 'Events that logs are named by, beside those of the usual tokens.',
    ({ controlled: { abis } }) => [...abis.events().values()].map(signatureOf)),
  reading('/accounts', 'The accounts of the node with their balances in wei.',
    ({ instance }) => accountsView(instance)),
  reading('/mempool', 'Transactions that wait, in order of arrival.',
    ({ instance }) => mempoolView(instance)),
  reading('/subscriptions', 'Open connections with what they listen to, and polled filters.',
    ({ instance }) => subscriptionsView(instance)),
  reading('/checkpoints', 'Checkpoints that can be gone back to, oldest first.',
    ({ instance }) => checkpointsView(instance)),
  reading('/checkpoints/saved', 'Checkpoints in files, which outlive the process.',
    ({ instance }) => savedCheckpoints(instance)),
  reading('/faults',
    'Faults that are on with their counts, and those of the scenario that are off.',
    ({ instance }) => faultsView(instance)),
  reading('/scenario', 'The steps of the scenario and how far they are.',
    ({ instance }) => scenarioView(instance)),
  reading('/journal',
    'The last calls of clients and how often each method was called; ?limit=100.',
    ({ instance, query }) => journalView(instance, limitOf(query, 100))),
  reading('/journal/:seq', 'One request with its answer.',
    ({ instance, params: { seq = '' } }) =>
      present(exchangeView(instance, Number(seq)), `request ${seq}`)),
  reading('/sessions', 'Sessions beside the main chain.', ({ controlled: { sessions, urls } }) =>
    sessions.list().map((one) => ({ ...statusView(one), urls: urls(one.session) }))),
]

function statusOf({ controlled, instance }: Asked<unknown>) {
  const { version, instanceId, pid, urls, problems, sessions } = controlled
  return {
    ...statusView(instance), version, instanceId, pid, urls: urls(instance.session),
    problems: problems(), sessions: sessions.list().length, config: configOf(instance, problems()),
  }
}

/** Which save is followed, and whether a later one is bad. */
function configOf({ simulation }: Instance, problems: readonly Problem[]) {
  const { plan, progress } = simulation()
  const [problem] = problems
  return {
    generation: progress.generation, hash: plan.digest,
    state: problem === undefined ? 'live' : 'stale', error: problem?.text ?? null,
  }
}

function blockOf({ instance, params: { height = '' } }: Asked<unknown>) {
  const { chain } = instance.simulation().node
  const record = present(
    /^\d{1,15}$/.test(height) ? blockAt(chain, BigInt(height)) : undefined, `block ${height}`)
  const number = `0x${BigInt(height).toString(16)}`
  return {
    ...blockView(record), list: transactionsOf(instance, record),
    ethereum: instance.peek('eth', 'eth_getBlockByNumber', [number, false]),
    comet: instance.peek('comet', 'block', { height }),
    results: instance.peek('comet', 'block_results', { height }),
  }
}

function present<Found>(found: Found | undefined, what: string): Found {
  if (found === undefined) throw new NotThere(what)
  return found
}

const actions: readonly Route[] = [
  doing('/mine', 'Makes blocks, an interval of block time apart.', {
    body: z.strictObject({ blocks: blocks.optional(), interval: duration.optional() }),
    handle: ({ instance, body }) => mine(instance, body),
  }),
  doing('/time', 'Moves block time forward; with mine a block carries it at once.', {
    body: z.strictObject({ by: duration, mine: z.boolean().optional() }),
    handle: ({ instance, body }) => moveTime(instance, body),
  }),
  doing('/advance', 'Moves simulation time, where pace is manual.', {
    body: z.strictObject({ by: duration }), handle: ({ instance, body }) => advance(instance, body),
  }),
  doing('/checkpoint', 'Remembers the chain and returns an id to go back to it with.', {
    body: z.strictObject({}), handle: ({ instance }) => checkpoint(instance),
  }),
  doing('/restore', 'Goes back to a checkpoint, the newest when none is named.', {
    body: z.strictObject({ id: z.string().optional() }),
    handle: ({ instance, body }) => restore(instance, body),
  }),
  doing('/checkpoints/saved', 'Saves the whole node under a name, in a file.', {
    body: z.strictObject({ name: z.string() }),
    handle: ({ instance, body }) => saveCheckpoint(instance, body.name),
  }),
  doing('/checkpoints/load', 'Takes the chain to what was saved under a name.', {
    body: z.strictObject({ name: z.string() }),
    handle: ({ instance, body }) => loadCheckpoint(instance, body.name),
  }),
  doing('/reset', 'Goes back to how everything was after the start.', {
    body: z.strictObject({}), handle: ({ instance }) => {
      operate(instance, { type: 'reset' })
      return statusView(instance)
    },
  }),
  doing('/reorg',
    'Gives the newest blocks other hashes on interface B, or puts others in their place.', {
      body: z.strictObject({ depth: blocks, view: z.enum(['evm', 'chain']).optional() }),
      handle: ({ instance, body }) => reorganise(instance, body),
    }),
  doing('/abis', 'Takes an ABI, or a compiled contract that has one, to name logs by.', {
    body: z.strictObject({ abi: abiShape }),
    handle: ({ controlled: { abis }, body }) => ({ events: abis.add(body.abi) }),
  }),
  doing('/faults',
    'Turns a fault on: one of the scenario by name, or one described by rule as in a scenario.', {
      body: z.strictObject({
        name: z.string().min(1), rule: z.unknown().optional(),
        for: duration.optional(), forBlocks: blocks.optional(),
      }),
      handle: ({ instance, body }) => useFault(instance, body),
    }),
  removing('/faults', 'Turns all faults off.', ({ instance }) => clearFault(instance, undefined)),
  removing('/faults/:name', 'Turns a fault off.',
    ({ instance, params }) => clearFault(instance, params['name'])),
  doing('/signal', 'Gives the scenario a signal that a step waits for.', {
    body: z.strictObject({ name: z.string().min(1) }),
    handle: ({ instance, body }) => signal(instance, body),
  }),
  doing('/faucet',
    'Gives an account tokens out of nothing: whole tokens, 100 unless said, or wei exactly.', {
      body: z.strictObject({
        address: z.string(), tokens: z.string().optional(),
        wei: z.string().regex(/^\d{1,60}$/, 'expected wei as decimal digits').optional(),
      }),
      handle: ({ instance, body }) => faucet(instance, body),
    }),
  doing('/call',
    'Asks either interface as a client would, outside of journal and faults; nothing changes.', {
      body: z.strictObject({
        side: z.enum(['eth', 'comet']), method: z.string(), params: z.unknown().optional(),
      }),
      handle: ({ instance, body: { side, method, params } }) =>
        instance.peek(side, method, params ?? (side === 'eth' ? [] : {})),
    }),
  doing('/sessions', 'Begins a session, of a new name unless one is given.', {
    body: z.strictObject({ name: z.string().optional() }),
    handle: ({ controlled: { sessions, urls }, body }) => {
      const { session } = body.name === undefined ? sessions.lease() : sessions.at(body.name)
      return { session, urls: urls(session) }
    },
  }),
  removing('/sessions/:name', 'Ends a session.', ({ controlled, params: { name = '' } }) => {
    if (!controlled.sessions.release(name)) throw new NotThere(`session ${name}`)
    return { session: name, released: true }
  }),
  doing('/reload', 'Takes the saved scenario in, or with undo goes back to the set before.', {
    body: z.strictObject({ undo: z.boolean().optional() }),
    handle: ({ controlled: { reload }, body: { undo } }) =>
      present(reload, 'scenario that is followed')(undo === true),
  }),
  doing('/stop', 'Ends the process.', {
    body: z.strictObject({}), handle: ({ controlled }) => controlled.stop(),
  }),
]

/** Every route of the API below /api. */
export const routes: readonly Route[] = [...reads, ...actions]

/** Something that was asked for and is not there. */
export class NotThere extends SimError {
  constructor(what: string) {
    super('NOT_THERE', `there is no ${what}`)
  }
}
