import { Command } from 'commander'
import { exitCode } from '../../scenario/report/outcome.ts'
import { createLog } from '../log.ts'
import { startRecording, type Recorder } from '../recorder.ts'
import { freePorts, runToEnd } from '../runToEnd.ts'
import { run as serve } from '../server.ts'
import { noPlan } from '../start.ts'
import { writeWhole } from '../writeWhole.ts'
import { forkHeight } from './forkFlags.ts'
import { recordFork } from './recordFork.ts'
import { isOfNode, recordNode, type NodeOptions } from './recordNode.ts'
import { bannerText, listeningText } from './banner.ts'
import { choose, withSettings } from './options.ts'
import { untilStopped } from './stop.ts'
import type { Verb } from './verb.ts'

type Options = NodeOptions & {
  readonly forkHeight?: bigint; readonly out?: string; readonly serve?: boolean;
  readonly json?: boolean
}

/** `chainstage record`: the inputs of a run and what they caused, as a file that replays. */
export const record: Verb = (exit) => withSettings(new Command('record'))
  .summary('Write what a run takes in and answers to a file that replays.')
  .description('Run a scenario to its end, or serve until Ctrl-C, and write every input with its outputs\n'
    + 'to a file that replays.\n'
    + 'What stands after -- is run against it, as with chainstage run.\n'
    + 'With --comet, --eth or --ws, record what the program and a real node say to each other, as a folder\n'
    + 'that chainstage start --playback answers from.')
  .argument('[scenario]', 'a scenario file')
  .argument('[command...]', 'a program with its arguments, after --')
  .option('--out <path>', 'where to write: a file, or of a real node a folder')
  .option('--comet <url>', 'record a real node instead: its CometBFT RPC')
  .option('--eth <url>', 'record a real node instead: its JSON-RPC')
  .option('--ws <url>', 'record a real node instead: the WebSocket of its JSON-RPC')
  .option(
    '--level <level>',
    'of a real node: blocks (every block, too), calls (only what is asked), or fork (its state, '
      + 'for a chain that goes on from it)', 'blocks',
  )
  .addOption(forkHeight())
  .option('--poll <ms>', 'of a real node: how often its height is asked for, 0 never', '500')
  .option(
    '--allow-writes', 'of a real node: send it transactions, although it is not on this machine'
  )
  .option('--save-on-failure', 'of a real node: write over a recording although the program failed')
  .option('--serve', 'serve until Ctrl-C instead of ending with the scenario')
  .option('--json', 'print the log and what was written as JSON, one document per line')
  .action(async (
    path: string | undefined, words: readonly string[], options: Options, command: Command
  ) => {
    const program = path === undefined ? words : [path, ...words]
    if (isOfNode(options) && options.level === 'fork') {
      const { settings } = await choose(command, undefined, program.length > 0 ? freePorts : {})
      return exit(await recordFork({ ...options, words: program, settings }))
    }
    if (isOfNode(options)) return exit(await recordNode({ ...options, words: program }))
    const { out = 'snapshots/recording.jsonl', serve: isServed, json: isJson = false } = options
    const runsToEnd = path !== undefined && isServed !== true
    const chosen = await choose(command, path, runsToEnd ? freePorts : {})
    const recorder = startRecording({ ...chosen, command: words })
    const code = await (runsToEnd ? recordRun : recordServing)(recorder, isJson)
    exit(code)
    await writeWhole(out, recorder.text())
    const inputs = recorder.count()
    process.stdout.write(
      `${isJson ? JSON.stringify({ out, inputs, exitCode: code }) : `${out}: ${inputs} inputs`}\n`
    )
  })

async function recordRun({ chosen, record: tell }: Recorder, isJson: boolean): Promise<number> {
  const log = createLog({ isJson })
  log.open()
  return exitCode(await runToEnd(chosen, { log: log.write, record: tell, isRecorded: true }))
}

async function recordServing({ chosen, record: tell }: Recorder, isJson: boolean): Promise<number> {
  const { settings, scenario, genesis, home } = chosen
  const stopped = untilStopped()
  const log = createLog({ isJson })
  const running = await serve({
    settings, plan: scenario?.plan ?? noPlan, genesis, home, log: log.write, record: tell,
    isRecorded: true,
    stop: () => { process.emit('SIGTERM') },
  })
  process.stdout.write(`${isJson ? JSON.stringify(running.urls) : `${bannerText(running)}\n${listeningText(running)}`}\n`)
  log.open()
  await stopped
  await running.close()
  return 0
}
