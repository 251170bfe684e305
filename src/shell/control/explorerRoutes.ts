/**
 * Routes of the dashboard's explorer: addresses, contracts, logs, traces, simulated transactions
 * and searches.
 */
import { addressBytes } from '../../codec/bech32.ts'
import { z } from 'zod'
import { isExpected } from '../../errors.ts'
import { act } from './act.ts'
import { addressTransactions, addressView, storageView } from './addresses.ts'
import { contractsView, contractTransaction, readContract, tokenBalances } from './contracts.ts'
import { denomsView } from './denoms.ts'
import { eventsView } from './eventViews.ts'
import { logsView } from './logViews.ts'
import { labelsInAllForms } from './names.ts'
import { sideNames } from '../../settings/side.ts'
import {
  doing,
  limitOf,
  looking,
  boundedNumber,
  numberPageOf,
  present,
  reading,
  listSlice,
  type Asked,
  type ControlRoute,
} from './route.ts'
import { proposalsView, proposalView } from './proposals.ts'
import { searchView } from './search.ts'
import { sendAsClient } from './sendAsClient.ts'
import { simulateView } from './simulate.ts'
import { simulateCosmos } from './simulateCosmos.ts'
import { stepMemory } from './stepMemory.ts'
import { stepsView } from './stepViews.ts'
import { tokenHolders, tokensView, tokenTransfers, tokenView } from './tokenViews.ts'
import { callsView, changesView } from './traceViews.ts'
import { dropTx, holdTx, replaceTx } from './waitingTx.ts'
import { validatorsView } from './validators.ts'

function addressOf(text: string): Uint8Array {
  return present(addressBytes(text), `address ${text}: an address is 0x and 40 hex digits, or cosmos1…`)
}

const addressIn = ({ params: { address = '' } }: Asked<unknown>) => addressOf(address)

const hashIn = ({ params: { hash = '' } }: Asked<unknown>) => (hash.startsWith('0x') ? hash : `0x${hash}`)

const explorerReads: readonly ControlRoute[] = [
  reading('/search', 'Searches heights, hashes, addresses and names of all kinds; ?q=TEXT.', (asked) =>
    searchView(asked.instance, asked.query['q'] ?? '', asked.controlled.abis.known()),
  ),
  reading('/transactions/:hash/calls', 'Returns the call tree of a transaction.', (asked) =>
    callsView(asked.instance, hashIn(asked), {
      known: asked.controlled.abis.known(),
      sources: asked.controlled.sources(),
    }),
  ),
  reading(
    '/transactions/:hash/changes',
    'Returns the state changes of a transaction, with the values before and after.',
    (asked) => changesView(asked.instance, hashIn(asked)),
  ),
  reading('/transactions/:hash/steps/:index/memory', 'Returns the EVM memory before an opcode step.', (asked) =>
    stepMemory(asked.instance, hashIn(asked), boundedNumber(asked.params['index'], { fallback: 0, most: 1e9 })),
  ),
  reading('/transactions/:hash/steps', 'Lists the opcode steps of a transaction; ?from=0&limit=100.', (asked) =>
    stepsView(
      asked.instance,
      hashIn(asked),
      { from: boundedNumber(asked.query['from'], { fallback: 0, most: 1e7 }), limit: limitOf(asked.query, 100) },
      asked.controlled.sources(),
    ),
  ),
  reading(
    '/sources',
    'Returns a source file that a source map refers to; ?file=NAME.',
    ({ controlled, query: { file = '' } }) => ({
      file,
      text: present(controlled.sources().textOf(file), `source file ${file} in the folders of --artifacts`),
    }),
  ),
  reading('/proposals', 'Lists governance proposals with their current tallies, newest first.', ({ instance }) =>
    proposalsView(instance),
  ),
  reading(
    '/proposals/:id',
    'Returns a governance proposal with its votes and deposits.',
    ({ instance, params: { id = '' } }) => present(proposalView(instance, id), `proposal ${id}`),
  ),
  {
    ...reading(
      '/addresses/:address',
      'Returns balances, code and delegations of an address (0x… or bech32).',
      (asked) => addressView(asked.instance, addressIn(asked), asked.controlled.abis.known()),
    ),
    otherChain: 'isNeeded',
  },
  reading(
    '/addresses/:address/transactions',
    'Lists the transactions of an address, newest first; ?before=NUMBER&limit=25, or ?from=NUMBER.',
    (asked) =>
      addressTransactions(
        asked.instance,
        addressIn(asked),
        numberPageOf(asked.query, 25),
        asked.controlled.abis.known(),
      ),
  ),
  reading('/addresses/:address/storage', 'Lists the storage slots of a contract; ?from=0&limit=50.', (asked) =>
    storageView(asked.instance, addressIn(asked), listSlice(asked.query)),
  ),
  reading('/addresses/:address/tokens', 'Lists the token balances of an address.', (asked) =>
    tokenBalances(asked.instance, addressIn(asked), asked.controlled.abis.known()),
  ),
  reading(
    '/logs',
    'Lists logs, newest first; ?address=ADDRESS&event=NAME&before=HEIGHT&limit=50, or ?from=HEIGHT.',
    ({ instance, query: { address = '', event = '', ...query }, controlled }) =>
      logsView(
        instance,
        { ...numberPageOf(query, 50), address: address === '' ? undefined : addressOf(address), event },
        controlled.abis.known(),
      ),
  ),
  reading(
    '/events',
    'Lists Cosmos events, newest first; ?type=TYPE&value=TEXT&before=HEIGHT&limit=50, or ?from=HEIGHT.',
    ({ instance, query }) =>
      eventsView(instance, { ...numberPageOf(query, 50), type: query['type'] ?? '', value: query['value'] ?? '' }),
  ),
  reading('/tokens', 'Lists token contracts by address; ?after=ADDRESS&limit=50.', ({ instance, query }) =>
    tokensView(instance, { after: (query['after'] ?? '').toLowerCase(), limit: limitOf(query, 50) }),
  ),
  reading('/denoms', 'Lists Cosmos denoms with their supply and ERC-20 pairs.', ({ instance }) => denomsView(instance)),
  reading('/tokens/:token', 'Returns a token by its contract address or its denom.', ({ instance, params }) => {
    const { token = '' } = params
    return present(tokenView(instance, token), `token ${token}`)
  }),
  reading(
    '/tokens/:token/holders',
    'Lists the holders of a token with their amounts; ?from=0&limit=50.',
    ({ instance, params: { token = '' }, query }) => tokenHolders(instance, token, listSlice(query)),
  ),
  reading(
    '/tokens/:token/transfers',
    'Lists the transfers of a token, newest first; ?before=NUMBER&limit=50, or ?from=NUMBER.',
    ({ instance, params: { token = '' }, query }) => tokenTransfers(instance, token, numberPageOf(query, 50)),
  ),
  reading('/contracts', 'Lists contracts by address; ?after=ADDRESS&limit=50.', ({ instance, query, controlled }) =>
    contractsView(
      instance,
      { after: (query['after'] ?? '').toLowerCase(), limit: limitOf(query, 50) },
      controlled.abis.known(),
    ),
  ),
  reading(
    '/labels',
    'Returns the labels of accounts, scenario contracts, precompiles and modules, for every address format.',
    ({ instance }) => labelsInAllForms(instance),
  ),
  reading(
    '/validators',
    'Lists validators with their voting power and signatures of the latest blocks; ?blocks=60.',
    (asked) => validatorsView(asked.instance, boundedNumber(asked.query['blocks'], { fallback: 60, most: 200 })),
  ),
  reading(
    '/requests',
    'Returns request rate, errors and latency by method, and each of the last 120 seconds; ?method=NAME.',
    ({ instance, query }) => instance.exchanges.stats(query['method']),
  ),
]

