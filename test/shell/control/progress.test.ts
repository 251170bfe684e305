/** What the control API tells of a scenario that runs: steps, rules, faults and their counts. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import test from 'ava'
import { start } from '../../../src/index.ts'
import { scratch } from '../../helpers/cli.ts'
import { api } from '../../helpers/control.ts'
import { startTold } from '../../helpers/toldScenario.ts'

test('the API tells how far steps and rules are, what came nearest, and which faults hit or were masked', async (t) => {
  await using server = await startTold()
  const {
    body: { steps, rules },
  } = await api(server, '/scenario')
  t.deepEqual(
    steps.map(({ state }: { state: string }) => state),
    ['done', 'waiting', 'to come'],
  )
  t.regex(
    steps[1].missing,
    /waited for .*eth_call.*occurrence 2.*; near miss: eth_call \["0x2"\] has different parameters/,
  )
  t.true(steps[1].leftMs > 0 && steps[1].leftMs <= 600_000)
  t.is(steps[2].missing, undefined)
  t.deepEqual(
    rules.map(({ id, fired, times }: { id: string; fired: number; times: number }) => [id, fired, times]),
    [['gossip', 2, 5]],
  )
  const { body: faults } = await api(server, '/faults')
  t.like(faults.active[0], { name: 'busy', matched: 2, applied: 1, masked: 1 })
  t.regex(faults.masked[0].text, /the fault "busy" was masked: eth_gasPrice/)
  await server.fault('other', { effect: { hang: true }, match: { method: 'x' } })
  await api(server, '/faults/busy', undefined, 'DELETE')
  const {
    body: { available },
  } = await api(server, '/faults')
  t.like(available[0], { name: 'busy', applied: 1, masked: 1 })
})

test('the time that a step has left passes while nothing happens', async (t) => {
  const scenario = join(scratch(), 's.json5')
  writeFileSync(
    scenario,
    `{ chainstage: 1, name: 's', steps: [{ id: 'go', when: { signal: 'go' }, timeout: '1000h' }] }`,
  )
  await using server = await start({ scenario, ports: 'free', settings: { clockSpeed: 1000 } })
  const leftMs = async () => Number((await api(server, '/scenario')).body.steps[0].leftMs)
  const before = await leftMs()
  t.true(before <= 3_600_000_000)
  await setTimeout(50)
  t.true((await leftMs()) <= before - 40_000)
})
