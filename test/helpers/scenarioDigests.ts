/**
 * A program: runs the scenarios it is given and prints a fingerprint of each chain and of all that
 * it said. With CHAOS set, what the host does later happens later still, and in another order.
 */
import { createHash } from 'node:crypto'
import { canonicalJson } from '../../src/data/canonicalJson.ts'
import { profileSettings } from '../../src/settings/profiles.ts'
import { loadScenario } from '../../src/shell/scenarios/scenarioFiles.ts'
import { freePorts, runToEnd } from '../../src/shell/runToEnd.ts'
import { digest } from '../../src/simulation/digest.ts'

const { setTimeout: later, setImmediate: soon, clearImmediate: never } = globalThis

type Call = (...given: unknown[]) => void

if (process.env['CHAOS'] !== undefined) {
  const shuffled = (callback: Call, ms = 0, ...given: unknown[]) =>
    later(callback, ms + Math.floor(Math.random() * 4), ...given)
  Object.assign(globalThis, {
    setTimeout: Object.assign(shuffled, later),
    setImmediate: Object.assign(
      (callback: Call, ...given: unknown[]) =>
        Math.random() < 0.5 ? soon(callback, ...given) : shuffled(callback, 0, ...given),
      soon,
    ),
    // Node's own takes a timer for one of its immediates, and loses count of them.
    clearImmediate: (handle: NodeJS.Immediate | NodeJS.Timeout | undefined) => {
      if (handle === undefined) return
      if ('refresh' in handle) clearTimeout(handle)
      else never(handle)
    },
  })
}

/** The whole of it is run elsewhere, once. */
const small = new Map([
  ['users', '8'],
  ['blocks', '40'],
  ['transfers', '30'],
  ['purchases', '10'],
])

for (const path of process.argv.slice(2)) {
  const scenario = await loadScenario(path, { vars: path.includes('token-demo') ? small : new Map() })
  const { settings: own } = scenario
  const settings = {
    ...profileSettings(own.profile ?? 'local'),
    ...own,
    ...freePorts,
    pace: 'instant' as const,
    startTimeMs: 1_750_000_000_000,
  }
  const transcript = createHash('sha256')
  let chain: string | undefined
  await runToEnd(
    { settings, scenario, genesis: undefined },
    {
      log: () => {},
      record: (input, outputs, simulation) => {
        if (chain !== undefined) return
        transcript.update(canonicalJson({ input, outputs }))
        if (simulation.progress.state !== 'running') chain = digest(simulation)
      },
    },
  )
  process.stdout.write(`${path} ${chain} ${transcript.digest('hex')}\n`)
}
process.exit(0)
