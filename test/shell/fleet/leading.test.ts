/** The entries that a leader writes, without NATS. */
import { setImmediate } from 'node:timers/promises'
import test from 'ava'
import { createLeading } from '../../../src/shell/fleet/leading.ts'
import { fleetEntryOf } from '../../../src/shell/fleet/entry.ts'

type Options = Parameters<typeof createLeading>[0]
type Body = Parameters<ReturnType<typeof createLeading>['enter']>[0]

test('an entry never exceeds the size limit, whatever its inputs contain', async (t) => {
  const most = 100_000
  const texts: string[] = []
  const lost: unknown[] = []
  const leading = createLeading({
    ...{ term: 1, session: '', nowMs: () => 0n, most, appended: () => {} },
    last: () => ({ sequence: texts.length, seq: 0, timeMs: 0n }),
    append: async ({ text }) => {
      await setImmediate()
      texts.push(text)
    },
    take: async () => {},
    lost: (error) => lost.push(error),
  } as Options)
  const request = { kind: 'request', side: 'eth', transport: 'http', verb: 'POST', contentType: '', host: '' }
  const other = { target: '/', origin: undefined, trusted: false, connection: undefined }
  // As JSON, each of these characters takes more bytes than one.
  const bodies = ['"'.repeat(40_000), '\n'.repeat(40_000), '€'.repeat(30_000), '\u0001'.repeat(15_000)]
  const command = { kind: 'addFault', name: 'x'.repeat(60_000) }
  for (const body of [...bodies, ...bodies]) {
    leading.enter({ ...request, ...other, body } as Body, {
      from: { member: 'm', call: Math.random() },
      atMs: undefined,
    })
    leading.enter({ kind: 'operator', by: 'x', command } as unknown as Body)
  }
  while (texts.length === 0 || texts.flatMap(inputsOf).length < 16) await setImmediate()
  t.deepEqual(lost, [])
  for (const text of texts) t.true(Buffer.byteLength(text) <= most)
  t.true(texts.length < 17)
})

function inputsOf(text: string) {
  const entry = fleetEntryOf(text)
  return entry.kind === 'inputs' ? entry.inputs : []
}
