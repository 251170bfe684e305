/** The routes of the control API other than the explorer's, with the schema of every body. */
import { z } from 'zod'
import { chainInfo } from '../wallets/chainInfo.ts'
import { abiShape, functionSignature, signatureOf } from './abiShapes.ts'
import { act } from './act.ts'
import { accountSecrets } from './accountKeys.ts'
import { blockPageView } from './blockViews.ts'
import {
  advance,
  checkpoint,
  clearFault,
  described,
  faucet,
  moveTime,
  reorganise,
  restore,
  signal,
  useFault,
  faultProblem,
} from './actions.ts'
import { loadCheckpoint, saveCheckpoint, savedCheckpoints } from '../savedCheckpoints.ts'
import type { Problem } from '../problems.ts'
import { fleetFact, fleetView } from './fleetView.ts'
import { mempoolView } from './mempoolView.ts'
import { mine, stopMining } from './mining.ts'
import {
  doing,
  limitOf,
  NotThere,
  boundedNumber,
  numberPageOf,
  present,
  reading,
  removing,
  type Asked,
  type ControlRoute,
} from './route.ts'
import { exchangeView, faultsView, journalView, scenarioView } from './progressViews.ts'
import { transactionsView, transactionView } from './transactions.ts'
import { waitingView } from './waitingTx.ts'
import { accountsView, blocksView, checkpointsView, statusView, subscriptionsView } from './views.ts'
import { isDuration } from '../../settings/duration.ts'
import { minedMost } from '../../node/mining.ts'
import type { Instance } from '../ports.ts'

const blocks = z
  .int({ error: `expected a whole number of blocks from 1 to ${minedMost}` })
  .min(1)
  .max(minedMost)
const duration = z.string({ error: 'expected a duration with its unit, like "1h30m"' }).refine(isDuration, {
  error: ({ input }) => `expected a duration like 1h30m, 12s or 250ms, not negative, received ${JSON.stringify(input)}`,
})

