import { createHash } from 'node:crypto'
import test from 'ava'
import fc from 'fast-check'
import type { MempoolTx } from '../../src/chain/event.ts'
import {
  added,
  candidates,
  changed,
  emptyMempool,
  hasCandidates,
  removedAll,
  waiting,
  waitingTx,
} from '../../src/chain/mempool.ts'

const number = fc.nat(12)
const change = fc.oneof(
  { weight: 3, arbitrary: fc.record({ type: fc.constant('add' as const), held: fc.boolean(), queued: fc.boolean() }) },
  fc.record({ type: fc.constant('remove' as const), numbers: fc.array(number, { maxLength: 8 }) }),
  fc.record({ type: fc.constant('change' as const), number, held: fc.boolean(), queued: fc.boolean() }),
)

const hashOf = (seq: number) => Uint8Array.from(createHash('sha256').update(`${seq}`).digest())

function entryOf(seq: number, held: boolean, queued: boolean): MempoolTx {
  return {
    ...{ hash: hashOf(seq), tx: Uint8Array.of(seq), seq, info: undefined, gasWanted: 1n },
    ...{ since: { height: 1n, ms: 0n }, held, queued, inComet: true, replaced: undefined },
  }
}

const placeOf = ({ seq, held, queued }: MempoolTx) => [seq, held, queued]

test('blocks are offered what waits and is neither held nor queued, in order of arrival', (t) => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
      let mempool = emptyMempool
      const model = new Map<number, MempoolTx>()
      for (const one of changes) {
        if (one.type === 'add') {
          const entry = entryOf(mempool.nextSeq, one.held, one.queued)
          model.set(entry.seq, entry)
          mempool = added(mempool, entry)
        } else if (one.type === 'remove') {
          for (const seq of one.numbers) model.delete(seq)
          mempool = removedAll(
            mempool,
            one.numbers.map((seq) => Buffer.from(hashOf(seq)).toString('hex')),
          )
        } else if (model.has(one.number)) {
          const entry = entryOf(one.number, one.held, one.queued)
          model.set(one.number, entry)
          mempool = changed(mempool, entry)
        }
        const all = [...model.values()]
        const ready = all.filter(({ held, queued }) => !held && !queued)
        t.deepEqual(waiting(mempool).map(placeOf), all.map(placeOf))
        t.deepEqual(candidates(mempool).map(placeOf), ready.map(placeOf))
        t.is(hasCandidates(mempool), ready.length > 0)
        for (const entry of all) t.deepEqual(waitingTx(mempool, entry.hash), entry)
        t.is(mempool.totalBytes, BigInt(all.length))
      }
    }),
  )
})
