/** What readers of other members cost a leader: nothing that its processor time would show. */
import test from 'ava'
import { leaderOf } from '../../helpers/fleetLoad.ts'
import { readersRound } from '../../helpers/fleetReaders.ts'
import { median } from '../../helpers/median.ts'
import { noNats, startMember, startNats } from '../../helpers/nats.ts'

const measures = noNats === undefined && process.platform === 'linux' ? test.serial : test.skip
if (noNats !== undefined) test.skip(noNats, () => {})
if (process.platform !== 'linux') test.skip('processor time of a process is read from /proc, which Linux has', () => {})

/** Other work on the machine makes single rounds differ by a third, so a high median is measured further. */
const [roundsLeast, roundsMost] = [7, 21]

measures('a leader works as long with 8 times the readers, spread over followers', async (t) => {
  t.timeout(600_000)
  const nats = await startNats()
  t.teardown(nats.remove)
  const members = await Promise.all([1, 2, 3].map(() => startMember(nats.url, 'readers')))
  t.teardown(() => Promise.all(members.map((one) => one.kill())))
  const leader = await leaderOf(nats.url, 'readers')
  const followers = members.filter(({ pid }) => pid !== leader)
  t.is(followers.length, 2)
  const round = (readers: number) =>
    readersRound({ members: followers, readers, writes: 60, everyMs: 50, watched: [leader] })
  await round(8)
  const ratios: number[] = []
  const isMeasured = () => ratios.length >= roundsLeast && median(ratios) <= 1.1
  for (let turn = 0; turn < roundsMost && !isMeasured(); turn += 1) {
    // The order changes, so that what grows with time counts for neither.
    const first = await round(turn % 2 === 0 ? 1 : 8)
    const second = await round(turn % 2 === 0 ? 8 : 1)
    const [one, eight] = turn % 2 === 0 ? [first, second] : [second, first]
    t.true(eight.reads > 4 * one.reads, `${eight.reads} reads of eight readers, ${one.reads} of one`)
    t.true(eight.heads > 4 * one.heads)
    ratios.push((eight.usedMs[0] ?? Number.NaN) / (one.usedMs[0] ?? Number.NaN))
  }
  t.log({ median: median(ratios).toFixed(3), ratios: ratios.map((ratio) => ratio.toFixed(3)) })
  t.true(median(ratios) <= 1.1)
})