const reads: readonly ControlRoute[] = [
  reading('/status', 'Returns height, clock, scenario, URLs and problems of the chain.', statusOf),
  reading(
    '/blocks',
    'Lists blocks, newest first; `step` keeps the heights that it divides; ?before=HEIGHT&limit=30&step=1.',
    ({ instance, query }) =>
      blocksView(instance, {
        before: query['before'] === undefined ? undefined : boundedNumber(query['before'], { fallback: 0, most: 1e9 }),
        limit: limitOf(query, 30),
        step: Math.max(1, boundedNumber(query['step'], { fallback: 1, most: 1e9 })),
      }),
  ),
  reading('/blocks/:height', 'Returns a block with its transactions, as both interfaces show it.', (asked) => {
    const {
      controlled,
      instance,
      params: { height = '' },
    } = asked
    return present(blockPageView(instance, height, controlled.abis.known()), `block ${height}`)
  }),
  reading(
    '/transactions',
    'Lists transactions, newest first; ?before=NUMBER&limit=50, or ?from=NUMBER for the oldest ones from there.',
    ({ instance, query, controlled }) => transactionsView(instance, numberPageOf(query, 50), controlled.abis.known()),
  ),
  reading(
    '/transactions/:hash',
    'Returns a transaction by either hash, with decoded logs and the events of both interfaces; `waiting` until mined.',
    ({ controlled: { abis }, instance, params: { hash = '' } }) =>
      present(
        transactionView(instance, hash, abis.known()) ?? waitingView(instance, hash, abis.known()),
        `transaction ${hash}`,
      ),
  ),
  reading('/abis', 'Lists the contracts with known ABIs, and the signatures in those ABIs.', ({ controlled }) => {
    const { events, functions, errors, contracts } = controlled.abis.known()
    return {
      contracts: contracts.map(({ name }) => name),
      events: [...events.values()].map(signatureOf),
      functions: [...functions.values()].map(functionSignature),
      errors: [...errors.values()].map(functionSignature),
    }
  }),
  reading('/accounts', 'Lists the accounts whose keys the node holds, with their balances in wei.', ({ instance }) =>
    accountsView(instance),
  ),
  reading(
    '/accounts/:name/key',
    'Returns the private key of a development account and the mnemonic it is derived from, both of which are public.',
    ({ instance, params: { name = '' } }) => accountSecrets(instance, name),
  ),
  reading(
    '/mempool',
    'Lists the transactions in the mempool in order of arrival; ?from=0&limit=500.',
    ({ instance, query }) =>
      mempoolView(instance, {
        from: boundedNumber(query['from'], { fallback: 0, most: 1e9 }),
        limit: limitOf(query, 500),
      }),
  ),
  reading(
    '/subscriptions',
    'Lists open WebSocket connections with their subscriptions, and polled filters.',
    ({ instance }) => subscriptionsView(instance),
  ),
  reading('/checkpoints', 'Lists the checkpoints in memory, oldest first.', ({ instance }) =>
    checkpointsView(instance),
  ),
  reading('/checkpoints/saved', 'Lists the checkpoints saved in files, which outlive the process.', ({ instance }) =>
    savedCheckpoints(instance),
  ),
  reading(
    '/faults',
    'Lists the active faults with their counts, and the scenario faults that are off.',
    ({ instance }) => faultsView(instance),
  ),
  reading('/scenario', 'Returns the steps of the scenario with their progress.', ({ instance }) =>
    scenarioView(instance),
  ),
  reading(
    '/journal',
    'Returns the latest client requests and the number of calls per method; ?limit=100.',
    ({ instance, query }) => journalView(instance, limitOf(query, 100)),
  ),
  reading('/journal/:seq', 'Returns a request with its response.', ({ instance, params: { seq = '' } }) =>
    present(exchangeView(instance, Number(seq)), `request ${seq}`),
  ),
  reading(
    '/chain-info',
    'Returns the chain description for wallets and registries; ?format=keplr|chain-registry|metamask.',
    ({ controlled: { urls }, instance, query }) =>
      chainInfo(instance, urls(instance.session), query['format'] ?? 'keplr'),
  ),
  reading(
    '/sessions',
    'Lists the sessions; ?main=true puts the main chain before them.',
    ({ controlled: { sessions, urls }, query }) => {
      const main = query['main'] === 'true' ? sessions.find('') : undefined
      return [...(main === undefined ? [] : [main]), ...sessions.list()].map((one) => ({
        ...statusView(one),
        urls: urls(one.session),
      }))
    },
  ),
  reading('/fleet', 'Lists the members of the fleet with the chains that each one leads and its lag.', (asked) =>
    fleetView(present(asked.controlled.fleet, 'fleet that this process is a member of')),
  ),
]

function statusOf({ controlled, instance }: Asked<unknown>) {
  const { version, instanceId, pid, urls, problems, sessions, fleet } = controlled
  return {
    ...statusView(instance),
    version,
    instanceId,
    pid,
    urls: urls(instance.session),
    problems: problems(),
    sessions: sessions.list().length,
    fleet: fleetFact(fleet),
    config: configOf(instance, problems()),
  }
}

/** Returns which saved version of the scenario is active, and whether a newer one is invalid. */
function configOf({ simulation }: Instance, problems: readonly Problem[]) {
  const { plan, progress } = simulation()
  const [problem] = problems
  return {
    generation: progress.generation,
    hash: plan.digest,
    state: problem === undefined ? 'live' : 'stale',
    error: problem?.text ?? null,
  }
}

