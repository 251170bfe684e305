import test from 'ava'
import type { ChainEvent } from '../../src/chain/event.ts'
import { bytesOfHex } from '../../src/codec/hex.ts'
import { compileScenario } from '../../src/scenario/compile.ts'
import { noFacts } from '../../src/scenario/facts.ts'
import { nearer, nearMiss, nearText } from '../../src/scenario/nearMiss.ts'
import type { Knowing, Occurrence } from '../../src/scenario/occurrence.ts'
import type { CallRecord } from '../../src/rpc/callRecord.ts'

const alice = `0x${'aa'.repeat(20)}`
const bob = `0x${'bb'.repeat(20)}`

const knowing: Knowing = {
  addressOf: bytesOfHex,
  unwrap: () => [],
  messageTypes: () => [],
  filled: (json) => json,
  signers: { keys: new Map() } as unknown as Knowing['signers'],
}

function matchOf(when: string) {
  const text = `{ chainstage: 1, name: 'x', steps: [{ when: ${when} }] }`
  const { plan } = compileScenario(new Map([['s.json5', text]]), 's.json5')
  return plan.counters?.[0]?.match ?? ({ type: 'ws', what: 'open' } as const)
}

const call = (changed: Partial<CallRecord>): Occurrence => ({
  type: 'call',
  record: {
    seq: 1,
    timeMs: 0n,
    side: 'eth',
    transport: 'post',
    method: 'eth_call',
    params: '[]',
    session: '',
    outcome: 'ok',
    faults: [],
    delayMs: 0n,
    attempt: 1,
    given: { is: 'nothing' },
    ...changed,
  },
})

const hash = new Uint8Array(32)
const accepted = (from: string): Occurrence => ({
  type: 'chain',
  event: {
    type: 'txAccepted',
    tx: {
      hash,
      tx: new Uint8Array(0),
      held: false,
      info: { sender: bytesOfHex(from), nonce: 4n },
    },
  } as unknown as ChainEvent,
})

const near = test.macro({
  exec(t, when: string, seen: Occurrence, wanted: string | undefined) {
    t.is(nearMiss(matchOf(when), seen, noFacts, knowing)?.text, wanted)
  },
  title: (title = '', when: string) => `${title}: ${when}`,
})

const one = '{ request: { method: "eth_call", params: ["0x1"], outcome: "fault" } }'
test('two things are wrong', near, one, call({}), undefined)
test('the outcome', near, one, call({ params: '["0x1"]' }), 'eth_call ["0x1"] ended as ok')
test(
  'the parameters',
  near,
  one,
  call({ outcome: 'fault', faults: ['f'], params: '["0x2"]' }),
  'eth_call ["0x2"] has different parameters',
)
test('the spelling', near, '{ request: { method: "eth_cal" } }', call({}), 'eth_call [] is not eth_cal')
test('nothing like it', near, '{ request: { method: "eth_getLogs" } }', call({}), undefined)
test(
  'the side',
  near,
  '{ request: { iface: "comet", method: "health" } }',
  call({ method: 'health' }),
  'health [] came on eth',
)
test(
  'the stage',
  near,
  `{ tx: { from: '${alice}', stage: 'included' } }`,
  accepted(alice),
  'a matching transaction was accepted, not included',
)
test(
  'the nonce',
  near,
  `{ tx: { from: '${alice}', nonce: 5, stage: 'accepted' } }`,
  accepted(alice),
  'a transaction with a different "nonce" was accepted',
)
test(
  'the sender',
  near,
  `{ tx: { from: '${bob}', stage: 'accepted' } }`,
  accepted(alice),
  'a transaction with a different "from" was accepted',
)
test(
  'the subscription',
  near,
  '{ ws: { subscribe: "newHeads" } }',
  { type: 'ws', what: 'subscribe', side: 'eth', query: 'logs' },
  'subscribe on eth of logs',
)
test(
  'a door that is shut',
  near,
  '{ ws: { open: true } }',
  { type: 'ws', what: 'refused', side: 'eth', query: undefined, by: 'cut' },
  'a WebSocket on eth was refused by fault "cut"',
)

test('the nearest is kept, and how often it came', (t) => {
  const far = nearer(undefined, { text: 'far', rank: 3 })
  const close = nearer(nearer(far, { text: 'close', rank: 0 }), { text: 'closer', rank: 0 })
  t.is(nearText(nearer(close, { text: 'far', rank: 3 })), '; near miss: closer, 2 times')
  t.is(nearText(far), '; near miss: far')
  t.is(nearText(undefined), '')
})
