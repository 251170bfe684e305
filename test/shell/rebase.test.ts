/** A past that is entered again while clients go on. */
import test from 'ava'
import { allOf } from '../../src/data/work.ts'
import type { InputBody } from '../../src/plan/input.ts'
import { profileSettings } from '../../src/settings/profiles.ts'
import { begin } from '../../src/shell/beginning.ts'
import { createInputs, createRebase, type Inputs } from '../../src/shell/rebase.ts'
import { createWorld } from '../../src/shell/world.ts'
import { chainDigest } from '../../src/simulation/digest.ts'
import { createSimulation, simulate } from '../../src/simulation.ts'
import { noPlan } from '../../src/plan/plan.ts'
import { callOf, requestWith } from '../helpers/requests.ts'

const settings = profileSettings('local')

/** A chain whose inputs are kept, with a client. */
function kept() {
  const { world, genesis } = createWorld(settings)
  const inputs = createInputs()
  let simulation = createSimulation(world, { settings, genesis, plan: noPlan })
  let seq = 0
  const enter = (body: InputBody) => {
    const input = { ...body, seq: ++seq, timeMs: BigInt(seq), session: '' }
    const done = simulate(world, simulation, input)
    simulation = done.simulation
    inputs.record(input, done.outputs, simulation)
  }
  const ask = (method: string) => {
    enter(callOf(method))
  }
  return {
    inputs,
    enter,
    ask,
    mine: () => {
      ask('evm_mine')
    },
    node: () => simulation.node,
  }
}

function rebaseOf(inputs: Inputs) {
  return createRebase(allOf(begin({ settings, plan: noPlan, genesis: undefined, generation: 2 })), inputs.past() ?? [])
}

test('while the past is entered again others are served, and what they do is entered too', async (t) => {
  const { inputs, mine, node } = kept()
  for (let count = 0; count < 60; count++) mine()
  const rebase = rebaseOf(inputs)
  let isDone = false
  let served = 0
  const serve = () => {
    if (isDone || served >= 20) return
    served += 1
    mine()
    setImmediate(serve)
  }
  setImmediate(serve)
  await rebase
    .catchUp(
      () => 0n,
      () => {},
    )
    .then(() => {
      isDone = true
    })
  t.true(served > 0, 'nobody was served in between')
  mine()
  const { simulation, past, notes } = rebase.finish(0n)
  t.is(past.length, 60 + served + 1)
  t.is(chainDigest(simulation.node), chainDigest(node()))
  t.deepEqual(notes, [`replayed ${past.length} inputs, up to height ${node().chain.height}`])
})

test('progress is logged at every tenth of a long past, and the new chain is no lower than asked', async (t) => {
  const { inputs, ask, node } = kept()
  for (let count = 0; count < 1000; count++) ask(count % 5 === 0 ? 'evm_mine' : 'eth_chainId')
  const rebase = rebaseOf(inputs)
  const lines: string[] = []
  await rebase.catchUp(
    () => 0n,
    (_level, text) => {
      lines.push(text)
    },
  )
  t.true(lines.length > 0 && lines.length < 10, lines.join())
  for (const line of lines) t.regex(line, /^rebase: \d+ of 1000 inputs replayed$/)
  t.is(rebase.finish(node().chain.height + 3n).simulation.node.chain.height, node().chain.height + 3n)
})

test('missing blocks are mined in slices, with progress, while others are served; what they do follows', async (t) => {
  const { inputs, ask, mine, node } = kept()
  mine()
  const rebase = rebaseOf(inputs)
  const missing = 1000n
  const lines: string[] = []
  let isDone = false
  let served = 0
  const serve = () => {
    if (isDone) return
    served += 1
    ask('eth_chainId')
    setImmediate(serve)
  }
  setImmediate(serve)
  await rebase
    .catchUp(
      () => node().chain.height + missing,
      (_level, text) => {
        lines.push(text)
      },
    )
    .then(() => {
      isDone = true
    })
  t.true(served > 3, `${served} requests were served`)
  t.deepEqual(
    lines,
    Array.from({ length: 9 }, (_, index) => `rebase: ${index + 1}00 of 1000 missing blocks mined`),
  )
  mine()
  const { simulation, past, notes } = rebase.finish(node().chain.height + missing)
  t.is(simulation.node.chain.height, node().chain.height + missing)
  t.deepEqual(
    past.map(({ input }) => input.seq),
    past.map((_, index) => index + 1),
  )
  t.is(past.filter(({ input }) => input.kind === 'request').length, 2 + served)
  t.is(notes.length, 1, 'no response differs, although inputs have other numbers')
})

test('the last blocks below a slice are left to the end; a chain that cannot mine stops at once', async (t) => {
  const few = kept()
  few.mine()
  const rebase = rebaseOf(few.inputs)
  const silent = () => {}
  await rebase.catchUp(() => few.node().chain.height + 4n, silent)
  t.is(rebase.finish(few.node().chain.height).past.length, 1)
  const stuck = kept()
  const [validator] = stuck.node().chain.validators.validators
  const command = { type: 'setSigning', validator: validator?.address ?? new Uint8Array(), up: false } as const
  stuck.enter({ kind: 'operator', by: 'test', command })
  const other = rebaseOf(stuck.inputs)
  await other.catchUp(() => 1_000_000_000n, silent)
  t.true(other.finish(0n).past.length < 10)
})

const request = requestWith({ side: 'grpc', target: '/a.Service/Method', contentType: 'application/grpc' })

const large = 'x'.repeat(2 ** 20)
const largeInputs: Readonly<Record<string, InputBody>> = {
  'a binary body': { ...request, bytes: new Uint8Array(2 ** 20) },
  'a target': { ...request, target: large },
  headers: { ...request, headers: { grpc: large } },
  'the result of a task': { kind: 'performed', id: 1, result: { ok: true, text: large } },
  'a plan': { kind: 'operator', by: 'test', command: { type: 'loadPlan', plan: { ...noPlan, name: large } } },
}

for (const [name, body] of Object.entries(largeInputs)) {
  test(`inputs that are too large to keep are discarded: ${name} of a MiB, 64 times`, (t) => {
    const inputs = createInputs()
    const simulation = allOf(begin({ settings, plan: noPlan, genesis: undefined })).first
    const enter = (seq: number) => inputs.record({ ...body, seq, timeMs: 0n, session: '' }, [], simulation)
    for (let seq = 1; seq < 64; seq++) enter(seq)
    t.is(inputs.past()?.length, 63)
    enter(64)
    t.is(inputs.past(), undefined)
  })
}

test('the plans of reloads are not replayed, so they take no room among the inputs', (t) => {
  const { inputs, enter } = kept()
  const plan = { ...noPlan, name: large }
  for (let count = 0; count < 65; count++) {
    enter({ kind: 'operator', by: 'reload', command: { type: 'loadPlan', plan } })
  }
  t.deepEqual(inputs.past(), [])
})
