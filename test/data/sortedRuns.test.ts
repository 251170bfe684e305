import test from 'ava'
import fc from 'fast-check'
import type { HeldBytes } from '../../src/data/segments.ts'
import {
  findNumbers,
  findNumbersWhere,
  noRuns,
  numbersDescending,
  runsFrom,
  type SortedRuns,
  truncatedRuns,
  withGroup,
} from '../../src/data/sortedRuns.ts'
import { SimError } from '../../src/errors.ts'

type Model = readonly (readonly [number: number, keys: readonly string[]])[]

const everything = { from: 0, to: Number.MAX_SAFE_INTEGER }

function found(runs: SortedRuns, key: string, range = everything): number[] {
  const numbers: number[] = []
  findNumbers(runs, key, range, numbers)
  return numbers
}

function grouped(model: Model): Map<string, number[]> {
  const group = new Map<string, number[]>()
  for (const [number, keys] of model) {
    for (const key of new Set(keys)) group.set(key, [...(group.get(key) ?? []), number])
  }
  return group
}

const keyText = fc.oneof(
  fc.constantFrom('a', 'a\0x', 'a\0xy', 'b', ''),
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.constant('\ud800'),
)

test('runs find what a plain list finds, however they were merged and cut', (t) => {
  const block = fc.record({ keys: fc.array(keyText, { maxLength: 4 }), gap: fc.nat(200) })
  const step = fc.record({ blocks: fc.array(block, { maxLength: 5 }), cut: fc.nat(60) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120, size: 'max' }), fc.nat(3000), fc.nat(3000), (steps, from, to) => {
      let [runs, model]: [SortedRuns, Model] = [noRuns, []]
      for (const { blocks, cut } of steps) {
        if (cut === 0) {
          const end = Math.floor(runs.end / 2)
          runs = truncatedRuns(runs, end)
          model = model.filter(([number]) => number < end)
        }
        let next = runs.end
        const more = blocks.map(({ keys, gap }) => {
          next += gap + 1
          return [next - 1, keys] as const
        })
        runs = withGroup(runs, grouped(more), { to: next, levelMost: 2 })
        model = [...model, ...more]
      }
      const expected = grouped(model)
      for (const key of [...expected.keys(), 'absent']) {
        const all = expected.get(key) ?? []
        t.deepEqual(found(runs, key), all)
        t.deepEqual(
          found(runs, key, { from, to }),
          all.filter((number) => number >= from && number < to),
        )
        t.deepEqual([...numbersDescending(runs, key)], all.toReversed())
        t.deepEqual(
          found(runsFrom(runs, from), key).filter((number) => number >= from),
          all.filter((number) => number >= from),
        )
      }
      const named: number[] = []
      findNumbersWhere(runs, { prefix: 'a\0', fits: (key) => key !== 'a\0x' }, everything, named)
      const wanted = [...expected].filter(([key]) => key.startsWith('a\0') && key !== 'a\0x')
      t.deepEqual(
        named.toSorted((a, b) => a - b),
        wanted.flatMap(([, numbers]) => numbers).toSorted((a, b) => a - b),
      )
    }),
    { seed: 1, numRuns: 6 },
  )
})

test('a look-up in 100,000 keys reads a few pages, and an unknown key nearly none', (t) => {
  let runs = noRuns
  const key = (number: number) => `key ${(number * 7919) % 1_000_003}`
  for (let end = 500; end <= 100_000; end += 500) {
    const group = Array.from({ length: 500 }, (_, index) => end - 500 + index)
    runs = withGroup(runs, grouped(group.map((number) => [number, [key(number)]])), { to: end, levelMost: 8 })
  }
  let [reads, bytes] = [0, 0]
  const counted = ({ bytes: all }: HeldBytes): HeldBytes => ({
    bytes: {
      load: () => t.fail() as never,
      part: ({ at, length }) => {
        reads++
        bytes += length
        return (all as Uint8Array).subarray(at, at + length)
      },
    },
  })
  const stored = { ...runs, runs: runs.runs.map((run) => ({ ...run, held: counted(run.held) })) }
  t.true(stored.runs.length < 3 * 7)
  t.deepEqual(found(stored, key(5)), [5])
  t.true(reads < 3 * stored.runs.length)
  reads = 0
  t.deepEqual(found(stored, key(5)), [5])
  t.is(reads, 0, 'a page that was just read is kept')
  ;[reads, bytes] = [0, 0]
  for (let number = 0; number < 100_000; number += 1000) t.deepEqual(found(stored, key(number)), [number])
  t.true(reads <= 150 && bytes < 150 * 5000, `${reads} reads of ${bytes} bytes`)
  reads = 0
  for (let number = 0; number < 100; number++) t.deepEqual(found(stored, `absent ${number}`), [])
  t.true(reads < 60, `${reads} reads`)
})

test('a run whose file is damaged stays unmerged: a chain with one could mine no more blocks', (t) => {
  const grow = (runs: SortedRuns, count: number) => {
    let grown = runs
    for (let more = 0; more < count; more++) {
      const { end } = grown
      grown = withGroup(grown, new Map([['a', [end]]]), { to: end + 1, levelMost: 2 })
    }
    return grown
  }
  const whole = grow(noRuns, 31)
  const held = whole.runs[3]?.held as HeldBytes
  const { bytes } = held
  const fail = () => {
    throw new SimError('BROKEN_HISTORY', 'damaged')
  }
  held.bytes = { load: fail, part: fail }
  const more = grow(whole, 10)
  t.is(more.runs.length, 10)
  t.deepEqual(
    found(more, 'a', { from: 4, to: 50 }),
    Array.from({ length: 37 }, (_, index) => index + 4),
  )
  t.throws(() => found(more, 'a'), { code: 'BROKEN_HISTORY' })
  held.bytes = bytes
  t.deepEqual(
    found(grow(more, 40), 'a'),
    Array.from({ length: 81 }, (_, index) => index),
  )
})
