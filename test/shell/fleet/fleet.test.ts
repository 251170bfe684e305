/** Processes that share one chain through a real NATS server. */
import test from 'ava'
import { cli, freePorts } from '../../helpers/cli.ts'
import { eth, runTakeovers, transfer } from '../../helpers/fleetLoad.ts'
import { noNats, startMember, startNats } from '../../helpers/nats.ts'
import { ask } from '../../helpers/raw.ts'
import { startRunningClock } from '../../helpers/runningClock.ts'

const withNats = noNats === undefined ? test.serial : test.skip
if (noNats !== undefined) test.skip(noNats, () => {})

withNats('three members outlive the end of their leader: no answer is lost, no head is missed', async (t) => {
  const nats = await startNats()
  t.teardown(nats.remove)
  const { acknowledged, missing, gaps, heads, pausesMs, agreed } = await runTakeovers({
    ...{ url: nats.url, name: 'small', takeovers: 1, subscribers: 6, writers: { count: 4, pauseMs: 100 } },
  })
  t.log({ acknowledged, heads, pausesMs, agreed })
  t.true(acknowledged > 20)
  t.true(heads > 20)
  t.deepEqual(missing, [])
  t.deepEqual(gaps, [])
})

withNats('a member refuses what differs, reads on without NATS, and fails writes within their time', async (t) => {
  const nats = await startNats()
  t.teardown(nats.remove)
  const member = await startMember(nats.url, 'one')
  t.teardown(member.stop)
  await transfer(member.eth, 0)
  const other = await cli(['start', '--fleet', nats.url, '--fleet-name', 'one', ...freePorts, '--accounts', '3'])
  t.not(other.code, 0)
  t.regex(other.err, /cannot join the fleet: its setting accounts is 10, but this member has 3/)
  const height = await eth(member.eth, 'eth_blockNumber')
  await nats.kill()
  const clock = startRunningClock()
  t.teardown(clock.stop)
  const mined = fetch(`${member.control}/api/mine`, { method: 'POST', body: '{}' })
  const error = await t.throwsAsync(transfer(member.eth, 1))
  t.regex(error?.message ?? '', /no leader of the fleet confirmed this write within 5 s/)
  const answer = await mined
  t.is(answer.status, 504)
  t.like(await answer.json(), { error: { code: 'ACTION_UNCONFIRMED' } })
  t.true(clock.nowMs() < 7000)
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] })
  const read = await ask(member.eth, { verb: 'POST', headers: { 'content-type': 'application/json' }, body })
  t.is((JSON.parse(read.body) as { result: string }).result, height)
  t.true(Number(read.headers['x-chainstage-lag-ms']) > 3000)
  await nats.start()
  t.regex(await transfer(member.eth, 2), /^0x/)
})
