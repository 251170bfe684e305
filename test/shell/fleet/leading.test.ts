/** The entries that a leader writes, without NATS. */
import { setImmediate } from 'node:timers/promises'
import test from 'ava'
import { createLeading } from '../../../src/shell/fleet/leading.ts'
import { fleetEntryOf } from '../../../src/shell/fleet/entry.ts'

type Options = Parameters<typeof createLeading>[0]
type Body = Parameters<ReturnType<typeof createLeading>['enter']>[0]

const request = { kind: 'request', side: 'eth', transport: 'http', verb: 'POST', contentType: '', host: '' }
const other = { target: '/', origin: undefined, trusted: false, connection: undefined }

/** Returns a leader whose entries are stored at once, with their texts and the error after which it stopped. */
function leader(most: number) {
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
  const call = (number: number, body: string) =>
    leading.enter({ ...request, ...other, body } as Body, { from: { member: 'm', call: number }, atMs: undefined })
  return { leading, call, texts, lost }
}

test('an entry never exceeds the size limit, whatever its inputs contain', async (t) => {
  const most = 100_000
  const { leading, call, texts, lost } = leader(most)
  // As JSON, each of these characters takes more bytes than one.
  const bodies = ['"'.repeat(40_000), '\n'.repeat(40_000), '€'.repeat(30_000), '\u0001'.repeat(15_000)]
  const command = { kind: 'addFault', name: 'x'.repeat(60_000) }
  for (const [number, body] of [...bodies, ...bodies].entries()) {
    call(number, body)
    leading.enter({ kind: 'operator', by: 'x', command } as unknown as Body)
  }
  while (texts.length === 0 || texts.flatMap(inputsOf).length < 16) await setImmediate()
  t.deepEqual(lost, [])
  for (const text of texts) t.true(Buffer.byteLength(text) <= most)
  t.true(texts.length < 17)
})

test('a call that is sent again is executed once, also after thousands of others', async (t) => {
  const { call, texts, lost } = leader(1_000_000)
  const count = 20_000
  for (let number = 0; number < count; number++) call(number, '')
  for (const number of [0, 1, count - 1]) call(number, '')
  call(count, '')
  const newest = () => texts.slice(-1).flatMap(inputsOf).at(-1)?.from?.call
  while (lost.length === 0 && newest() !== count) await setImmediate()
  t.deepEqual(lost, [])
  t.deepEqual(
    texts.flatMap(inputsOf).map(({ from }) => from?.call),
    Array.from({ length: count + 1 }, (_, number) => number),
  )
})

function inputsOf(text: string) {
  const entry = fleetEntryOf(text)
  return entry.kind === 'inputs' ? entry.inputs : []
}
