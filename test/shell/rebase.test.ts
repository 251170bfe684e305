/** A past that is entered again while clients go on. */
import test from 'ava'
import type { InputBody } from '../../src/plan/input.ts'
import { profileSettings } from '../../src/settings/profiles.ts'
import { createInputs, createRebase } from '../../src/shell/rebase.ts'
import { createWorld } from '../../src/shell/world.ts'
import { chainDigest } from '../../src/simulation/digest.ts'
import { createSimulation, simulate } from '../../src/simulation.ts'
import { noPlan } from '../../src/plan/plan.ts'

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
    enter({
      kind: 'request',
      side: 'eth',
      transport: 'http',
      verb: 'POST',
      target: '/',
      contentType: 'application/json',
      host: '',
      origin: undefined,
      trusted: true,
      connection: undefined,
      body: `{"jsonrpc":"2.0","id":1,"method":"${method}","params":[]}`,
    })
  }
  return {
    inputs,
    ask,
    mine: () => {
      ask('evm_mine')
    },
    node: () => simulation.node,
  }
}

test('while the past is entered again others are served, and what they do is entered too', async (t) => {
  const { inputs, mine, node } = kept()
  for (let count = 0; count < 60; count++) mine()
  const rebase = createRebase({
    settings,
    genesis: undefined,
    plan: noPlan,
    generation: 2,
    past: inputs.past() ?? [],
  })
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
    .catchUp(() => {})
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
  const rebase = createRebase({
    settings,
    genesis: undefined,
    plan: noPlan,
    generation: 2,
    past: inputs.past() ?? [],
  })
  const lines: string[] = []
  await rebase.catchUp((_level, text) => {
    lines.push(text)
  })
  t.true(lines.length > 0 && lines.length < 10, lines.join())
  for (const line of lines) t.regex(line, /^rebase: \d+ of 1000 inputs replayed$/)
  t.is(rebase.finish(node().chain.height + 3n).simulation.node.chain.height, node().chain.height + 3n)
})
