import test from 'ava'
import { infiniteGasMeter } from '../../src/app/gasMeter.ts'
import { meteredStore } from '../../src/app/meteredStore.ts'
import { createDraft } from '../../src/app/draft.ts'
import { startChain } from '../helpers/evmdChain.ts'

const draft = createDraft(startChain().state)
const store = draft.raw('evidence')
// Entries of 2, 4 and 10 bytes: 6, 12 and 30 gas each time that one is paid for.
for (const [key, length] of [
  [1, 1],
  [2, 3],
  [3, 9],
] as const) {
  store.set(Uint8Array.of(key), new Uint8Array(length))
}

type Walk = {
  readonly from: number
  readonly to: number
  readonly steps: number
  readonly reverse?: boolean
}

const iterates = test.macro({
  exec: (t, { from, to, steps, reverse = false }: Walk, gas: bigint) => {
    const meter = infiniteGasMeter()
    const range = { start: Uint8Array.of(from), end: Uint8Array.of(to), reverse }
    const entries = meteredStore(store, meter).iterate(range)[Symbol.iterator]()
    for (let step = 0; step < steps; step++) entries.next()
    t.is(meter.consumed(), gas)
  },
  title: (what = '') => what,
})

// The figures follow cosmossdk.io/store gaskv: 30 a step, 3 a byte of the entry that is left.
test('an iterator over nothing costs a step', iterates, { from: 9, to: 10, steps: 1 }, 30n)
test('opening costs a step and the first entry', iterates, { from: 1, to: 4, steps: 1 }, 36n)
test('the second entry costs the first one again', iterates, { from: 1, to: 4, steps: 2 }, 72n)
test('the third entry costs the second', iterates, { from: 1, to: 4, steps: 3 }, 114n)
test('the end costs the last entry', iterates, { from: 1, to: 4, steps: 4 }, 174n)
test('one entry to the end costs it twice', iterates, { from: 2, to: 3, steps: 2 }, 84n)
test('backwards the last entry is the first', iterates, { from: 1, to: 4, steps: 2, reverse: true }, 120n)
