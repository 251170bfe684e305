import test from 'ava'
import { closedStates, type HeldState, isClosed, openState } from '../../src/app/closedStates.ts'
import { appHashOf } from '../../src/app/multiStore.ts'
import type { AppState } from '../../src/app/state.ts'
import { heldOf } from '../../src/data/closedChunks.ts'
import { append, closeBefore, emptySegments, itemAt, truncated, withoutFirst } from '../../src/data/segments.ts'
import { commit, emptyTree, type TreeChange } from '../../src/data/tree.ts'
import { drawFrom } from '../helpers/randomTx.ts'
import { kvChain } from '../helpers/kvChain.ts'

const { app } = kvChain().chain
const draw = drawFrom(7)
const textOf = (text: string) => new TextEncoder().encode(text)

/** Writes and deletes a few of 300 keys, as a block does; one key a block is new, and an old one goes. */
function grown({ committed, ...rest }: AppState): AppState {
  const height = rest.height + 1n
  const key = () => `k${String(draw(300)).padStart(3, '0')}`
  const window: readonly (readonly [string, string | undefined])[] = [
    [`w${height}`, `block ${height}`],
    [`w${height - 50n}`, undefined],
  ]
  const changed = new Map<string, string | undefined>([
    [key(), `${height}`],
    [key(), draw(3) === 0 ? undefined : `${height}`],
    ...window,
  ])
  const changes = [...changed].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const tree = commit(
    committed.get('kv') ?? emptyTree,
    changes.map(([name, value]): TreeChange => [textOf(name), value === undefined ? undefined : textOf(value)]),
    height,
  )
  return { ...rest, height, committed: new Map([['kv', tree]]) }
}

const hashOf = ({ committed }: AppState) => Buffer.from(appHashOf(committed)).toString('hex')

/** A list of states that are closed at once, and the hash of each. */
const { states, hashes } = (() => {
  let list = emptySegments<HeldState>()
  let state: AppState = { ...app, height: 0n, committed: new Map([['kv', emptyTree]]) }
  const hashesOf: string[] = []
  for (let height = 1; height <= 17_500; height++) {
    state = grown(state)
    list = append(list, state)
    hashesOf.push(hashOf(state))
    closeBefore(list, 0, (first) => closedStates(list, first))
  }
  return { states: list, hashes: hashesOf }
})()

test('every state of a long chain is rebuilt with its hash, in any order', (t) => {
  const order = [0, 1, 511, 512, 1023, 8191, 16_383, 16_385, 17_400]
  for (const index of [...order, ...order.toReversed(), ...order.map((_, at) => (at * 7919) % 17_400)]) {
    t.is(hashOf(openState(states, index)), hashes[index] ?? '', `state ${index}`)
    t.is(openState(states, index).height, BigInt(index + 1))
  }
})

test('one state in 512 has nodes of its own, and one in 16,384 has all of them', (t) => {
  const backs = [0, 512, 1024, 15_872, 16_384, 16_896].map((index) => {
    const held = itemAt(states, index)
    return 'back' in held ? held.back : undefined
  })
  t.deepEqual(backs, [0, 512, 512, 512, 0, 512])
  for (const index of [1, 511, 513, 16_385]) t.true(isClosed(itemAt(states, index)))
})

test('no state is an object any more, and the bytes for each are few', (t) => {
  const kept = states.storage.chunks.flatMap((chunk) => ('kept' in chunk ? chunk.kept : []))
  t.false(kept.some((one) => 'committed' in one))
  const bytes = [...heldOf(states)].reduce((sum, one) => sum + (one.bytes as Uint8Array).length, 0)
  t.true(bytes < 200 * states.length, `${bytes / states.length} bytes a state`)
})

test('a chain that goes back into old states goes on from there, and may drop the states before them', (t) => {
  const back = 1300
  let list = truncated(states, back)
  let state = openState(states, back - 1)
  const expected = hashes.slice(0, back)
  for (let count = 0; count < 700; count++) {
    state = grown(state)
    list = append(list, state)
    expected.push(hashOf(state))
    // The copy of the chunk in which it went back still needs the states before it.
    if (count === 0) list = withoutFirst(list, back - 10)
    closeBefore(list, 0, (first) => closedStates(list, first))
  }
  for (const index of [back - 5, back - 1, back, back + 100, back + 500, back + 699]) {
    t.is(hashOf(openState(list, index)), expected[index] ?? '', `state ${index}`)
  }
})
