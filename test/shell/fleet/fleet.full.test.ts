/** Fleets under what happens to them: ends of leaders, cut lines, servers that go, many sessions. */
import test from 'ava'
import { setTimeout as delay } from 'node:timers/promises'
import { eth, leaderOf, runTakeovers, subscribe, transfer } from '../../helpers/fleetLoad.ts'
import { agreement, noNats, startCluster, startMember, startNats, statusOf } from '../../helpers/nats.ts'
import { cuttingProxy } from '../../helpers/cuttingProxy.ts'
import { fleetStored } from '../../helpers/fleetStored.ts'

const withNats = noNats === undefined ? test.serial : test.skip
if (noNats !== undefined) test.skip(noNats, () => {})

withNats('fifty leaders end under writes and 100 subscribers', async (t) => {
  t.timeout(1_500_000)
  const nats = await startNats()
  t.teardown(nats.remove)
  const { missing, gaps, pausesMs, ...rest } = await runTakeovers({
    ...{ url: nats.url, name: 'fifty', takeovers: 50, subscribers: 100 },
    // Transactions all the time, and time for the members: all of them and the clients share two cores.
    writers: { count: 6, pauseMs: 100 },
    words: ['--fleet-snapshot-every', '250'],
  })
  const sorted = [...pausesMs].sort((one, other) => one - other)
  t.log({ ...rest, pauseMedianMs: sorted[25], pauseMostMs: sorted.at(-1) })
  t.true(rest.acknowledged > 500)
  t.deepEqual(missing, [])
  t.deepEqual(gaps, [])
  t.true((sorted.at(-1) ?? Infinity) <= 3000)
})

withNats('a leader behind a cut line is replaced, and nothing forks', async (t) => {
  t.timeout(180_000)
  const nats = await startNats()
  const proxy = await cuttingProxy(nats.port)
  t.teardown(nats.remove)
  const cutOff = await startMember(proxy.url, 'cut', ['--fleet-snapshot-every', '1000'])
  const others = await Promise.all([1, 2].map(() => startMember(nats.url, 'cut', ['--fleet-snapshot-every', '1000'])))
  t.teardown(() => Promise.all([cutOff, ...others].map((one) => one.kill())))
  t.is(await leaderOf(nats.url, 'cut'), cutOff.pid)
  const heads = subscribe(cutOff)
  await transfer(cutOff.eth, 0)
  for (let turn = 0; turn < 3; turn += 1) {
    proxy.cut()
    const height = await eth(cutOff.eth, 'eth_blockNumber')
    const lost = transfer(cutOff.eth, 1).catch((error: unknown) => error)
    const [one, other] = others.map(({ eth: url }, place) => transfer(url, place + 2))
    t.regex((await one) ?? '', /^0x/)
    t.regex((await other) ?? '', /^0x/)
    t.is(await eth(cutOff.eth, 'eth_blockNumber'), height)
    t.true((await lost) instanceof Error)
    proxy.join()
    t.log(await agreement(nats.url, 'cut', 3))
    t.regex(await transfer(cutOff.eth, 1), /^0x/)
  }
  t.log(await agreement(nats.url, 'cut', 3))
  t.is(heads.gap(), undefined)
  t.true(heads.heads() > 6)
})

withNats('a newcomer has 10,000 blocks within seconds', async (t) => {
  t.timeout(300_000)
  const nats = await startNats()
  t.teardown(nats.remove)
  const words = ['--fleet-snapshot-every', '200']
  const first = await startMember(nats.url, 'new', words)
  const second = await startMember(nats.url, 'new', words)
  t.teardown(() => Promise.all([first, second].map((one) => one.kill())))
  for (let mined = 0; mined < 100; mined += 1) await eth(second.eth, 'hardhat_mine', ['0x64'])
  for (let sent = 0; sent < 250; sent += 1) await transfer(second.eth, sent % 5)
  const height = Number(await eth(second.eth, 'eth_blockNumber'))
  t.true(height >= 10_000)
  const since = performance.now()
  const newcomer = await startMember(nats.url, 'new', words)
  t.teardown(newcomer.kill)
  const tookMs = performance.now() - since
  t.true(Number(await eth(newcomer.eth, 'eth_blockNumber')) >= height)
  t.log({ height, tookMs, agreed: await agreement(nats.url, 'new', 3) })
  t.true(tookMs < 15_000)
  // The newest snapshot and the one before it are kept, and the entries since the older one. Older ones are
  // removed after a newer one is stored, so for a moment there are three.
  let stored = await fleetStored(nats.url, 'new')
  for (let tries = 0; tries < 50 && stored.snapshots.length > 2; tries += 1) {
    await delay(200)
    stored = await fleetStored(nats.url, 'new')
  }
  t.log(stored)
  t.true(stored.snapshots.length === 1 || stored.snapshots.length === 2)
  t.true(stored.first > 1 && stored.last - stored.first < 3 * 200)
})

