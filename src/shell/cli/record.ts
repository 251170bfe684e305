import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Command } from 'commander'
import { exitCode } from '../../scenario/report.ts'
import { createLog } from '../log.ts'
import { startRecording, type Recorder } from '../recorder.ts'
import { freePorts, runToEnd } from '../runToEnd.ts'
import { run as serve } from '../server.ts'
import { noPlan } from '../start.ts'
import { bannerText, listeningText } from './banner.ts'
import { choose, withSettings } from './options.ts'
import { untilStopped } from './stop.ts'
import type { Verb } from './verb.ts'

type Options = { readonly out: string; readonly serve?: boolean }

/** `chainstage record`: the inputs of a run and what they caused, as a file that replays. */
export const record: Verb = (exit) => withSettings(new Command('record'))
  .description('Run a scenario to its end, or serve until Ctrl-C, and write every input with its outputs to a file that replays.\n'
    + 'What stands after -- is run against it, as with chainstage run.')
  .argument('[scenario]', 'a scenario file')
  .argument('[command...]', 'a program with its arguments, after --')
  .option('--out <file>', 'where to write', 'snapshots/recording.jsonl')
  .option('--serve', 'serve until Ctrl-C instead of ending with the scenario')
  .action(async (path: string | undefined, words: readonly string[], { out, serve: isServed }: Options, command: Command) => {
    const runsToEnd = path !== undefined && isServed !== true
    const chosen = await choose(command, path, runsToEnd ? freePorts : {})
    const recorder = startRecording({ ...chosen, command: words })
    exit(runsToEnd ? await recordRun(recorder) : await recordServing(recorder))
    await mkdir(dirname(out), { recursive: true })
    await writeFile(`${out}.part`, recorder.text())
    await rename(`${out}.part`, out)
    process.stdout.write(`${out}: ${recorder.count()} inputs\n`)
  })

async function recordRun({ chosen, record: tell }: Recorder): Promise<number> {
  const log = createLog()
  log.open()
  const { progress, childCode } = await runToEnd(chosen, { log: log.write, record: tell })
  return childCode === 0 ? exitCode(progress) : childCode
}

async function recordServing({ chosen, record: tell }: Recorder): Promise<number> {
  const { settings, scenario, genesis, home } = chosen
  const stopped = untilStopped()
  const log = createLog()
  const running = await serve({
    settings, plan: scenario?.plan ?? noPlan, genesis, home, log: log.write, record: tell,
    stop: () => { process.emit('SIGTERM') },
  })
  process.stdout.write(`${bannerText(running)}\n${listeningText(running)}\n`)
  log.open()
  await stopped
  await running.close()
  return 0
}
