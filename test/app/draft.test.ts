import test from 'ava'
import fc from 'fast-check'
import { createDraft, overlayKey } from '../../src/app/draft.ts'
import type { AppState } from '../../src/app/state.ts'
import type { StoredForm } from '../../src/app/store.ts'
import { toBinaryString } from '../../src/data/binaryString.ts'
import { emptyMap, mapSet } from '../../src/data/persistentMap.ts'
import { commit, emptyTree } from '../../src/data/tree.ts'

type Op =
  | { type: 'set' | 'write'; key: number; value: number }
  | { type: 'delete'; key: number }
  | { type: 'mark' }
  | { type: 'cut' }

const key = (n: number): Uint8Array => Uint8Array.of(n)
const header = {
  height: 0n,
  timeSeconds: 0n,
  timeNanos: 0,
  chainId: 'x',
  proposerAddress: new Uint8Array(20),
  hash: new Uint8Array(32),
}

function stateOf(committed: readonly number[], edited: readonly number[]): AppState {
  const changes = [...new Set(committed)].sort((a, b) => a - b).map((n) => [key(n), Uint8Array.of(1, n)] as const)
  const edits = edited.reduce<AppState['edits']>(
    (map, n) => mapSet(map, overlayKey('bank', toBinaryString(key(n))), n % 2 === 0 ? null : Uint8Array.of(2, n)),
    emptyMap,
  )
  return {
    height: 1n,
    committed: new Map([['bank', commit(emptyTree, changes, 1n)]]),
    appHash: new Uint8Array(32),
    edits,
    check: emptyMap,
    pending: undefined,
    impersonated: { isAll: false, addresses: new Set() },
    transient: { gasWanted: 0n, gasUsed: 0n, baseFee: 0n, header },
  }
}

const small = fc.integer({ min: 0, max: 15 })
const op: fc.Arbitrary<Op> = fc.oneof(
  fc.record({ type: fc.constantFrom('set' as const, 'write' as const), key: small, value: small }),
  fc.record({ type: fc.constant('delete' as const), key: small }),
  fc.record({ type: fc.constant('mark' as const) }),
  fc.record({ type: fc.constant('cut' as const) }),
)

/** A number as its second byte, and how often it was encoded and decoded. */
function counted(): {
  readonly form: StoredForm<number>
  readonly times: { encode: number; decode: number }
} {
  const times = { encode: 0, decode: 0 }
  return {
    times,
    form: {
      encode: (value) => {
        times.encode += 1
        return Uint8Array.of(4, value)
      },
      decode: (bytes) => {
        times.decode += 1
        return bytes[1] ?? 0
      },
    },
  }
}

test('a draft reads, iterates and takes back as a plain map with copies does', (t) => {
  const property = fc.property(fc.array(small), fc.array(small), fc.array(op), (committed, edited, ops) => {
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
      } else if (each.type === 'write') {
        store.write(key(each.key), each.value, counted().form)
        model.set(each.key, `4,${each.value}`)
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
    const show = ([k, value]: readonly [Uint8Array, Uint8Array]): string => `${k[0]}=${value.join()}`
    t.deepEqual([...store.iterate({})].map(show), want)
    t.deepEqual([...store.iterate({ reverse: true })].map(show), want.toReversed())
    for (let n = 0; n < 16; n++) t.is(store.get(key(n))?.join(), model.get(n))
  })
  fc.assert(property, { seed: 7, numRuns: 200 })
})

test('a value that is written 600 times is encoded once, and not decoded to be read', (t) => {
  const draft = createDraft(stateOf([], []))
  const store = draft.raw('bank')
  const { form, times } = counted()
  for (let n = 0; n < 600; n++) store.write(key(1), (store.read(key(1), form) ?? 0) + 1, form)
  t.is(store.read(key(1), form), 600)
  t.deepEqual(times, { encode: 0, decode: 0 })
  t.deepEqual([...draft.changes().values()], [[['\u0001', Uint8Array.of(4, 600 & 255)]]])
  draft.changes()
  t.deepEqual(times, { encode: 1, decode: 0 })
})

test('what stands for the contents of a store changes with every write and taking back', (t) => {
  const state = stateOf([1, 2], [])
  const draft = createDraft(state)
  const first = draft.contents('bank')
  t.is(createDraft(state).contents('bank'), first)
  const mark = draft.mark()
  draft.raw('acc').set(key(1), key(2))
  draft.raw('bank').get(key(1))
  t.is(draft.contents('bank'), first)
  draft.raw('bank').set(key(1), key(2))
  const second = draft.contents('bank')
  t.not(second, first)
  draft.cut(mark)
  t.not(draft.contents('bank'), second)
  t.not(createDraft(stateOf([1, 2], [3])).contents('bank'), first)
})

test('cutting to the beginning leaves no changes', (t) => {
  const draft = createDraft(stateOf([1, 2], [3]))
  draft.raw('bank').set(key(1), key(9))
  draft.raw('bank').delete(key(2))
  draft.cut(0)
  t.deepEqual([...draft.changes().values()].flat(), [])
})
