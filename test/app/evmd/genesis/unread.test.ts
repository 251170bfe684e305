import { readFileSync } from 'node:fs'
import test from 'ava'
import { start } from '../../../../src/index.ts'

type Document = { app_state: Record<string, Record<string, unknown>> }

const recorded = () => JSON.parse(readFileSync('genesis/evmd.json', 'utf8')) as Document
const startWith = (document: Document) => start({ ports: 'none', genesis: JSON.stringify(document) })

test('the genesis of a recorded node loads, also with an empty module that nobody knows', async (t) => {
  const document = recorded()
  document.app_state['wasm'] = {}
  await using server = await startWith(document)
  t.truthy(server)
})

test('a base fee of 0 loads and is what clients are told', async (t) => {
  const document = recorded()
  const market = document.app_state['feemarket'] ?? {}
  document.app_state['feemarket'] = {
    ...market,
    params: { ...(market['params'] as object), base_fee: '0.000000000000000000' },
  }
  await using server = await startWith(document)
  const { baseFeePerGas } = await server.eth.request<{ baseFeePerGas: string }>({
    method: 'eth_getBlockByNumber',
    params: ['latest', false],
  })
  t.is(baseFeePerGas, '0x0')
})

test('a document as the SDK writes it loads: consensus in a section of its own, and its program named', async (t) => {
  const { consensus_params: params, ...document } = recorded() as Document & {
    consensus_params: { block: object }
  }
  const block = { ...params.block, max_gas: '7654321' }
  const written = {
    ...document,
    app_name: 'evmd',
    app_version: '0.5.0',
    app_hash: null,
    consensus: { params: { ...params, block } },
  }
  await using server = await start({ ports: 'none', genesis: JSON.stringify(written) })
  const latest = await server.eth.request<{ gasLimit: string }>({
    method: 'eth_getBlockByNumber',
    params: ['latest', false],
  })
  t.is(Number(latest.gasLimit), 7_654_321)
})

test('a validator that missed no block is no reason to refuse a document', async (t) => {
  const document = recorded()
  const address = 'cosmosvalcons1kzag900ze6ty7cltfxm7q4fgve8n500urunarr'
  document.app_state['slashing'] = {
    ...document.app_state['slashing'],
    missed_blocks: [{ address, missed_blocks: [] }],
  }
  await using server = await startWith(document)
  t.truthy(server)
})

test('an account keeps the key of its multisig', async (t) => {
  const document = recorded()
  const address = 'cosmos12ap9e20uwfws0fkat0qhgv8ekvy3mfv536g30y'
  const key = (bytes: string) => ({ '@type': '/cosmos.evm.crypto.v1.ethsecp256k1.PubKey', key: bytes })
  const pub_key = {
    '@type': '/cosmos.crypto.multisig.LegacyAminoPubKey',
    threshold: 1,
    public_keys: [
      key('A6q73mavKf+3Su1r9Ks6Y3w6T+17Ety5opH7/lFW99ek'),
      key('ArMvs2q6M7Tu0EoohH+TvZGcHe3KWuaAJJeRpEp6jskn'),
    ],
  }
  const account = { '@type': '/cosmos.auth.v1beta1.BaseAccount', address, pub_key, account_number: '99', sequence: '1' }
  const auth = document.app_state['auth'] ?? {}
  document.app_state['auth'] = { ...auth, accounts: [...(auth['accounts'] as object[]), account] }
  await using server = await start({ ports: 'free', genesis: JSON.stringify(document) })
  const response = await fetch(`${server.urls.rest}/cosmos/auth/v1beta1/accounts/${address}`)
  const shown = (await response.json()) as { account: { pub_key: unknown } }
  t.deepEqual(shown.account.pub_key, pub_key)
})

const refused = test.macro(async (t, module: string, value: Record<string, unknown>, message: RegExp) => {
  const document = recorded()
  document.app_state[module] = value
  await t.throwsAsync(startWith(document), { message, code: 'UNREAD_GENESIS' })
})

test(
  'a module that evmd lacks is refused by name',
  refused,
  'wasm',
  { codes: [{}] },
  /app_state\.wasm is not supported/,
)

