import { fileURLToPath } from 'node:url'
import test from 'ava'
import { loadScenario } from '../../src/shell/scenarios/scenarioFiles.ts'
import { compiledRun } from '../helpers/scenarioRun.ts'

test('the demo environment of the proposal has five thousand blocks and what its rules sent in them', async (t) => {
  t.timeout(5 * 60_000)
  const scenario = await loadScenario(
    fileURLToPath(new URL('../../../test/scenario/worked/token-demo.json5', import.meta.url)),
  )
  const run = compiledRun(scenario)
  const {
    plan,
    node: { chain },
  } = run.simulation()
  const past = plan.fixtures.history?.txs ?? []
  t.true(chain.height > 5000n)
  t.is(past.filter(({ what }) => what.startsWith('history transfers')).length, 1818)
  t.is(past.filter(({ what }) => what.startsWith('history purchases')).length, 666)
  run.enter({ kind: 'tick' }, 600_000)
  t.is(run.simulation().node.chain.height, chain.height + 300n)
  t.deepEqual(run.simulation().progress.failures, [])
})
