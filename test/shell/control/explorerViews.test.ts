/** Lists, searches and simulations of the explorer, on a chain with a day of work behind it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fromBech32 } from '@cosmjs/encoding'
import anyTest, { type TestFn } from 'ava'
import { start } from '../../../src/index.ts'
import { api, rpc, startControlled } from '../../helpers/control.ts'
import { startExplorerStage, type ExplorerStage } from '../../helpers/explorerStage.ts'
import { forkOf } from '../../helpers/forked.ts'
import { scratch } from '../../helpers/cli.ts'

const test = anyTest as TestFn<ExplorerStage>

test.before(async (t) => {
  t.context = await startExplorerStage()
})
test.after.always((t) => t.context.server.close())

const alice = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

type Page = { readonly rows: readonly Row[]; readonly next: number | null; readonly newer: number | null }
type Row = Readonly<Record<string, any>>

/** Returns the rows of all pages from the newest, and those of all pages from the oldest, newest first. */
async function bothWays({ server }: ExplorerStage, path: string) {
  const down: Row[] = []
  for (let cursor = ''; ; ) {
    const page = (await api(server, `${path}${cursor}`)).body as Page
    down.push(...page.rows)
    if (page.next === null) break
    cursor = `&before=${page.next}`
  }
  let up: Row[] = []
  for (let from = 0; ; ) {
    const page = (await api(server, `${path}&from=${from}`)).body as Page
    up = [...page.rows, ...up]
    if (page.newer === null) break
    from = page.newer
  }
  return { down, up }
}

const pagesBothWays = test.macro(async (t, path: (stage: ExplorerStage) => string, least: number) => {
  const { down, up } = await bothWays(t.context as ExplorerStage, path(t.context as ExplorerStage))
  t.true(down.length >= least, `${down.length} rows`)
  t.deepEqual(up, down)
})
test('logs page to the first and back', pagesBothWays, () => '/logs?limit=4', 10)
test('logs of a contract page to the first and back', pagesBothWays, ({ shop }) => `/logs?limit=2&address=${shop}`, 5)
test('logs of an event page to the first and back', pagesBothWays, () => '/logs?limit=2&event=Transfer', 6)
test('Cosmos events page to the first and back', pagesBothWays, () => '/events?limit=40', 500)
test('Cosmos events of a type page to the first and back', pagesBothWays, () => '/events?limit=9&type=mint', 40)

test('transactions page upwards from any number, of the chain and of an address', async (t) => {
  const { server } = t.context
  for (const path of ['/transactions', `/addresses/${alice}/transactions`]) {
    const all = (await api(server, `${path}?limit=500`)).body as Row[]
    const up: Row[] = []
    for (let from = 0; ; ) {
      const page = (await api(server, `${path}?limit=7&from=${from}`)).body as Row[]
      up.unshift(...page)
      if (page.length < 7) break
      from = page[0]?.['number'] + 1
    }
    t.deepEqual(up, all)
  }
})

test('logs are filtered by contract, by name, signature or topic of the event, and by height', async (t) => {
  const { server, shop } = t.context
  const rows = async (query: string) => (await api(server, `/logs?${query}`)).body.rows as Row[]
  const sold = await rows('event=Sold')
  t.is(sold.length, 5)
  t.true(sold.every(({ decoded, address }) => decoded.event === 'Sold' && address.toLowerCase() === shop))
  t.deepEqual(await rows('event=sold(address,string,uint256)'), sold)
  t.deepEqual(await rows(`event=${sold[0]?.['topics'][0]}`), sold)
  t.deepEqual(await rows(`event=Transfer&address=${shop}`), [])
  t.deepEqual(await rows('event=NoSuchEvent'), [])
  const before = sold[1]?.['height']
  t.deepEqual(await rows(`event=Sold&before=${before}`), sold.slice(2))
})

test('Cosmos events are filtered by type and by a part of an attribute', async (t) => {
  const { server } = t.context
  const { cosmos } = (await api(server, `/addresses/${alice}`)).body
  const { rows } = (await api(server, `/events?type=delegate&value=${cosmos}`)).body as Page
  t.is(rows.length, 1)
  t.regex(String(rows[0]?.['transaction']), /^[\dA-F]{64}$/)
  t.true(((await api(server, '/events?type=mint&limit=1')).body as Page).rows[0]?.['transaction'] === null)
})

