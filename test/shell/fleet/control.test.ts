/** The control API and the commands of a member that does not lead: answers come with the effect, or with the refusal. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { cli, scratch } from '../../helpers/cli.ts'
import { eth, leaderOf } from '../../helpers/fleetLoad.ts'
import { noNats, startMember, startNats, type Member } from '../../helpers/nats.ts'

const withNats = noNats === undefined ? test.serial : test.skip
if (noNats !== undefined) test.skip(noNats, () => {})

type Pair = { readonly leader: Member; readonly follower: Member }
type Told = { readonly status: number; readonly body: Record<string, any> }

let pair: Pair | undefined
const there = (): Pair => {
  if (pair === undefined) throw new Error('the fleet did not start')
  return pair
}

async function startPair(url: string, words: readonly string[]): Promise<Pair> {
  const members = await Promise.all([1, 2].map(() => startMember(url, 'controlled', words)))
  const pid = await leaderOf(url, 'controlled')
  const [leader, follower] = [members.find((one) => one.pid === pid), members.find((one) => one.pid !== pid)]
  if (leader === undefined || follower === undefined) throw new Error(`none of these leads: ${pid}`)
  return { leader, follower }
}

if (noNats === undefined) {
  const ends: (() => Promise<void>)[] = []
  test.before(async () => {
    const nats = await startNats()
    ends.push(nats.remove)
    const pruning = ['--pruning', 'custom', '--pruning-keep-recent', '20', '--pruning-interval', '10']
    pair = await startPair(nats.url, [...pruning, '--pace', 'manual', '--blocks', 'mixed', '--block-time', '5'])
    ends.unshift(pair.leader.kill, pair.follower.kill)
  })
  test.after.always(async () => {
    for (const end of ends) await end()
  })
}

async function api({ control }: Member, path: string, body?: object, verb = body ? 'POST' : 'GET'): Promise<Told> {
  const answer = await fetch(`${control}/api${path}`, { method: verb, ...(body && { body: JSON.stringify(body) }) })
  return { status: answer.status, body: (await answer.json()) as Told['body'] }
}

withNats('an action through a follower is visible there when the answer arrives', async (t) => {
  const { follower } = there()
  const [who, tokens] = [`0x${'12'.repeat(20)}`, 10n ** 20n]
  const height = async () => Number(await eth(follower.eth, 'eth_blockNumber'))
  const faultNames = async () =>
    (await api(follower, '/faults')).body['active'].map((one: { name: string }) => one.name)
  const before = await height()
  t.deepEqual(await api(follower, '/mine', { blocks: 33 }), { status: 200, body: { height: before + 33 } })
  t.is(await height(), before + 33)
  await api(follower, '/time', { by: '1h', mine: true })
  t.is(await height(), before + 34)
  t.is((await api(follower, '/faucet', { address: who })).body['wei'], String(tokens))
  t.is(BigInt(await eth(follower.eth, 'eth_getBalance', [who, 'pending'])), tokens)
  const rule = { match: { method: 'eth_chainId' }, effect: { rpcError: { code: -32000, message: 'gone' } } }
  t.is((await api(follower, '/faults', { name: 'gone', rule })).status, 200)
  t.deepEqual(await faultNames(), ['gone'])
  t.is((await t.throwsAsync(eth(follower.eth, 'eth_chainId')))?.message, 'gone')
  t.deepEqual((await api(follower, '/faults', undefined, 'DELETE')).body, { cleared: ['gone'] })
  t.deepEqual(await faultNames(), [])
  // Answers of one group of inputs do not mix: each has the state right after its own command.
  const made = await Promise.all([1, 2, 3, 4, 5].map(() => api(follower, '/checkpoint', {})))
  t.is(new Set(made.map(({ body }) => body['id'])).size, 5)
  const [first] = made.map(({ body }) => body['id']).sort()
  t.is((await api(follower, '/restore', { id: first })).body['id'], first)
  t.deepEqual((await api(follower, '/checkpoints')).body, [])
  t.is((await api(follower, '/reset', {})).body['height'], 0)
  t.is(await height(), 0)
})

withNats('every member shows how often a fault hit calls of the whole fleet', async (t) => {
  const { leader, follower } = there()
  const rule = { match: { method: 'eth_chainId' }, effect: { rpcError: { code: -32000, message: 'busy' } } }
  await api(follower, '/faults', { name: 'busy', rule })
  for (const { eth: url } of [leader, follower, follower]) await t.throwsAsync(eth(url, 'eth_chainId'))
  for (const member of [leader, follower]) {
    t.like((await api(member, '/faults')).body['active'][0], { name: 'busy', matched: 3, applied: 3 })
  }
  await api(follower, '/faults', undefined, 'DELETE')
})

withNats('a follower refuses with the status and the text of the leader', async (t) => {
  const { leader, follower } = there()
  await api(follower, '/reset', {})
  await api(follower, '/mine', { blocks: 60 })
  const refusals: readonly (readonly [string, object | undefined, string?])[] = [
    // The chain itself refuses this one: the states so far below are pruned.
    ['/reorg', { depth: 50 }],
    ['/reorg', { depth: 900 }],
    ['/restore', { id: '0x99' }],
    ['/faults/none', undefined, 'DELETE'],
    ['/advance', { by: '1' }],
    ['/mine', { blocks: 0 }],
  ]
  const texts = []
  for (const asked of refusals) {
    const [own, theirs] = [await api(follower, ...asked), await api(leader, ...asked)]
    t.is(own.status, 400, asked[0])
    t.deepEqual(own, theirs)
    texts.push(own.body['error'].message)
  }
  t.regex(texts[0], /^cannot take 50 blocks off a chain of height 60$/)
  t.is(Number(await eth(follower.eth, 'eth_blockNumber')), 60)
})

withNats('the commands of a follower print what the ones of the leader print', async (t) => {
  const { leader, follower } = there()
  const run = (words: readonly string[], { control }: Member) => cli([...words, '--control', new URL(control).host])
  const rule = join(scratch(), 'slow.json5')
  writeFileSync(rule, "{ match: { method: 'eth_gasPrice' }, effect: { latency: '10ms' } }")
  const height = Number(await eth(follower.eth, 'eth_blockNumber'))
  t.is((await run(['mine', '12'], follower)).out, `height ${height + 12}\n`)
  t.is(Number(await eth(follower.eth, 'eth_blockNumber')), height + 12)
  t.is((await run(['faults', 'on', 'slow', '--rule', rule], follower)).out, 'slow is on\n')
  t.is((await run(['faults', 'off'], leader)).out, 'off: slow\n')
  const [own, theirs] = await Promise.all([follower, leader].map((member) => run(['faults', 'off', 'slow'], member)))
  t.deepEqual(own, theirs)
  t.is(own?.code, 1)
  t.regex(own?.err ?? '', /^ACTION_REFUSED: no fault "slow" is on\n\s*On: none\.\n$/)
})

withNats('standing time moves for all members, event by event, whichever member is asked', async (t) => {
  const { leader, follower } = there()
  const from = Number(await eth(follower.eth, 'eth_blockNumber'))
  for (const [member, nowMs, blocks] of [
    [follower, 12_000, 2],
    [leader, 24_000, 4],
  ] as const) {
    t.deepEqual(await api(member, '/advance', { by: '12s' }), { status: 200, body: { simulationMs: nowMs } })
    t.is(Number(await eth(member.eth, 'eth_blockNumber')), from + blocks)
  }
  // Each step counts from where the one before it ended, though another member was asked for it.
  for (let step = 1; step <= 40; step += 1) {
    const { body } = await api(step % 2 === 0 ? leader : follower, '/advance', { by: '10ms' })
    t.is(body['simulationMs'], 24_000 + step * 10)
  }
  const digests = await Promise.all(
    [follower, leader].map(({ eth: url }) => eth(url, 'eth_getBlockByNumber', ['latest', false])),
  )
  t.deepEqual(digests[0], digests[1])
})

withNats('a transaction that was sent through one member is replaced through another at once', async (t) => {
  const { leader, follower } = there()
  await eth(leader.eth, 'evm_setAutomine', [false])
  const [from, to] = await eth<readonly string[]>(leader.eth, 'eth_accounts')
  for (let turn = 0; turn < 10; turn += 1) {
    const [one, other] = turn % 2 === 0 ? [leader, follower] : [follower, leader]
    const hash = await eth(one.eth, 'eth_sendTransaction', [{ from, to, value: '0x1' }])
    const { status, body } = await api(other, '/mempool/replace', { hash })
    t.deepEqual([status, body['replaced']], [200, hash])
    await api(other, '/mine', { blocks: 1 })
    t.is(await eth<object | null>(other.eth, 'eth_getTransactionReceipt', [hash]), null)
    t.is((await eth<{ status: string }>(other.eth, 'eth_getTransactionReceipt', [body['hash']])).status, '0x1')
  }
  await eth(leader.eth, 'evm_setAutomine', [true])
})

withNats('large writes that come together through a follower all take effect', async (t) => {
  const { leader, follower } = there()
  const rule = { match: { method: 'web3_sha3' }, effect: { rpcError: { code: -1, message: 'x'.repeat(700_000) } } }
  const names = ['large1', 'large2', 'large3']
  const answers = await Promise.all(names.map((name) => api(follower, '/faults', { name, rule })))
  t.deepEqual(
    answers,
    names.map((name) => ({ status: 200, body: { name, on: true } })),
  )
  await api(follower, '/faults', undefined, 'DELETE')
  // Quotation marks take two bytes in an entry.
  const call = { jsonrpc: '2.0', id: 1, method: 'evm_setNextBlockTimestamp', params: Array<string>(5000).fill('') }
  const body = JSON.stringify(Array<typeof call>(30).fill(call))
  const replies = await Promise.all(
    [leader, follower, leader, follower].map(async ({ eth: url }) =>
      (await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })).json(),
    ),
  )
  for (const reply of replies) t.like((reply as unknown[]).at(-1), { error: { code: -32602 } })
})

withNats('the journal of a member has the writes of its clients, and those of no other member', async (t) => {
  const { leader, follower } = there()
  const written = async (member: Member) => {
    const { recent } = (await api(member, '/journal')).body
    return recent.filter(({ method }: { method: string }) => method === 'evm_setAutomine')
  }
  const before = [(await written(follower)).length, (await written(leader)).length]
  await eth(follower.eth, 'evm_setAutomine', [true])
  const [newest, ...older] = await written(follower)
  t.like(newest, { outcome: 'ok', status: 200 })
  t.deepEqual([older.length, (await written(leader)).length], before)
})