const address = z
  .string()
  .refine((text) => addressBytes(text) !== undefined, 'expected an address, 0x and 40 hex digits or cosmos1…')
const decimal = z.string().regex(/^\d{1,78}$/, 'expected decimal digits')
const call = {
  signature: z.string(),
  args: z.array(z.unknown()),
  value: decimal.optional(),
}

const explorerActions: readonly ControlRoute[] = [
  doing('/contracts/read', 'Calls a view function of a contract and decodes its result.', {
    body: z.strictObject({ ...call, address, from: z.string().optional() }),
    handle: ({ instance, controlled, body }) =>
      readContract(instance, { ...body, address: addressBytes(body.address) as Uint8Array }, controlled.abis.known()),
  }),
  doing('/contracts/write', 'Calls a contract function in a transaction signed with a key of the node.', {
    body: z.strictObject({ ...call, address, from: z.string() }),
    handle: async ({ instance, controlled, body }) => {
      const asked = { ...body, address: addressBytes(body.address) as Uint8Array }
      const known = controlled.abis.known()
      const call = { method: 'eth_sendTransaction', params: [contractTransaction(instance, asked, known)] }
      try {
        return { hash: await sendAsClient(instance, call, known) }
      } catch (error) {
        // The node says only "execution reverted"; a call also returns the reason.
        if (isExpected(error)) readContract(instance, asked, known)
        throw error
      }
    },
  }),
  looking('/call', 'Calls a method without side effects: faults, the journal and the chain ignore the call.', {
    body: z.strictObject({
      side: z.enum(sideNames),
      method: z.string(),
      params: z.unknown().optional(),
    }),
    handle: ({ instance, body: { side, method, params } }) =>
      instance.peek(side, method, params ?? (side === 'eth' ? [] : {})),
  }),
  looking('/simulate', 'Simulates a transaction on the state of a block and returns its calls and state changes.', {
    body: z.strictObject({
      transaction: z.record(z.string(), z.unknown()),
      block: z.string().regex(/^(?:latest|\d{1,15})$/, 'expected latest or a height'),
      overrides: z.record(z.string(), z.unknown()).optional(),
    }),
    handle: ({ instance, controlled, body }) => simulateView(instance, body, controlled.abis.known()),
  }),
  doing('/simulate/cosmos', 'Simulates a Cosmos transaction again on the latest state with other messages.', {
    body: z.strictObject({ hash: z.string(), messages: z.array(z.unknown()), memo: z.string().optional() }),
    handle: ({ instance, body }) => simulateCosmos(instance, body),
  }),
  doing('/mempool/drop', 'Removes a transaction from the mempool.', {
    body: z.strictObject({ hash: z.string() }),
    handle: ({ instance, body }) => act(instance, () => dropTx(instance, body.hash)),
  }),
  doing(
    '/mempool/replace',
    'Replaces an Ethereum transaction in the mempool with higher fees, or cancels it with `cancel`.',
    {
      body: z.strictObject({ hash: z.string(), cancel: z.boolean().optional() }),
      handle: ({ instance, controlled, body }) => replaceTx(instance, body, controlled.abis.known()),
    },
  ),
  doing('/mempool/hold', 'Holds a transaction in the mempool so that no block includes it, or releases it.', {
    body: z.strictObject({ hash: z.string(), held: z.boolean() }),
    handle: ({ instance, body }) => act(instance, () => holdTx(instance, body.hash, body.held)),
  }),
]

/** The routes of the explorer. They are loaded with the first request for one of them. */
export const explorerRoutes: readonly ControlRoute[] = [...explorerReads, ...explorerActions]
