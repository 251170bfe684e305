import test from 'ava'
import fc from 'fast-check'
import { createDraft, overlayKey } from '../../src/app/draft.ts'
import type { AppState } from '../../src/app/state.ts'
import { toBinaryString } from '../../src/data/binaryString.ts'
import { emptyMap, mapSet } from '../../src/data/persistentMap.ts'
import { commit, emptyTree } from '../../src/data/tree.ts'

type Op =
  | { type: 'set'; key: number; value: number } | { type: 'delete'; key: number }
  | { type: 'mark' } | { type: 'cut' }

const key = (n: number): Uint8Array => Uint8Array.of(n)
const header = {
  height: 0n, timeSeconds: 0n, timeNanos: 0, chainId: 'x', proposerAddress: new Uint8Array(20),
  hash: new Uint8Array(32),
}

function stateOf(committed: readonly number[], edited: readonly number[]): AppState {
  const changes = [...new Set(committed)].sort((a, b) => a - b)
    .map((n) => [key(n), Uint8Array.of(1, n)] as const)
  const edits = edited.reduce<AppState['edits']>((map, n) => (
    mapSet(
      map, overlayKey('bank', toBinaryString(key(n))), n % 2 === 0 ? null : Uint8Array.of(2, n)
    )
  ), emptyMap)
  return {
    height: 1n, committed: new Map([['bank', commit(emptyTree, changes, 1n)]]),
    appHash: new Uint8Array(32), edits, check: emptyMap, pending: undefined,
    impersonated: { isAll: false, addresses: new Set() },
    transient: { gasWanted: 0n, gasUsed: 0n, baseFee: 0n, header },
  }
}

const small = fc.integer({ min: 0, max: 15 })
const op: fc.Arbitrary<Op> = fc.oneof(
  fc.record({ type: fc.constant('set' as const), key: small, value: small }),
  fc.record({ type: fc.constant('delete' as const), key: small }),
  fc.record({ type: fc.constant('mark' as const) }),
  fc.record({ type: fc.constant('cut' as const) }),
)

test('a draft reads, iterates and takes back as a plain map with copies does', (t) => {
  const property = fc.property(fc.array(small), fc.array(small), fc.array(op), (
    committed, edited, ops
  ) => {
    const draft = createDraft(stateOf(committed, edited))
    const store = draft.raw('bank')
    let model = new Map<number, string>(committed.map((n) => [n, `1,${n}`]))
    for (const n of edited) {
      if (n % 2 === 0) model.delete(n)
      else model.set(n, `2,${n}`)
    }
    const marks: { at: number; model: Map<number, string> }[] = []
    for (const each of ops) {
      if (each.type === 'set') {
        store.set(key(each.key), Uint8Array.of(3, each.value))
        model.set(each.key, `3,${each.value}`)
      } else if (each.type === 'delete') {
        store.delete(key(each.key))
        model.delete(each.key)
      } else if (each.type === 'mark') marks.push({ at: draft.mark(), model: new Map(model) })
      else {
        const last = marks.pop()
        if (last !== undefined) {
          draft.cut(last.at)
          model = last.model
        }
      }
    }
    const want = [...model].sort(([a], [b]) => a - b).map(([n, value]) => `${n}=${value}`)
    const show = ([k, value]: readonly [Uint8Array, Uint8Array]): string =>
      `${k[0]}=${value.join()}`
    t.deepEqual([...store.iterate({})].map(show), want)
    t.deepEqual([...store.iterate({ reverse: true })].map(show), want.toReversed())
    for (let n = 0; n < 16; n++) t.is(store.get(key(n))?.join(), model.get(n))
  })
  fc.assert(property, { seed: 7, numRuns: 200 })
})

test('cutting to the beginning leaves no changes', (t) => {
  const draft = createDraft(stateOf([1, 2], [3]))
  draft.raw('bank').set(key(1), key(9))
  draft.raw('bank').delete(key(2))
  draft.cut(0)
  t.deepEqual([...draft.changes().values()].flat(), [])
})
