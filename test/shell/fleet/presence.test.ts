/** When the end of another process is noticed, without NATS: its reports are passed on by hand. */
import { setImmediate } from 'node:timers/promises'
import test from 'ava'
import { createPresence } from '../../../src/shell/fleet/presence.ts'

type Nats = Parameters<typeof createPresence>[0]
type Callback = (error: Error | null, message: unknown) => void

/** Returns a presence of member `a`, a clock that is moved by hand, the members it found absent, and a report of NATS. */
function presenceOf() {
  const clock = { ms: 0 }
  const absent: string[] = []
  const asked: string[] = []
  const callbacks = new Map<string, Callback>()
  const reconnects: (() => void)[] = []
  const connection = {
    isClosed: () => false,
    publish: (subject: string) => asked.push(subject),
    subscribe: (subject: string, { callback }: { callback: Callback }) => callbacks.set(subject, callback),
    async *status() {
      for (;;) {
        await new Promise<void>((done) => {
          reconnects.push(done)
        })
        yield { type: 'reconnect' }
      }
    },
  }
  const nats = { connection, subjectOf: (...words: readonly string[]) => words.join('.') } as unknown as Nats
  const presence = createPresence(
    nats,
    'a',
    (member) => absent.push(member),
    () => clock.ms,
  )
  const report = (member: string, code = 503) =>
    callbacks.get('absent.a.*')?.(null, { subject: `absent.a.${member}`, headers: { code } })
  return { presence, clock, report, absent, asked, reconnect: () => reconnects.shift()?.() }
}

test('a member that NATS reports twice has ended; one heard from in between has not', async (t) => {
  const { presence, clock, report, absent, asked, reconnect } = presenceOf()
  presence.ask('b')
  t.deepEqual(asked, ['here.b'])
  for (const member of ['b', 'c']) report(member)
  report('other', 200)
  clock.ms += 150
  presence.heard('c')
  clock.ms += 150
  for (const member of ['b', 'c']) report(member)
  report('other', 200)
  t.deepEqual(absent, ['b'])
  reconnect()
  await setImmediate()
  report('c')
  clock.ms += 1499
  report('c')
  t.deepEqual(absent, ['b'], 'members reconnect at the same time')
  clock.ms += 1
  report('c')
  clock.ms += 300
  report('c')
  t.deepEqual(absent, ['b', 'c'], 'until then an absent member has not ended')
})
