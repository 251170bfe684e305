/** What operators are told of commands that are carried out at once, later, or never. */
import test from 'ava'
import type { Input, InputBody, OperatorCommand } from '../../src/plan/input.ts'
import type { Simulated } from '../../src/simulation.ts'
import { createOperator } from '../../src/shell/operator.ts'
import { createQueue, type Learning, type Sinks } from '../../src/shell/queue.ts'
import { KvSimulation } from '../helpers/kvSimulation.ts'

const mine: OperatorCommand = { type: 'produceBlock' }
const tooDeep: OperatorCommand = { type: 'rollback', depth: 10_000n }

const sinks: Sinks = {
  push: () => {},
  close: () => {},
  listen: () => {},
  log: () => {},
  perform: () => {},
  wake: () => {},
  record: () => {},
}

/** A chain that lacks a fact until `learn` resolves. */
function lacking(learn: Learning['learn']) {
  const { world, simulation: first } = new KvSimulation()
  const operator = createOperator(world)
  let isLacking = true
  const queue = createQueue({
    simulation: first,
    nowMs: () => 0n,
    sinks,
    learning: operator.told({ learn, refused: () => undefined }),
    simulate: (simulation, input: Input): Simulated => {
      if (input.kind === 'learned') isLacking = false
      const address = new Uint8Array(20)
      return isLacking && input.kind === 'operator'
        ? { simulation, outputs: [], wanted: [{ type: 'account', address }] }
        : operator.simulate(simulation, input)
    },
  })
  queue.enter({ kind: 'tick' })
  return { queue, operator, operate: operator.operate(queue, 'waits') }
}

test('a command that is carried out at once is done or refused when operate returns', async (t) => {
  const { operate } = lacking(() => Promise.resolve([]))
  await operate('test', mine).settled
  t.deepEqual(operate('test', mine).now, { kind: 'done' })
  const refused = operate('test', tooDeep)
  t.like(refused.now, { kind: 'refused' })
  t.like(await refused.settled, { kind: 'refused' })
})

test('a command that waits for facts is settled after they came, in its turn', async (t) => {
  const { operate, queue } = lacking(() => Promise.resolve([]))
  const before = queue.simulation().node.chain.height
  const first = operate('test', tooDeep)
  const second = operate('test', mine)
  t.deepEqual([first.now, second.now], [undefined, undefined])
  t.like(await first.settled, { kind: 'refused' })
  t.deepEqual(await second.settled, { kind: 'done' })
  t.is(queue.simulation().node.chain.height, before + 1n)
})

test('a command that is dropped because its facts cannot be had is refused with the reason', async (t) => {
  const { operate, queue } = lacking(() => Promise.reject(new Error('the other chain is silent')))
  const before = queue.simulation()
  t.deepEqual(await operate('test', mine).settled, { kind: 'refused', message: 'the other chain is silent' })
  t.is(queue.simulation(), before)
})

test('a command that still waits when the chain stops is refused, like those after it', async (t) => {
  const { operate, operator, queue } = lacking(() => new Promise(() => {}))
  const waiting = operate('test', mine)
  queue.stop()
  operator.stop()
  t.deepEqual(await waiting.settled, { kind: 'refused', message: 'the chain was stopped' })
  t.deepEqual(operate('test', mine).now, { kind: 'refused', message: 'the chain was stopped' })
})

test('a command that others carry out counts as done when it has been entered', (t) => {
  const entered: InputBody[] = []
  const operate = createOperator(new KvSimulation().world).operate({ enter: (body) => void entered.push(body) }, 'done')
  t.deepEqual(operate('test', mine).now, { kind: 'done' })
  t.is(entered.length, 1)
})