test('all modules that evmd lacks are named, with a command that takes them out', async (t) => {
  const document = recorded()
  document.app_state['wasm'] = { codes: [{}] }
  document.app_state['poa'] = { admins: ['a'] }
  const { hint } = (await t.throwsAsync(startWith(document), {
    message: 'genesis: app_state.wasm, app_state.poa are not supported: evmd has no such module',
    code: 'UNREAD_GENESIS',
  })) as unknown as { hint: string }
  t.is(
    hint,
    'Take them out of the document; the rest of it loads without. ' +
      "For example: jq 'del(.app_state.wasm, .app_state.poa)' genesis.json > other.json",
  )
})

test('a name that a shell might run is no part of a command', async (t) => {
  const document = recorded()
  document.app_state["x';date;'"] = { codes: [{}] }
  const { hint } = (await t.throwsAsync(startWith(document), { code: 'UNREAD_GENESIS' })) as unknown as { hint: string }
  t.is(hint, 'Take it out of the document; the rest of it loads without.')
})

test('of many members without a meaning, ten are named', async (t) => {
  const document = recorded()
  const left = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`extra${index}`, '1']))
  document.app_state['slashing'] = { ...document.app_state['slashing'], ...left }
  await t.throwsAsync(startWith(document), {
    message: /slashing\.extra9 and 2 more are not supported: it is not known, or not loaded$/,
    code: 'UNREAD_GENESIS',
  })
})

const fractions = test.macro(async (t, value: object, message: string) => {
  const document = recorded()
  document.app_state['precisebank'] = { ...value }
  await t.throwsAsync(startWith(document), {
    message: `genesis: app_state.precisebank.${message}`,
    code: 'INVALID_GENESIS',
  })
})

// The node refuses them as well.
test(
  'a fraction of a coin with 18 decimals is refused',
  fractions,
  { balances: [{ address: 'cosmos12ap9e20uwfws0fkat0qhgv8ekvy3mfv536g30y', amount: '5' }], remainder: '0' },
  'balances[0].amount must be from 0 to 0, because the coin has 18 decimals',
)
test(
  'a remainder of fractions of a coin with 18 decimals is refused',
  fractions,
  { balances: [], remainder: '5' },
  'remainder must be from 0 to 0, because the coin has 18 decimals',
)

const inside = test.macro(async (t, path: readonly string[], value: unknown, message: RegExp) => {
  const document = recorded()
  let at: Record<string, unknown> = document.app_state
  for (const name of path.slice(0, -1)) at = at[name] as Record<string, unknown>
  at[path.at(-1) ?? ''] = value
  await t.throwsAsync(startWith(document), { message, code: 'UNREAD_GENESIS' })
})

// The node loads them, so the document is not invalid.
test(
  'IBC clients are refused by name',
  inside,
  ['ibc', 'client_genesis', 'clients'],
  [{}],
  /client_genesis\.clients is not supported: its entries are not loaded/,
)
test(
  'connections of IBC are refused with their place, except the one to the chain itself, which every export has',
  inside,
  ['ibc', 'connection_genesis', 'connections'],
  [{ id: 'connection-localhost', state: 'STATE_OPEN' }, { id: 'connection-0' }],
  /app_state\.ibc\.connection_genesis\.connections\[1\] is not supported: IBC is not simulated/,
)
test(
  'an unknown member of a module is refused by name',
  inside,
  ['staking', 'liquid_staking'],
  { cap: '5' },
  /app_state\.staking\.liquid_staking is not supported/,
)
test(
  'an unknown parameter is refused by name',
  inside,
  ['evm', 'params', 'allow_unprotected_txs'],
  true,
  /app_state\.evm\.params\.allow_unprotected_txs/,
)
test(
  'a member of an account that nobody knows is refused with its place',
  inside,
  ['auth', 'accounts', '0', 'power'],
  '9',
  /app_state\.auth\.accounts\[0\]\.power/,
)
test(
  'sequences of channels are refused by name',
  inside,
  ['ibc', 'channel_genesis', 'send_sequences'],
  [{}],
  /channel_genesis\.send_sequences/,
)
test('an unknown member that says nothing is let through', async (t) => {
  const document = recorded()
  Object.assign(document.app_state['gov'] ?? {}, { deposit_params: null, tally_params: {}, x: '0' })
  await using server = await startWith(document)
  t.truthy(server)
})
