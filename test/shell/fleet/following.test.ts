/** A member's copy when an entry of the log does not take effect at once. */
import test from 'ava'
import { createFollower } from '../../../src/shell/fleet/following.ts'
import { fleetEntryText } from '../../../src/shell/fleet/entry.ts'

type Copy = Parameters<typeof createFollower>[0]['copy']

/** Returns a follower whose copy throws so many times, and what was told of it. */
function followerThat(throwsTimes: number) {
  const told: string[] = []
  let left = throwsTimes
  const take: Copy['take'] = async (inputs) => {
    left -= 1
    if (left >= 0) throw new Error('no interpreter')
    told.push(`took ${inputs.length}`)
  }
  const follower = createFollower({
    copy: { seq: () => 0, take } as Partial<Copy> as Copy,
    log: (level) => told.push(level),
    led: ({ term }) => told.push(`led ${term}`),
    taken: () => {},
    gone: () => {},
    failed: (why) => told.push(why),
  })
  const inputs = { sequence: 1, text: fleetEntryText({ kind: 'inputs', term: 1, inputs: [] }) }
  const led = { sequence: 2, text: fleetEntryText({ kind: 'led', term: 2, member: 'm' }) }
  return { follower, told, inputs, led }
}

test('an entry that fails once takes effect before the next one', async (t) => {
  const { follower, told, inputs, led } = followerThat(1)
  await Promise.all([follower.take(inputs), follower.take(led)])
  t.deepEqual(told, ['error', 'took 0', 'led 2'])
  t.is(follower.sequence(), 2)
})

test('an entry that fails however often ends the member, and nothing follows it', async (t) => {
  const { follower, told, inputs, led } = followerThat(99)
  await Promise.all([follower.take(inputs), follower.take(led)])
  t.deepEqual(told, ['error', 'error', 'entry 1 of the input log was not applied: no interpreter'])
  t.is(follower.sequence(), 0)
})
