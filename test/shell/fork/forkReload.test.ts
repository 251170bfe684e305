/** Hot reload on a forked chain, whose genesis depends on settings and on the other chain. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { profileSettings } from '../../../src/settings/profiles.ts'
import { openFork } from '../../../src/shell/fork/openFork.ts'
import { loadScenario } from '../../../src/shell/scenarios/scenarioFiles.ts'
import { serve } from '../../../src/shell/serving.ts'
import { scratch } from '../../helpers/cli.ts'
import { raw, startUpstream } from '../../helpers/forked.ts'
import { eventually, freePorts } from '../../helpers/server.ts'

test('a new genesis on a fork has validators that can sign, and the fixtures of the scenario', async (t) => {
  const upstream = await startUpstream()
  t.teardown(() => upstream.close())
  const path = join(scratch(), 's.json5')
  const save = (name: string, rest = '') =>
    writeFileSync(path, `{ chainstage: 1, name: '${name}', seed: '${name}', ${rest} }`)
  save('a')
  const loaded = await loadScenario(path)
  const local = { ...profileSettings('local'), ...freePorts }
  const fork = await openFork(
    { from: [upstream.urls.eth, upstream.urls.comet], timeoutMs: 300_000 },
    { ...local, ...loaded.settings },
  )
  const settingsOf = (scenario: object) => Promise.resolve({ ...local, ...scenario, ...fork.settings })
  const serving = await serve({
    ...{ forking: fork.forking, genesis: fork.genesis, genesisOf: fork.genesisOf },
    ...{ scenario: { path, loaded }, watches: false, onHistoryChange: 'restart', settingsOf },
    settings: await settingsOf(loaded.settings),
    home: undefined,
    log: () => {},
    record: () => {},
  })
  t.teardown(() => serving.close())
  const mined = async () => {
    const { urls } = serving.running()
    await raw(urls.eth, 'evm_mine', [])
    const { result } = JSON.parse(await raw(urls.eth, 'eth_blockNumber', [])) as { result: string }
    return Number(result) - Number(fork.forking.height)
  }
  t.is(await mined(), 2)
  save('b')
  t.is((await serving.reloader?.reload())?.change, 'restart')
  await eventually(() => serving.running().simulation().plan.name === 'b')
  t.is(await mined(), 2)
  save('c', "fixtures: { accounts: { alice: { balance: '5 evm' } } }")
  t.is((await serving.reloader?.reload())?.change, 'restart')
  await eventually(() => serving.running().simulation().plan.name === 'c')
  t.is(await mined(), 2)
  t.deepEqual(
    serving
      .running()
      .simulation()
      .node.keys?.map(({ name }) => name),
    ['alice'],
  )
})