withNats('five leaders end under writes on a cluster of three servers', async (t) => {
  t.timeout(300_000)
  const cluster = await startCluster()
  t.teardown(() => Promise.all(cluster.map((one) => one.remove())))
  const { missing, gaps, ...rest } = await runTakeovers({
    ...{ url: cluster.map(({ url }) => url).join(','), name: 'five', takeovers: 5, subscribers: 15 },
    writers: { count: 3, pauseMs: 100 },
  })
  t.log(rest)
  t.true(rest.acknowledged > 50)
  t.deepEqual([missing, gaps], [[], []])
  t.true(Math.max(...rest.pausesMs) <= 6000)
})

withNats('a server of a cluster of three, and the only server of another fleet, end and come back', async (t) => {
  t.timeout(240_000)
  const [cluster, single] = [await startCluster(), await startNats()]
  t.teardown(() => Promise.all([...cluster, single].map((one) => one.remove())))
  const url = cluster.map((one) => one.url).join(',')
  const members = await Promise.all([1, 2, 3].map(() => startMember(url, 'three')))
  t.teardown(() => Promise.all(members.map((one) => one.kill())))
  const heads = members.map(subscribe)
  for (const server of cluster) {
    await server.kill()
    const sent = await sentAgain(() => transfer(members[1]?.eth ?? '', 0), 30_000)
    t.log(`a write after ${Math.round(sent)} ms`)
    await server.start()
    await delay(5000)
  }
  t.log(await agreement(url, 'three', 3))
  t.deepEqual(
    heads.map(({ gap }) => gap()),
    [undefined, undefined, undefined],
  )
  const alone = await startMember(single.url, 'single')
  t.teardown(alone.kill)
  await transfer(alone.eth, 0)
  await single.kill()
  await single.start()
  t.true((await sentAgain(() => transfer(alone.eth, 0), 30_000)) < 10_000)
})

withNats('300 sessions spread over three members, and each serves all of them', async (t) => {
  t.timeout(400_000)
  const nats = await startNats()
  t.teardown(nats.remove)
  const words = ['--max-sessions', '400']
  const members = await Promise.all([1, 2, 3].map(() => startMember(nats.url, 'many', words)))
  t.teardown(() => Promise.all(members.map((one) => one.kill())))
  const since = performance.now()
  for (let start = 0; start < 300; start += 10) {
    await Promise.all(
      Array.from({ length: 10 }, async (_, place) => {
        const name = `job-${start + place}`
        const [here, there] = [members[place % 3], members[(place + 1) % 3]].map((one) => `${one?.eth}/s/${name}`)
        const hash = await transfer(here ?? '', 1)
        t.is(hash.length, 66)
        // The other member opens the session now: a write through it sees the one before.
        await transfer(there ?? '', 2)
        t.truthy(await eth(there ?? '', 'eth_getTransactionReceipt', [hash]))
      }),
    )
  }
  const tookMs = performance.now() - since
  const led = (await statusOf(nats.url, 'many')).map(({ chains }) => chains.filter(({ leads }) => leads).length)
  t.log({ tookMs, led })
  t.is(
    led.reduce((sum, count) => sum + count, 0),
    301,
  )
  t.true(Math.min(...led) > 60)
})

/** Resolves with the milliseconds until a write is answered, however often it failed before. */
async function sentAgain(send: () => Promise<string>, mostMs: number): Promise<number> {
  const since = performance.now()
  for (;;) {
    const hash = await send().catch(() => undefined)
    if (hash !== undefined) return performance.now() - since
    if (performance.now() - since > mostMs) throw new Error('no write was answered')
  }
}
