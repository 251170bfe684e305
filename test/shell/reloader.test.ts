/** Reloads that need a restart, one after the other. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { SimError } from '../../src/errors.ts'
import { profileSettings } from '../../src/settings/profiles.ts'
import type { Beginning } from '../../src/shell/beginning.ts'
import { createReloader } from '../../src/shell/reloader.ts'
import { loadScenario, type LoadedScenario } from '../../src/shell/scenarios/scenarioFiles.ts'
import type { Running } from '../../src/shell/server.ts'
import { scratch } from '../helpers/cli.ts'
import { eventually } from '../helpers/server.ts'

type Told = {
  readonly events: string[]
  readonly log: readonly string[]
  readonly save: (name: string, more?: string) => void
}
type Acts = {
  readonly prepare?: (name: string, told: Told) => void
  readonly restart?: (name: string, told: Told) => Promise<void>
}

/** A reloader of a scenario `a`; each save has a new seed, which needs a new genesis. */
async function reloading({ prepare, restart }: Acts) {
  const path = join(scratch(), 's.json5')
  const save = (name: string, more = '') =>
    writeFileSync(path, `{ chainstage: 1, name: '${name}', seed: '${name}', ${more} }`)
  save('a')
  const log: string[] = []
  const told: Told = { events: [], log, save }
  const act = async (word: string, { plan: { name } }: LoadedScenario, work: () => unknown) => {
    told.events.push(`${word} ${name}`)
    await work()
  }
  const reloader = createReloader({
    path,
    loaded: await loadScenario(path),
    running: () => ({ simulation: () => ({ progress: { generation: 1, step: 0 } }) }) as unknown as Running,
    settingsOf: (scenario) => Promise.resolve({ ...profileSettings('local'), ...scenario }),
    prepare: async (next) => {
      await act('prepare', next, () => prepare?.(next.plan.name, told))
      return {} as Beginning
    },
    restart: async (next) => {
      await act('restart', next, () => restart?.(next.plan.name, told))
      told.events.push(`serve ${next.plan.name}`)
    },
    onHistoryChange: 'restart',
    log: (_level, text) => log.push(text),
  })
  return { ...told, reloader }
}

test('a save that arrives during a reload waits until the chain has restarted', async (t) => {
  let second: Promise<unknown> | undefined
  const { save, events, reloader } = await reloading({
    prepare: (name, told) => {
      if (name !== 'b') return
      told.save('c')
      second = reloader.reload()
    },
    // Long enough for the second reload to overtake this restart.
    restart: (name) =>
      new Promise((done) => {
        setTimeout(done, name === 'b' ? 1000 : 0)
      }),
  })
  save('b')
  t.is((await reloader.reload()).change, 'restart')
  await second
  await eventually(() => events.includes('serve c'))
  t.deepEqual(events, ['prepare b', 'restart b', 'serve b', 'prepare c', 'restart c', 'serve c'])
})

test('a restart that fails is logged, and the next save is compared with the scenario that continues', async (t) => {
  const { save, events, log, reloader } = await reloading({
    restart: (name) => (name === 'b' ? Promise.reject(new SimError('TAKEN', 'the port is taken')) : Promise.resolve()),
  })
  save('b')
  await reloader.reload()
  await eventually(() => log.includes('the chain could not restart: TAKEN: the port is taken'))
  save('a')
  t.is((await reloader.reload()).change, 'none')
  save('c')
  await reloader.reload()
  await eventually(() => events.includes('serve c'))
  t.deepEqual(events, ['prepare b', 'restart b', 'prepare c', 'restart c', 'serve c'])
})

test('a saved scenario that names a misspelt method takes effect with a warning', async (t) => {
  const { save, log, reloader } = await reloading({})
  save('b', "faults: { slow: { match: { method: 'eth_blokNumber' }, effect: { latency: '1s' } } }")
  t.is((await reloader.reload()).change, 'restart')
  t.regex(log.at(-1) ?? '', /^the fault "slow" matches eth_blokNumber, .* did you mean eth_blockNumber\?$/)
})
