/** Kept chains whose scenario was reloaded: what they are when the process starts again. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { profileSettings } from '../../src/settings/profiles.ts'
import type { Settings } from '../../src/settings/settings.ts'
import type { OnHistoryChange } from '../../src/shell/reloader.ts'
import { loadScenario } from '../../src/shell/scenarios/scenarioFiles.ts'
import { serve, type Serving } from '../../src/shell/serving.ts'
import { withoutConnections } from '../../src/simulation/resume.ts'
import type { Simulation } from '../../src/simulation/turn.ts'
import { scratch, startCli, freePorts } from '../helpers/cli.ts'

const unheard: Partial<Settings> = {
  ...{ rpcLaddr: '', ethAddress: '', ethWsAddress: '', apiAddress: '', grpcAddress: '', controlAddress: '' },
  ...{ prometheusAddress: '', pace: 'manual' },
}

type Process = { readonly serving: Serving; readonly log: readonly string[]; readonly end: () => Promise<Simulation> }

/** Starts a process for a scenario, like the first or with the chain that the one before kept. */
async function startOf(path: string, state?: Simulation, onHistoryChange: OnHistoryChange = 'keep'): Promise<Process> {
  const loaded = await loadScenario(path)
  const log: string[] = []
  const settingsOf = (scenario: Partial<Settings>) =>
    Promise.resolve({ ...profileSettings('local'), ...scenario, ...unheard })
  const serving = await serve({
    ...{ settings: await settingsOf(loaded.settings), scenario: { path, loaded }, watches: false, onHistoryChange },
    ...{ settingsOf, genesis: undefined, home: undefined, log: (_level, said) => log.push(said), record: () => {} },
    state,
  })
  const end = async () => {
    const simulation = withoutConnections(serving.running().simulation())
    await serving.close()
    return simulation
  }
  return { serving, log, end }
}

const mine = ({ serving }: Process, count: number) =>
  serving.running().operate('test', { type: 'produceBlock', count }).settled
const chainOf = ({ serving }: Process) => serving.running().simulation().node.chain
const reload = ({ serving }: Process) => serving.reloader?.reload()

function scenario(t: ExecutionContext): { readonly path: string; readonly save: (text: string) => void } {
  const path = join(scratch(), 's.json5')
  const save = (text: string) => writeFileSync(path, `{ chainstage: 1, name: '${t.title.slice(0, 3)}', ${text} }`)
  return { path, save }
}

test('a chain to which a reload added validators starts again with them', async (t) => {
  const { path, save } = scenario(t)
  save(`seed: 's', chain: { validators: 2 }`)
  const first = await startOf(path)
  save(`seed: 's', chain: { validators: 3 }`)
  await reload(first)
  await mine(first, 3)
  const second = await startOf(path, await first.end())
  await mine(second, 3)
  t.is(chainOf(second).validators.validators.length, 3)
  t.is(chainOf(second).lastCommit?.signatures.filter(({ flag }) => flag === 2).length, 3)
  const third = await startOf(path, await second.end())
  await mine(third, 1)
  t.is(chainOf(third).validators.validators.length, 3)
  t.deepEqual(third.log, [])
  await third.end()
})

test('a chain that a reload kept in spite of a new seed starts again with its own, and says so', async (t) => {
  const { path, save } = scenario(t)
  save(`seed: 's1'`)
  const first = await startOf(path)
  save(`seed: 's2'`)
  t.is((await reload(first))?.change, 'kept')
  await mine(first, 2)
  const hash = chainOf(first).lastBlockId.hash
  const second = await startOf(path, await first.end())
  t.deepEqual(chainOf(second).lastBlockId.hash, hash)
  t.deepEqual(second.log, ['the saved chain keeps its genesis, so these do not apply: seed'])
  await mine(second, 2)
  const kept = await second.end()
  await t.throwsAsync(
    async () => {
      save(`seed: 's3'`)
      await startOf(path, kept)
    },
    { code: 'FOREIGN_STATE' },
  )
  save(`seed: 's1'`)
  const third = await startOf(path, kept)
  await mine(third, 1)
  t.deepEqual(third.log, [])
  await third.end()
})

test('a chain that a reload kept in spite of a new EVM chain id starts again with its own, and says so', async (t) => {
  const { path, save } = scenario(t)
  save(`seed: 's'`)
  const first = await startOf(path)
  save(`seed: 's', chain: { evmChainId: 777 }`)
  t.is((await reload(first))?.change, 'kept')
  await mine(first, 1)
  const second = await startOf(path, await first.end())
  t.is(second.serving.running().simulation().node.settings.evmChainId, 31337)
  t.deepEqual(second.log, ['the saved chain keeps its genesis, so these do not apply: evm.evm-chain-id'])
  await second.end()
})

test('an interval that a client set after a reload changed it goes on after a restart', async (t) => {
  const { path, save } = scenario(t)
  save(`seed: 's', clock: { blocks: 'interval', interval: '1s' }`)
  const first = await startOf(path)
  save(`seed: 's', clock: { blocks: 'interval', interval: '2s' }`)
  await reload(first)
  t.is(chainOf(first).policy.intervalMs, 2000n)
  await first.serving.running().operate('test', { type: 'setBlockPolicy', policy: { intervalMs: 9000n } }).settled
  const second = await startOf(path, await first.end())
  t.is(chainOf(second).policy.intervalMs, 9000n)
  await second.end()
})

test('a kept chain is refused with the settings that have changed, and with both of their values', async (t) => {
  const { path, save } = scenario(t)
  const state = join(scratch(), 'chain.state')
  const words = ['start', path, ...freePorts, '--state', state]
  save(`seed: 's1'`)
  const first = startCli(words)
  await first.says(/Listening|listening/)
  first.process.kill('SIGTERM')
  await first.ended
  save(`seed: 's2'`)
  const { code, err } = await startCli(words).ended
  t.is(code, 1)
  t.regex(err, /FOREIGN_STATE.*another genesis of chain/s)
  t.regex(err, /These settings have changed: seed \("s2", and "s1" in the kept chain\)\./)
})
