import type { ExecutionContext } from 'ava'
import { recordingOf } from './recording.ts'
import { shrink } from './shrink.ts'
import { runStorm, stormOf, type Weather } from './storm.ts'

type Seeds = { readonly from: number; readonly count: number; readonly steps?: number }

/** Runs the storms of some seeds. The first that fails is shrunk, and the test says how to run it again. */
export async function allHold(t: ExecutionContext, { from, count, steps }: Seeds): Promise<Weather> {
  const weather: Weather = { inputs: 0, recoveries: 0, heads: 0 }
  for (let seed = from; seed < from + count; seed++) {
    const storm = stormOf(seed, steps)
    const failure = await runStorm(storm, {}, weather)
    if (failure === undefined) continue
    const shrunk = await shrink(storm, failure)
    t.log(recordingOf(shrunk))
    const lines = shrunk.storm.steps.map((step) => JSON.stringify(step)).join('\n')
    const again = `npm run storm -- --seed ${seed}${steps === undefined ? '' : ` --steps ${steps}`}`
    t.fail(`${again}: ${shrunk.failure.why}\n${lines}`)
  }
  t.pass()
  return weather
}
