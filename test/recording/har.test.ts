/** What HAR files of other programs and our own say about the exchanges in them, and raw traffic that is damaged. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { fromHar } from '../../src/recording/har/fromHar.ts'
import { toHar } from '../../src/recording/har/toHar.ts'
import { importTap } from '../../src/recording/playback/importTap.ts'
import type { TapLine } from '../../src/recording/playback/tapLine.ts'
import { cometNames } from '../../src/shell/playback.ts'
import { importFile } from '../../src/shell/recordings/importFile.ts'
import { scratch } from '../helpers/cli.ts'

const startedDateTime = '2025-01-01T00:00:00Z'
const url = 'http://node/cosmos/bank/v1beta1/balances/none'
const body = '{"code":3,"message":"bad address","details":[]}'
const refused = { request: { method: 'GET', url }, response: { status: 400, content: { text: body } } }
const read = (entry: object) =>
  fromHar(JSON.stringify({ log: { entries: [{ startedDateTime, ...entry }] } }), Date.parse)[0]

test('a refusal without the metadata of a handler is an early one', (t) => {
  const withHeader = (name: string) =>
    read({ ...refused, response: { ...refused.response, headers: [{ name, value: '5' }] } })
  t.is(withHeader('Content-Type')?.isEarly, true)
  t.is(withHeader('Grpc-Metadata-X-Cosmos-Block-Height')?.isEarly, undefined)
  t.is(read(refused)?.isEarly, undefined)
})

test('HAR that was written keeps which refusals are early', (t) => {
  const line = { t: 5, ms: 1, iface: 'c', kind: 'http', conn: 1, method: 'GET', path: new URL(url).pathname } as const
  const errorsOf = (lines: readonly TapLine[]) => {
    const text = [{ format: 'tap/1' }, ...lines].map((one) => `${JSON.stringify(one)}\n`).join('')
    return importTap(text, cometNames)
  }
  for (const early of [{ isEarly: true }, {}] as const) {
    const library = errorsOf([{ ...line, status: 400, res: body, ...early }])
    const har = toHar(library, { version: '0', timeOf: (ms) => new Date(ms).toISOString() })
    t.deepEqual(errorsOf(fromHar(har, Date.parse)).answers, library.answers)
  }
})

const odd = test.macro((t, entry: object | null, lines: number) => {
  const whole = { startedDateTime, ...refused }
  const text = JSON.stringify({ log: { entries: [entry, whole] } })
  t.is(fromHar(text, Date.parse).length, lines)
})

const { request, response } = refused
test('an entry that is null is left out', odd, null, 1)
test('headers may be null', odd, { startedDateTime, request: { ...request, headers: null }, response }, 2)
test('an address may be missing', odd, { startedDateTime, request: { method: 'GET', url: null }, response }, 2)
test('frames may be null', odd, { startedDateTime, request, response, _webSocketMessages: null }, 2)
test('a frame without text is left out', odd, { _webSocketMessages: [{ type: 'send', data: null }, null] }, 1)

test('a file whose entries are no list is refused', (t) => {
  for (const text of ['null', '{"log":{"entries":5}}', '{"log":{"entries":null}}']) {
    t.throws(() => fromHar(text, Date.parse), { message: /the file is not a HAR: log\.entries is missing/ })
  }
})

const damaged = test.macro(async (t, line: string, message: RegExp) => {
  const folder = scratch()
  const path = join(folder, 'traffic.jsonl')
  writeFileSync(path, `{"format":"tap/1"}\n${line}\n`)
  await t.throwsAsync(importFile(path, join(folder, 'log')), { code: 'INVALID_RECORDING', message })
})

test('a line of traffic that is cut off is refused', damaged, '{"t":5', /line 2 is not valid JSON/)
test('a body that is not text is refused', damaged, '{"t":5,"iface":"b","req":5}', /line 2 has a body that is not text/)
test('a line of traffic that is no exchange is refused', damaged, 'null', /line 2 is not an exchange/)
test('a path that is not text is refused', damaged, '{"t":5,"iface":"c","path":5}', /line 2 is not an exchange/)

test('traffic that is played back is checked like traffic that is imported', (t) => {
  for (const [line, message] of [
    ['null', /line 2 is not an exchange/],
    ['{"t":5,"iface":"b","kind":"http","req":5}', /line 2 has a body that is not text/],
  ] as const) {
    t.throws(() => importTap(`{"format":"tap/1"}\n${line}\n`, cometNames), { code: 'INVALID_RECORDING', message })
  }
})

test('an entry without a date is placed at the start', (t) => {
  const text = JSON.stringify({
    log: {
      entries: [
        { startedDateTime, ...refused },
        { request, response },
      ],
    },
  })
  t.deepEqual(
    fromHar(text, Date.parse).map((one) => one.t),
    [0, 0],
  )
})
