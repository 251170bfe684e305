import { MessageChannel, Worker } from 'node:worker_threads'
import test from 'ava'
import { createDraft, overlayKey } from '../../src/app/draft.ts'
import type { Draft } from '../../src/app/store.ts'
import { emptyMap, mapSet, type PersistentMap } from '../../src/data/persistentMap.ts'
import { commit, emptyTree, type TreeChange } from '../../src/data/tree.ts'
import { toBinaryString } from '../../src/data/binaryString.ts'
import { farAnswers, farState, sentState } from '../../src/shell/farState.ts'
import { localSimulation } from '../helpers/ethSimulation.ts'

/** Two bytes, so that byte order is that of the numbers. */
const keyOf = (number: number) => Uint8Array.of(number >> 8, number & 255)

/** 1,300 keys of which one is edited, one deleted and one added. */
function bigState() {
  const { app } = localSimulation().simulation().node.chain
  const changes = Array.from({ length: 1300 }, (_, at): TreeChange => [keyOf(at), Uint8Array.of(at & 255)])
  const edit = (overlay: PersistentMap<Uint8Array | null>, at: number, value: Uint8Array | null) =>
    mapSet(overlay, overlayKey('evm', toBinaryString(keyOf(at))), value)
  const edits = edit(edit(edit(emptyMap, 600, Uint8Array.of(1, 2)), 700, null), 2000, Uint8Array.of(3))
  return { ...app, committed: new Map([['evm', commit(emptyTree, changes, 1n)]]), edits }
}

function farDraft(state: ReturnType<typeof bigState>): { readonly draft: Draft; readonly asked: () => number } {
  const { port1, port2 } = new MessageChannel()
  const signal = new Int32Array(new SharedArrayBuffer(4))
  const answer = farAnswers(state)
  let asked = 0
  const ask = (question: Parameters<typeof answer>[0]) => {
    asked += 1
    port1.postMessage(answer(question))
    Atomics.store(signal, 0, 1)
  }
  port1.unref()
  port2.unref()
  return { draft: createDraft(farState(sentState(state), { ask, port: port2, signal })), asked: () => asked }
}

test('a state that is read over a line has the same keys, its edits included', (t) => {
  const state = bigState()
  const near = createDraft(state).raw('evm')
  const far = farDraft(state).draft.raw('evm')
  for (const at of [0, 1, 600, 700, 1299, 1300, 2000]) t.deepEqual(far.get(keyOf(at)), near.get(keyOf(at)), String(at))
})

test('ranges of any size and direction are the same over a line', (t) => {
  const state = bigState()
  const near = createDraft(state).raw('evm')
  const { draft, asked } = farDraft(state)
  const bounds = [undefined, keyOf(0), keyOf(599), keyOf(700), keyOf(1299), keyOf(3000)]
  for (const start of bounds) {
    for (const end of bounds) {
      for (const reverse of [false, true]) {
        const range = { ...(start && { start }), ...(end && { end }), reverse }
        t.deepEqual([...draft.raw('evm').iterate(range)], [...near.iterate(range)])
      }
    }
  }
  const before = asked()
  t.is([...draft.raw('evm').iterate({})].length, 1300)
  t.is(asked() - before, 3)
})

/** Answers a question after many signals that belong to no answer, as the one of an answer that was read already. */
const answering = `
  const { parentPort, workerData: { port, signal } } = require('node:worker_threads')
  parentPort.on('message', () => {
    const late = setInterval(() => Atomics.notify(signal, 0), 1)
    setTimeout(() => {
      clearInterval(late)
      port.postMessage({ value: Uint8Array.of(7) })
      Atomics.store(signal, 0, 1)
      Atomics.notify(signal, 0)
    }, 100)
  })`

test('a thread waits for its answer though the signal of an earlier one wakes it', async (t) => {
  const { port1: port, port2 } = new MessageChannel()
  const signal = new Int32Array(new SharedArrayBuffer(4))
  const other = new Worker(answering, { eval: true, workerData: { port: port2, signal }, transferList: [port2] })
  const ask = (question: object) => other.postMessage(question)
  const { committed } = farState(sentState(bigState()), { port, signal, ask })
  t.deepEqual(committed.get('evm')?.far?.get('key'), Uint8Array.of(7))
  port.close()
  await other.terminate()
})
