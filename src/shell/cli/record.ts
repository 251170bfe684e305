import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Command } from 'commander'
import { exitCode } from '../../scenario/report/outcome.ts'
import { createLog } from '../log.ts'
import { startRecording, type Recorder } from '../recorder.ts'
import { freePorts, runToEnd } from '../runToEnd.ts'
import { run as serve } from '../server.ts'
import { noPlan } from '../start.ts'
import { bannerText, listeningText } from './banner.ts'
import { choose, withSettings } from './options.ts'
import { untilStopped } from './stop.ts'
import type { Verb } from './verb.ts'

type Options = { readonly out: string; readonly serve?: boolean; readonly json?: boolean }

/** `chainstage record`: the inputs of a run and what they caused, as a file that replays. */
export const record: Verb = (exit) => withSettings(new Command('record'))
  .summary('Write what a run takes in and answers to a file that replays.')
  .description('Run a scenario to its end, or serve until Ctrl-C, and write every input with its outputs\n'
    + 'to a file that replays.\n'
    + 'What stands after -- is run against it, as with chainstage run.')
  .argument('[scenario]', 'a scenario file')
  .argument('[command...]', 'a program with its arguments, after --')
  .option('--out <file>', 'where to write', 'snapshots/recording.jsonl')
  .option('--serve', 'serve until Ctrl-C instead of ending with the scenario')
  .option('--json', 'print the log and what was written as JSON, one document per line')
  .action(async (path: string | undefined, words: readonly string[], options: Options, command: Command) => {
    const { out, serve: isServed, json: isJson = false } = options
    const runsToEnd = path !== undefined && isServed !== true
    const chosen = await choose(command, path, runsToEnd ? freePorts : {})
    const recorder = startRecording({ ...chosen, command: words })
    const code = await (runsToEnd ? recordRun : recordServing)(recorder, isJson)
    exit(code)
    await mkdir(dirname(out), { recursive: true })
    await writeFile(`${out}.part`, recorder.text())
    await rename(`${out}.part`, out)
    const inputs = recorder.count()
    process.stdout.write(`${isJson ? JSON.stringify({ out, inputs, exitCode: code }) : `${out}: ${inputs} inputs`}\n`)
  })

async function recordRun({ chosen, record: tell }: Recorder, isJson: boolean): Promise<number> {
  const log = createLog({ isJson })
  log.open()
  return exitCode(await runToEnd(chosen, { log: log.write, record: tell }))
}

async function recordServing({ chosen, record: tell }: Recorder, isJson: boolean): Promise<number> {
  const { settings, scenario, genesis, home } = chosen
  const stopped = untilStopped()
  const log = createLog({ isJson })
  const running = await serve({
    settings, plan: scenario?.plan ?? noPlan, genesis, home, log: log.write, record: tell,
    stop: () => { process.emit('SIGTERM') },
  })
  process.stdout.write(`${isJson ? JSON.stringify(running.urls) : `${bannerText(running)}\n${listeningText(running)}`}\n`)
  log.open()
  await stopped
  await running.close()
  return 0
}
