/** Two members of a fleet: what each interface, the metrics, the commands and a graceful end say. */
import { setTimeout as delay } from 'node:timers/promises'
import { toBase64 } from '@cosmjs/encoding'
import test from 'ava'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { openNats } from '../../../src/shell/fleet/nats.ts'
import type { MemberStatus } from '../../../src/shell/fleet/status.ts'
import { cli, freePorts } from '../../helpers/cli.ts'
import { parseExposition, seriesValue } from '../../helpers/exposition.ts'
import { leaderOf, transfer } from '../../helpers/fleetLoad.ts'
import { fieldsOf, GrpcClient, textField } from '../../helpers/grpc.ts'
import { any, ethereumPerson, signTx } from '../../helpers/messageChain.ts'
import { agreement, noNats, startMember, startNats, type Member } from '../../helpers/nats.ts'
import { post } from '../../helpers/raw.ts'
import { startRunningClock } from '../../helpers/runningClock.ts'

const withNats = noNats === undefined ? test.serial : test.skip
if (noNats !== undefined) test.skip(noNats, () => {})

const name = 'two'
const dev0 = 'cosmos1cml96vmptgw99syqrrz8az79xer2pcgp95srxm'

type Stage = { readonly url: string; readonly leader: Member; readonly follower: Member }
let stage: Stage | undefined
function there(): Stage {
  if (stage === undefined) throw new Error('the fleet did not start')
  return stage
}

if (noNats === undefined) {
  let remove = async () => {}
  test.before(async () => {
    const nats = await startNats()
    remove = nats.remove
    const words = ['--instrumentation.prometheus_listen_addr', '127.0.0.1:0', '--instrumentation.prometheus']
    const members = await Promise.all([1, 2].map(() => startMember(nats.url, name, words)))
    const pid = await leaderOf(nats.url, name)
    const [leader, follower] = [members.find((one) => one.pid === pid), members.find((one) => one.pid !== pid)]
    if (leader !== undefined && follower !== undefined) stage = { url: nats.url, leader, follower }
  })
  test.after.always(async () => {
    await Promise.all([stage?.leader.kill(), stage?.follower.kill()])
    await remove()
  })
}

withNats('REST, gRPC and CometBFT RPC of a follower read what was written through it', async (t) => {
  const { follower, leader } = there()
  await transfer(follower.eth, 1)
  const asked = `/cosmos/bank/v1beta1/balances/${dev0}/by_denom?denom=atest`
  const rest = (await (await fetch(follower.rest + asked)).json()) as { balance: { amount: string } }
  using client = new GrpcClient(follower.grpc)
  const message = Buffer.concat([textField(1, dev0), textField(2, 'atest')])
  const { bytes } = await client.call('/cosmos.bank.v1beta1.Query/Balance', message)
  const [coin = Buffer.alloc(0)] = fieldsOf(bytes ?? Buffer.alloc(0), 1)
  t.is(String(fieldsOf(coin, 2)[0]), rest.balance.amount)
  const own = (await (await fetch(leader.rest + asked)).json()) as typeof rest
  t.is(own.balance.amount, rest.balance.amount)
})

withNats('broadcast_tx_commit of a follower waits for the block that the leader mines', async (t) => {
  const { follower, leader } = there()
  const tx = await signedSend(follower.rest)
  type Answer = { result: { height: string; tx_result: { code: number }; hash: string } }
  const body = { jsonrpc: '2.0', id: 1, method: 'broadcast_tx_commit', params: { tx } }
  const { result } = (await post(follower.comet, body)) as Answer
  t.is(result.tx_result.code, 0)
  const found = await fetch(`${leader.comet}/tx?hash=0x${result.hash}`)
  t.like(await found.json(), { result: { height: result.height } })
})

withNats('metrics of both members count the fleet', async (t) => {
  const { follower, leader } = there()
  await transfer(follower.eth, 2)
  const scrape = async ({ metrics }: Member) => (await fetch(`${metrics}/metrics`)).text()
  const [led, followed] = [await scrape(leader), await scrape(follower)]
  for (const text of [led, followed]) {
    parseExposition(text)
    t.is(seriesValue(text, 'chainstage_fleet_members'), 2)
    t.is(seriesValue(text, 'chainstage_fleet_lag_seconds'), 0)
    t.is(seriesValue(text, 'chainstage_fleet_open_writes'), 0)
    t.true(seriesValue(text, 'chainstage_fleet_sequence') > 1)
    t.true(seriesValue(text, 'chainstage_fleet_term') >= 1)
  }
  t.is(seriesValue(led, 'chainstage_fleet_chains_led'), 1)
  t.is(seriesValue(followed, 'chainstage_fleet_chains_led'), 0)
  t.true(seriesValue(led, 'chainstage_fleet_takeovers_total') >= 1)
  t.true(seriesValue(led, 'chainstage_fleet_append_duration_seconds_count') > 0)
  t.true(seriesValue(led, 'chainstage_fleet_inputs_total') > 0)
  t.is(seriesValue(followed, 'chainstage_fleet_inputs_total'), 0)
})

