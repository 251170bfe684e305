/** The latest requests with their responses: long texts are truncated, short ones stay as they are. */
import test from 'ava'
import type { Output } from '../../src/node/output.ts'
import type { Input } from '../../src/plan/input.ts'
import { createExchanges, type Exchange } from '../../src/shell/exchanges.ts'
import type { Simulation } from '../../src/simulation/turn.ts'
import { memoryInUse } from '../helpers/memoryInUse.ts'
import { requestWith } from '../helpers/requests.ts'

const simulation = {} as Simulation

/** Returns a function that enters a request with its outputs, and what was recorded. */
function recording() {
  const answered: Exchange[] = []
  const exchanges = createExchanges(
    () => {},
    (exchange) => answered.push(exchange),
  )
  const enter = (seq: number, body: string, outputs: readonly Output[]): void => {
    const request: Input = { ...requestWith({ body }), seq, timeMs: 7n, session: '' }
    exchanges.watching(() => ({ simulation, outputs }))(simulation, request)
  }
  return { exchanges, enter, answered }
}

function reply(seq: number, body: string): Output {
  return { kind: 'reply', seq, status: 200, headers: [], body, wire: undefined }
}

for (const [title, length] of [
  ['short', 100],
  ['long', 10_000],
] as const) {
  test(`a ${title} request and its response are recorded as they are`, (t) => {
    const { exchanges, enter, answered } = recording()
    const [asked, told] = ['ä', 'ö'].map((letter) => letter.repeat(length))
    enter(1, asked ?? '', [reply(1, told ?? '')])
    t.like(exchanges.at(1), { seq: 1, timeMs: 7, request: asked, answer: told, status: 200 })
    t.deepEqual(exchanges.recent(), [exchanges.at(1)])
    t.like(answered, [{ request: asked, answer: told }])
  })
}

test('of a very long text the first 16,384 characters are recorded, and its length', (t) => {
  const { exchanges, enter } = recording()
  enter(1, 'a'.repeat(20_000), [reply(1, 'b'.repeat(30_000))])
  t.is(exchanges.at(1)?.request, `${'a'.repeat(16_384)} … (20000 characters)`)
  t.is(exchanges.at(1)?.answer, `${'b'.repeat(16_384)} … (30000 characters)`)
  enter(2, 'c'.repeat(20_000), [])
  enter(3, '', [reply(2, '')])
  t.is(exchanges.at(2)?.request, `${'c'.repeat(16_384)} … (20000 characters)`)
})

test('a response that comes later is recorded with its request', (t) => {
  const { exchanges, enter, answered } = recording()
  enter(1, 'c'.repeat(5000), [])
  t.like(exchanges.at(1), { answer: undefined, status: undefined, tookMs: undefined })
  enter(2, 'other', [reply(1, 'd'.repeat(5000)), reply(2, 'mine')])
  t.like(exchanges.at(1), { request: 'c'.repeat(5000), answer: 'd'.repeat(5000), status: 200 })
  t.deepEqual(
    answered.map(({ seq }) => seq),
    [2, 1],
  )
})

test('the last 500 are recorded', (t) => {
  const { exchanges, enter } = recording()
  for (let seq = 1; seq <= 502; seq += 1) enter(seq, `${seq}`, [reply(seq, '')])
  t.is(exchanges.recent().length, 500)
  t.is(exchanges.at(2), undefined)
  t.is(exchanges.at(3)?.request, '3')
})

test('long texts stay what they were while older ones are dropped, and when a response comes later', (t) => {
  const { exchanges, enter } = recording()
  const textOf = (seq: number, what: string) => `${what} ${seq} `.repeat(200 + (seq % 7) * 100)
  for (let seq = 1; seq <= 1500; seq += 1) {
    const isLate = seq % 3 === 0
    const late = isLate ? [] : [reply(seq, textOf(seq, 'answer'))]
    const earlier = seq % 3 === 2 && seq > 2 ? [reply(seq - 2, textOf(seq - 2, 'answer'))] : []
    enter(seq, textOf(seq, 'request'), [...late, ...earlier])
  }
  const shown = exchanges.recent()
  t.is(shown.length, 500)
  for (const { seq, request, answer } of shown) {
    t.is(request, textOf(seq, 'request'))
    if (seq <= 1498) t.is(answer, textOf(seq, 'answer'))
  }
})

test('the names of methods and paths that are counted do not hold their requests', async (t) => {
  const { exchanges, enter, answered } = recording()
  const filler = 'x'.repeat(500_000)
  const before = await memoryInUse()
  for (let seq = 1; seq <= 100; seq += 1) {
    enter(seq, JSON.stringify({ method: `eth_madeUpMethod${seq}`, params: [filler] }), [reply(seq, '')])
    enter(100 + seq, `GET /a/path/of/its/own/${seq}?${filler}`, [reply(100 + seq, '')])
  }
  answered.length = 0
  const grown = (await memoryInUse()) - before
  t.is(exchanges.stats().methods.length, 200)
  t.true(grown < 20e6, `${Math.round(grown / 1e6)} MB more, of 100 MB of requests`)
})
