/**
 * `npm run storm`: storms with one seed after another, until one fails or the count is reached. A
 * failing one is shrunk and written as a recording.
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { writeFileWhole } from '../../src/shell/durable/writeFile.ts'
import { recordingOf, stormIn } from './recording.ts'
import { shrink } from './shrink.ts'
import { runStorm, stormOf, type Failure, type Storm } from './storm.ts'

const usage = `Usage: npm run storm -- [--seed N] [--count N] [--steps N]
       npm run storm -- --again FILE

  --seed N    the first seed (default: 1)
  --count N   how many seeds to run, one after another (default: 1)
  --steps N   how many steps each storm has (by default, its seed decides: 3 to 15)
  --again F   run the storm of a recording that a failed one wrote
`

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      count: { type: 'string', default: '1' },
      steps: { type: 'string' },
      again: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return said(usage, 0)
  const [seed, count] = [Number(values.seed), Number(values.count)]
  const steps = values.steps === undefined ? undefined : Number(values.steps)
  if (![seed, count, steps ?? 0].every((one) => Number.isSafeInteger(one) && one >= 0)) return said(usage, 2)
  if (values.again !== undefined) {
    const storm = stormIn(readFileSync(values.again, 'utf8'))
    const failure = await runStorm(storm)
    return failure === undefined ? said(`${values.again}: everything held\n`, 0) : said(failureText(storm, failure), 1)
  }
  for (let at = seed; at < seed + count; at++) {
    const storm = stormOf(at, steps)
    const failure = await runStorm(storm)
    if (failure !== undefined) return failed(storm, failure)
    if ((at - seed + 1) % 100 === 0) said(`${at - seed + 1} of ${count} seeds: everything held\n`, 0)
  }
  return said(`${count} ${count === 1 ? 'seed' : 'seeds'} from ${seed} on: everything held\n`, 0)
}

async function failed(storm: Storm, failure: Failure): Promise<number> {
  said(`seed ${storm.seed}: ${failureText(storm, failure)}Shrinking…\n`, 1)
  const shrunk = await shrink(storm, failure)
  const path = `storm-${storm.seed}.jsonl`
  await writeFileWhole(path, recordingOf(shrunk))
  const list = shrunk.storm.steps.map((step, index) => `  ${index + 1}. ${JSON.stringify(step)}\n`).join('')
  return said(
    `${list}${failureText(shrunk.storm, shrunk.failure)}Recording: ${path}. Run it again: npm run storm -- --again ${path}\n`,
    1,
  )
}

function failureText({ steps }: Storm, { step, why }: Failure): string {
  return `step ${step} of ${steps.length}: ${why}\n`
}

function said(text: string, exitCode: number): number {
  process.stdout.write(text)
  return exitCode
}

process.exit(await main())