const finds = test.macro(async (t, asked: string, kind: string, title: RegExp) => {
  const { server } = t.context as ExplorerStage
  const hits = (await api(server, `/search?q=${encodeURIComponent(asked)}`)).body as Row[]
  t.true(
    hits.some((hit) => hit['kind'] === kind && title.test(hit['title'])),
    JSON.stringify(hits),
  )
})
test('a search finds only blocks that the chain has, not those of the chain that it continues', async (t) => {
  await using other = await startControlled({ blocks: 'manual' })
  await api(other, '/mine', { blocks: 3 })
  await using server = await forkOf([other.urls.eth])
  const { height } = (await api(server, '/mine', {})).body
  const blocksFor = async (asked: unknown) =>
    (await api(server, `/search?q=${asked}`)).body.filter(({ kind }: Row) => kind === 'block').length
  t.is(await blocksFor(height), 1)
  t.is(await blocksFor(1), 0)
  // With automine, the fork mined a block at its start. The other chain's block below that cannot be shown.
  t.true((await api(server, `/blocks/${height - 1}`)).body.isFirst)
  t.false((await api(server, `/blocks/${height}`)).body.isFirst)
})
test('a search finds a method that nobody has called', finds, 'debug_traceBlockByHash', 'method', /^debug_traceBlock/)
test('a search finds a method of gRPC', finds, 'GetLatestBlock', 'method', /GetLatestBlock/)
test('a search finds a contract by the name of its ABI', finds, 'shop', 'contract', /^Shop$/)
test('a search finds a function of a contract', finds, 'setprice', 'function', /^setPrice\(uint256\) of Shop$/)
test('a search finds a function of a precompile', finds, 'undelegate', 'function', /of staking precompile$/)
test('a search finds a moniker', finds, 'validator0', 'validator', /^validator0$/)
test('a search finds a proposal', finds, 'opening hours', 'proposal', /^Longer opening hours$/)

test('a search finds a validator by its consensus address', async (t) => {
  const { server } = t.context
  const [{ consensus, operator }] = (await api(server, '/validators')).body
  const told = (await api(server, `/search?q=${consensus.toLowerCase()}`)).body
  t.like(told[0], { kind: 'validator', id: operator })
})

test('a search finds a transaction by the label that the scenario gives it', async (t) => {
  const path = join(scratch(), 'named.json5')
  const sending = "{ from: '@account0', to: '@account1', value: '1 ether', as: 'first', label: 'The first rent' }"
  writeFileSync(path, `{ chainstage: 1, name: 'named', steps: [{ id: 'pay', do: { sendTx: ${sending} } }] }`)
  await using server = await start({ scenario: path, ports: 'free' })
  await api(server, '/mine', {})
  const [hit] = (await api(server, '/search?q=first rent')).body
  t.like(hit, { kind: 'transaction', title: 'The first rent' })
  t.is((await api(server, `/transactions/${hit.id}`)).body.label, 'The first rent')
})

test('the key of a development account is shown, and one of a mnemonic of your own is not', async (t) => {
  const { server } = t.context
  const { body } = await api(server, '/accounts/account0/key')
  t.deepEqual(body, {
    name: 'account0',
    privateKey: '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
    mnemonic: 'test test test test test test test test test test test junk',
    path: "m/44'/60'/0'/0/0",
  })
  t.is((await api(server, '/accounts/nobody/key')).status, 404)
  const mnemonic = 'legal winner thank year wave sausage worth useful legal winner thank yellow'
  await using own = await startControlled({ mnemonic })
  const refused = await api(own, '/accounts/account0/key')
  t.is(refused.status, 400)
  t.regex(refused.body.error.message, /the key of account0 is your own/)
  t.false(JSON.stringify(refused.body).includes('legal winner'))
})

test('used storage slots are listed with their words', async (t) => {
  const { server, shop } = t.context
  const { total, rows } = (await api(server, `/addresses/${shop}/storage?limit=2`)).body
  t.is(total, 3)
  t.is(rows.length, 2)
  for (const { slot, value } of rows) {
    t.is(await rpc(server.urls.eth, 'eth_getStorageAt', shop, slot, 'latest'), value)
  }
  t.is((await api(server, `/addresses/${shop}/storage?from=2&limit=2`)).body.rows.length, 1)
})