const actions: readonly ControlRoute[] = [
  doing('/mine', 'Mines `blocks` blocks (default 1) whose timestamps are `interval` apart.', {
    body: z.strictObject({ blocks: blocks.optional(), interval: duration.optional() }),
    handle: ({ instance, body }) => mine(instance, body),
  }),
  doing('/mine/stop', 'Stops mining, keeps the blocks mined so far and responds to the pending mining requests.', {
    body: z.strictObject({}),
    handle: ({ instance }) => act(instance, () => stopMining(instance)),
  }),
  doing('/time', 'Moves block time forward, starting with the next block; `mine` mines that block immediately.', {
    body: z.strictObject({ by: duration, mine: z.boolean().optional() }),
    handle: ({ instance, body }) => act(instance, () => moveTime(instance, body)),
  }),
  doing('/advance', 'Moves simulation time forward; requires --pace manual.', {
    body: z.strictObject({ by: duration }),
    handle: ({ instance, body }) => advance(instance, body),
  }),
  doing('/checkpoint', 'Takes a checkpoint of the chain and returns its id.', {
    body: z.strictObject({}),
    handle: ({ instance }) => act(instance, () => checkpoint(instance)),
  }),
  doing('/restore', 'Restores a checkpoint (default: the newest).', {
    body: z.strictObject({ id: z.string().optional() }),
    handle: ({ instance, body }) => act(instance, () => restore(instance, body)),
  }),
  doing('/checkpoints/saved', 'Saves the whole node to a file as a named checkpoint.', {
    body: z.strictObject({ name: z.string() }),
    handle: ({ instance, body }) => saveCheckpoint(instance, body.name),
  }),
  doing('/checkpoints/load', 'Loads a checkpoint that was saved to a file.', {
    body: z.strictObject({ name: z.string() }),
    handle: ({ instance, body }) => loadCheckpoint(instance, body.name),
  }),
  doing('/reset', 'Resets the whole node to its state after the start.', {
    body: z.strictObject({}),
    handle: ({ instance }) =>
      act(instance, () => ({ commands: [{ type: 'reset' }], result: () => statusView(instance) })),
  }),
  doing('/reorg', 'Replaces the newest `depth` blocks (chain), or only their hashes on Ethereum JSON-RPC (evm).', {
    body: z.strictObject({ depth: blocks, view: z.enum(['evm', 'chain']).optional() }),
    handle: ({ instance, body }) => act(instance, () => reorganise(instance, body)),
  }),
  doing('/abis', 'Adds an ABI, or a compiled contract with an ABI, for decoding calls, events and errors.', {
    body: z.strictObject({ abi: abiShape }),
    handle: ({ controlled: { abis }, body }) => abis.add(body.abi),
  }),
  doing('/faults', 'Turns on a fault: a scenario fault by name, or the fault that `rule` describes.', {
    body: z.strictObject({
      name: z.string().min(1),
      rule: z.unknown().optional(),
      for: duration.optional(),
      forBlocks: blocks.optional(),
    }),
    handle: ({ instance, body }) => useFault(instance, body),
  }),
  doing('/faults/save', 'Adds a fault to the scenario file, which then hot-reloads.', {
    body: z.strictObject({ name: z.string().min(1), rule: z.unknown() }),
    handle: async ({ controlled: { saveFault }, body: { name, rule } }) => {
      await described(name, rule)
      return present(saveFault, 'scenario that is followed')(name, rule)
    },
  }),
  doing('/faults/check', 'Checks a fault without turning it on; `problem` is null if it is valid.', {
    body: z.strictObject({ name: z.string(), rule: z.unknown() }),
    handle: ({ body: { name, rule } }) => faultProblem(name, rule),
  }),
  removing('/faults', 'Turns off all faults.', ({ instance }) => act(instance, () => clearFault(instance, undefined))),
  removing('/faults/:name', 'Turns off a fault.', ({ instance, params }) =>
    act(instance, () => clearFault(instance, params['name'])),
  ),
  doing('/signal', 'Releases a scenario step that waits for this signal.', {
    body: z.strictObject({ name: z.string().min(1) }),
    handle: ({ instance, body }) => act(instance, () => signal(instance, body)),
  }),
  doing('/faucet', 'Mints test tokens to an address: `tokens` whole tokens (default 100), or `wei`.', {
    body: z.strictObject({
      address: z.string(),
      tokens: z.string().optional(),
      wei: z
        .string()
        .regex(/^\d{1,60}$/, 'expected wei as decimal digits')
        .optional(),
    }),
    handle: ({ instance, body }) => act(instance, () => faucet(instance, body)),
  }),
  doing('/sessions', 'Creates a session (default: with a generated name).', {
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
  doing('/reload', 'Reloads the scenario; `undo` restores the files from before the last reload.', {
    body: z.strictObject({ undo: z.boolean().optional() }),
    handle: ({ controlled: { reload }, body: { undo } }) => present(reload, 'scenario that is followed')(undo === true),
  }),
  doing('/stop', 'Stops chainstage.', {
    body: z.strictObject({}),
    handle: ({ controlled }) => controlled.stop(),
  }),
]

/** The routes that every client of the API uses. They are loaded with the first request. */
export const routes: readonly ControlRoute[] = [...reads, ...actions]