withNats('fleet status prints the members, and fails where nobody leads', async (t) => {
  const { url, leader, follower } = there()
  const words = ['fleet', 'status', '--fleet', url, '--fleet-name']
  const { code, out } = await cli([...words, name])
  t.is(code, 0)
  t.regex(out, new RegExp(`:${leader.pid} .*leads 1 of 1 chain\\n  main chain: height \\d+, leads since term \\d+`))
  t.regex(
    out,
    new RegExp(`:${follower.pid} .*leads 0 of 1 chain\\n  main chain: height \\d+, follows, 0 entries behind`),
  )
  const json = JSON.parse((await cli([...words, name, '--json'])).out) as MemberStatus[]
  t.is(new Set(json.map(({ chains }) => chains[0]?.digest)).size, 1)
  const nobody = await cli([...words, 'nobody'])
  t.deepEqual([nobody.code, nobody.out], [1, 'no member answers\n'])
})

withNats('a member that asks for another number of replicas is refused', async (t) => {
  const words = ['start', '--fleet', there().url, '--fleet-name', name, '--fleet-replicas', '2', ...freePorts]
  const { code, err } = await cli(words)
  t.not(code, 0)
  t.regex(err, /^FLEET_DIFFERS: .*its --fleet-replicas is 1, but this member has 2$/m)
})

withNats('when the leader is asked to end, writes pause for less time than a lease lapses in', async (t) => {
  const { url, leader, follower } = there()
  await transfer(follower.eth, 3)
  const clock = startRunningClock()
  t.teardown(clock.stop)
  let isOver = false
  const ended = leader
    .stop()
    .then(() => delay(500))
    .then(() => {
      isOver = true
    })
  const sent = { until: 0, after: 0 }
  let mostMs = 0
  // Some writes follow the end even where a write takes long.
  while (!isOver || sent.after < 5) {
    const sentAtMs = clock.nowMs()
    await transfer(follower.eth, 4 + ((sent.until + sent.after) % 5))
    mostMs = Math.max(mostMs, clock.nowMs() - sentAtMs)
    sent[isOver ? 'after' : 'until'] += 1
  }
  await ended
  t.is(await leaderOf(url, name), follower.pid)
  t.log({ mostMs, ...sent, lostMs: clock.lostMs() })
  t.true(sent.until > 0)
  // Half of the 1.6 s after which a silent leader is replaced.
  t.true(mostMs < 800)
  t.truthy(await agreement(url, name, 1))
})

withNats('a fleet is removed with all it stores, but not while a member is there', async (t) => {
  const { url, leader, follower } = there()
  const remove = () => cli(['fleet', 'remove', name, '--fleet', url])
  const early = await remove()
  t.is(early.code, 1)
  t.regex(early.err, /^FLEET_IN_USE: fleet two cannot be removed: it has members$/m)
  t.truthy(await agreement(url, name, 1))
  await Promise.all([leader.kill(), follower.kill()])
  const nats = await openNats({ servers: [url], name: 'other' }, 'test')
  t.teardown(() => nats.connection.close())
  const { code, out, err } = await remove()
  t.deepEqual([code, out], [0, 'removed fleet two with 1 chain\n'], err)
  const left: string[] = []
  for await (const stream of nats.jsm.streams.list()) left.push(stream.config.name)
  t.deepEqual(left.sort(), ['KV_chainstage_other', 'OBJ_chainstage_other'])
  t.regex((await remove()).err, /^NO_FLEET: there is no fleet two on these servers$/m)
})

/** Resolves with a signed transfer of tokens, as base64. */
async function signedSend(rest: string): Promise<string> {
  const from = ethereumPerson(5)
  const found = await fetch(`${rest}/cosmos/auth/v1beta1/accounts/${from.address}`)
  const { account } = (await found.json()) as { account: { account_number: string; sequence: string } }
  const amount = [{ denom: 'atest', amount: '7' }]
  const send = any(MsgSend, { fromAddress: from.address, toAddress: dev0, amount })
  const order = { number: BigInt(account.account_number), sequence: BigInt(account.sequence) }
  return toBase64(signTx(from, [send], order))
}