test('an address has its unbonding stake, and a validator its facts', async (t) => {
  const { server } = t.context
  const [{ operator, moniker }] = (await api(server, '/validators')).body
  const { unbonding, validatorFacts } = (await api(server, `/addresses/${alice}`)).body
  t.is(validatorFacts, null)
  t.is(unbonding.unbonding_responses[0].entries[0].balance, '2000000000000000000')
  const validator = (await api(server, `/addresses/${operator}`)).body.validatorFacts
  t.like(validator, { operator, moniker, status: 'bonded', jailed: false, missed: 0 })
  t.true(/^s+$/.test(validator.signed))
})

test('a block names its proposer, its signatures and its own events', async (t) => {
  const { server } = t.context
  const [{ operator, consensus }] = (await api(server, '/validators')).body
  const block = (await api(server, '/blocks/3')).body
  t.deepEqual(block.proposedBy, { moniker: 'validator0', operator })
  t.deepEqual(block.signatures, [{ consensus, power: 1000, vote: 'signed', moniker: 'validator0', operator }])
  const types = block.events.map(({ type }: { type: string }) => type)
  t.true(types.includes('mint') && types.includes('block_gas'))
})

test('a Cosmos transaction in a list has its action, recipient and coins; an Ethereum one its function', async (t) => {
  const { server, cosmos, bought } = t.context
  const all = (await api(server, '/transactions?limit=500')).body as Row[]
  const sent = all.find(({ hash }) => hash === cosmos)
  t.like(sent, { action: 'Send', coins: [{ denom: 'atest', amount: '1500000000000000000' }] })
  t.regex(sent?.['to'], /^cosmos1/)
  t.is(all.find(({ ethHash }) => ethHash === bought)?.['action'], 'buy')
  t.deepEqual(
    ['transfer', 'deploy', 'delegate'].filter((action) => all.every((one) => one['action'] !== action)),
    [],
  )
})

test('a Cosmos transaction is simulated again with other messages, and nothing is sent', async (t) => {
  const { server, cosmos } = t.context
  const { height } = (await api(server, '/status')).body
  const [message] = (await api(server, `/transactions/${cosmos}`)).body.cosmos.result.tx.body.messages
  const simulate = async (amount: string) =>
    (
      await api(server, '/simulate/cosmos', {
        hash: cosmos,
        messages: [{ ...message, amount: [{ denom: 'atest', amount }] }],
      })
    ).body
  const told = await simulate('2000')
  t.is(told.error, null)
  t.true(told.gasUsed > 50_000)
  t.true(told.changes.some((one: Row) => one['address'] === message.to_address && one['amount'] === '2000'))
  t.regex((await simulate('9'.repeat(30))).error, /insufficient funds/)
  const refused = await api(server, '/simulate/cosmos', { hash: cosmos, messages: [{ '@type': '/no.such.Msg' }] })
  t.is(refused.status, 400)
  t.regex(refused.body.error.message, /the messages cannot be encoded: unable to resolve type URL \/no\.such\.Msg/)
  t.is((await api(server, '/status')).body.height, height)
})

test.serial('a Cosmos transaction is simulated again after a waiting one of its signer', async (t) => {
  const { server, cosmos } = t.context
  const { messages } = (await api(server, `/transactions/${cosmos}`)).body.cosmos.result.tx.body
  const from = `0x${Buffer.from(fromBech32(messages[0].from_address).data).toString('hex')}`
  await rpc(server.urls.eth, 'evm_setAutomine', false)
  await rpc(server.urls.eth, 'anvil_impersonateAccount', from)
  await rpc(server.urls.eth, 'eth_sendTransaction', { from, to: from })
  const { body } = await api(server, '/simulate/cosmos', { hash: cosmos, messages })
  await rpc(server.urls.eth, 'evm_setAutomine', true)
  t.is(body.error, null)
})

test('the memory of a step is what the struct logger reports', async (t) => {
  const { server, bought } = t.context
  const { structLogs } = (await rpc(server.urls.eth, 'debug_traceTransaction', bought, { enableMemory: true })) as {
    structLogs: { memory?: string[] }[]
  }
  for (const step of [0, 40, structLogs.length - 1]) {
    const { data, size } = (await api(server, `/transactions/${bought}/steps/${step}/memory`)).body
    const words = (structLogs[step]?.memory ?? []).map((word) => word.replace(/^0x/, ''))
    t.is(data, `0x${words.join('')}`)
    t.is(size, words.length * 32)
  }
})
