import { once } from 'node:events'
import { Command } from 'commander'
import { counted } from '../../data/counted.ts'
import { exitCode } from '../../scenario/report/outcome.ts'
import { createLog } from '../log.ts'
import { startRecording, type Recorder } from '../recorder.ts'
import { createRecordingFile, type RecordingFile } from '../recordingFile.ts'
import { freePorts, freePortsFor, runToEnd } from '../runToEnd.ts'
import { run as serve } from '../server.ts'
import { stopRequest } from '../process/stopSignals.ts'
import { forkHeight } from './forkFlags.ts'
import { recordFork } from './recordFork.ts'
import { isOfNode, recordNode, type NodeOptions } from './recordNode.ts'
import { bannerText, listeningText } from './banner.ts'
import { choose, runSettings, withSettings } from './options.ts'
import { splitOperands } from './runPlan.ts'
import { untilStopped } from './stop.ts'
import type { Verb } from './verb.ts'
import { noPlan } from '../../plan/plan.ts'
import { SimError } from '../../errors.ts'

type Options = NodeOptions & {
  readonly forkHeight?: bigint
  readonly out?: string
  readonly serve?: boolean
  readonly json?: boolean
}

/**
 * `chainstage record`: records the inputs and outputs of a run in a file for `chainstage replay`.
 */
export const record: Verb = (exit) =>
  withSettings(new Command('record'), runSettings)
    .summary('Record a run, or the traffic with a real node.')
    .description(
      'Run a scenario to its end, or serve until Ctrl-C, and write every input with its outputs to a file that ' +
        'replays. The program after -- runs against it, as with chainstage run. With --comet, --eth, --ws, --rest or ' +
        '--grpc, record the traffic between the program and a real node in a folder for chainstage start --playback; a ' +
        'batch counts as one exchange.',
    )
    .argument('[scenario]', 'Scenario file.')
    .argument('[command...]', 'Program to run, with its arguments, after --.')
    .option('--out <path>', 'File to write. With a real node: folder to write.')
    .option('--comet <url>', 'Record a real node: URL of its CometBFT RPC.')
    .option('--eth <url>', 'Record a real node: URL of its Ethereum JSON-RPC.')
    .option('--ws <url>', 'Record a real node: WebSocket URL of its Ethereum JSON-RPC.')
    .option('--rest <url>', 'Record a real node: URL of its REST API.')
    .option('--grpc <address>', 'Record a real node: HOST:PORT of its gRPC.')
    .option(
      '--level <level>',
      'With a real node. calls: requests and responses; blocks: every block too; fork: the state that ' +
        'chainstage start --fork needs.',
      'blocks',
    )
    .addOption(forkHeight())
    .option(
      '--poll <ms>',
      'With a real node: time between two queries of its height, in milliseconds. 0 never asks.',
      '500',
    )
    .option('--allow-writes', 'With a real node: send it transactions even if it is not on this machine.')
    .option('--save-on-failure', 'With a real node: replace an existing recording even if the program failed.')
    .option('--serve', 'Serve until Ctrl-C instead of ending with the scenario.')
    .option('--json', 'Print the log and the result as JSON, one document per line.')
    .action(async (path: string | undefined, words: readonly string[], options: Options, command: Command) => {
      const program = path === undefined ? words : [path, ...words]
      if (isOfNode(options) && options.level === 'fork') {
        const split = splitOperands(program)
        // Without `--`, all words are the program's.
        const [file, run] = split.program.length > 0 ? [split.files[0], split.program] : [undefined, program]
        const { settings, scenario } = await choose(command, file, run.length > 0 ? freePorts : {})
        return exit(await recordFork({ ...options, words: run, settings, plan: scenario?.plan ?? noPlan }))
      }
      if (isOfNode(options)) return exit(await recordNode({ ...options, words: program }))
      if (options.serve === true && words.length > 0) throw new ServesNoProgram()
      const { out = 'snapshots/recording.jsonl', serve: isServed, json: isJson = false } = options
      const runsToEnd = path !== undefined && isServed !== true
      const chosen = await choose(command, path, runsToEnd ? freePortsFor(words) : {})
      const file = createRecordingFile(out)
      const recorder = startRecording({ ...chosen, command: words }, file.note)
      const code = await (runsToEnd ? recordRun : recordServing)(recorder, file, isJson).finally(file.end)
      exit(code)
      const inputs = recorder.count()
      process.stdout.write(
        `${isJson ? JSON.stringify({ out, inputs, exitCode: code }) : `${out}: ${counted(inputs, 'input')}`}\n`,
      )
    })

async function recordRun(
  { chosen, record: tell, header }: Recorder,
  { begin, failed }: RecordingFile,
  isJson: boolean,
): Promise<number> {
  const log = createLog({ isJson })
  log.open()
  const sinks = { log: log.write, record: tell, isRecorded: true, serving: () => begin(header) }
  return exitCode(await runToEnd({ ...chosen, stop: AbortSignal.any([stopRequest(), failed]) }, sinks))
}

async function recordServing(
  { chosen, record: tell, header }: Recorder,
  { begin, failed }: RecordingFile,
  isJson: boolean,
): Promise<number> {
  const { settings, scenario, genesis, home } = chosen
  const stopped = untilStopped()
  const log = createLog({ isJson })
  for (const text of (await chosen.warnings?.()) ?? []) log.write('warn', text)
  const running = await serve({
    settings,
    plan: scenario?.plan ?? noPlan,
    genesis,
    home,
    log: log.write,
    record: tell,
    isRecorded: true,
    stop: () => {
      process.emit('SIGTERM')
    },
  })
  try {
    begin(header)
  } catch (error) {
    await running.close()
    throw error
  }
  process.stdout.write(
    `${isJson ? JSON.stringify(running.urls) : `${bannerText(running)}\n${listeningText(running)}`}\n`,
  )
  log.open()
  if (!failed.aborted) await Promise.race([stopped, once(failed, 'abort')])
  await running.close()
  return 0
}

/** A program was given together with `--serve`, which runs none. */
class ServesNoProgram extends SimError {
  constructor() {
    super('CONTRADICTION', 'expected --serve without a program, received both', {
      hint: 'Leave --serve out to run the program, or start the program yourself while --serve serves.',
    })
  }
}
