import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { exitCode } from '../src/scenario/report/outcome.ts'
import { profileSettings } from '../src/settings/profiles.ts'
import { runToEnd } from '../src/shell/runToEnd.ts'
import { loadScenario } from '../src/shell/scenarios/scenarioFiles.ts'
import { freePorts } from './helpers/server.ts'

const folder = new URL('../../scenarios/', import.meta.url)

for (const name of readdirSync(folder).filter((file) => file.endsWith('.json5') && !file.startsWith('_'))) {
  test.serial(`the scenario ${name} runs to its end and passes`, async (t) => {
    t.timeout(120_000)
    const scenario = await loadScenario(fileURLToPath(new URL(name, folder)))
    const { settings: own } = scenario
    const settings = {
      ...profileSettings(own.profile ?? 'local'),
      ...own,
      ...freePorts,
      pace: 'instant' as const,
    }
    const said: string[] = []
    const outcome = await runToEnd(
      { settings, scenario, genesis: undefined },
      { log: (_level, text) => said.push(text), record: () => {} },
    )
    const { progress } = outcome
    t.is(exitCode(outcome), 0, [...progress.failures.map(({ text }) => text), ...said].join('\n'))
    t.is(progress.step, scenario.plan.steps.length)
  })
}
