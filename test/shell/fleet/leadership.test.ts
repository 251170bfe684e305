/** A member that takes over a chain, without NATS: the log answers when the test says so. */
import { setImmediate } from 'node:timers/promises'
import test from 'ava'
import { createLeadership } from '../../../src/shell/fleet/leadership.ts'

type Options = Parameters<typeof createLeadership>[0]
type Log = Parameters<ReturnType<typeof createLeadership>['check']>[0]
type Leader = { readonly member: string; readonly term: number }

/**
 * Returns the leadership of member `a`, which claims term 1, and `end`, which ends the claim with
 * the leader that the log then names.
 */
async function takingOver() {
  let leader: Leader | undefined
  let end: (leader: Leader) => void = () => {}
  const log = {
    id: 'log',
    end: async () => 0,
    claim: () =>
      new Promise<boolean>((resolve) => {
        end = (named) => {
          leader = named
          resolve(true)
        }
      }),
  }
  const leadership = createLeadership({
    around: {
      nats: { keyOf: () => 'key', kv: { get: async () => null, create: async () => 1 } },
      members: { self: 'a', isAlive: () => true, preferred: () => 'a', speak: () => {} },
      measure: { led: () => {} },
    },
    chain: '',
    follower: () => ({ reached: async () => {}, sequence: () => 0, leader: () => leader }),
    stamping: {},
    began: () => {},
    ended: () => {},
    log: () => {},
  } as unknown as Options)
  leadership.check(log as unknown as Log)
  await setImmediate()
  return { leadership, end: (named: Leader) => end(named) }
}

test('a write that arrives before a member knows that it leads waits until it does', async (t) => {
  const { leadership, end } = await takingOver()
  const used: number[] = []
  for (const term of [1, 2]) leadership.inTerm(term, (leading) => used.push(leading.term))
  t.deepEqual(used, [])
  end({ member: 'a', term: 1 })
  await setImmediate()
  t.deepEqual(used, [1], 'a write to the leader of term 2 is not for this one')
  leadership.inTerm(1, (leading) => used.push(leading.term))
  leadership.inTerm(2, (leading) => used.push(leading.term))
  t.deepEqual(used, [1, 1])
})

test('a write to a member that did not become leader is dropped, and not used in a later term', async (t) => {
  const { leadership, end } = await takingOver()
  const used: number[] = []
  leadership.inTerm(1, (leading) => used.push(leading.term))
  end({ member: 'b', term: 1 })
  await setImmediate()
  t.deepEqual(used, [])
  t.is(leadership.current(), undefined)
})

test('only so many writes wait for a member that takes over', async (t) => {
  const { leadership, end } = await takingOver()
  let used = 0
  for (let sent = 0; sent < 300; sent += 1) leadership.inTerm(1, () => (used += 1))
  end({ member: 'a', term: 1 })
  await setImmediate()
  t.is(used, 256)
})
