/** Flags of playback, where a recording answers instead of a chain. */
import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Option, type Command } from 'commander'
import { withMore } from '../../data/distinctTexts.ts'
import { SimError } from '../../errors.ts'
import type { CursorPace } from '../../recording/playback/cursor.ts'
import { writeFileWhole } from '../durable/writeFile.ts'
import { modeOf, modes, type Mode } from '../recordings/mode.ts'
import type { Report } from '../recordings/modes.ts'
import type { Opened } from '../recordings/openPlaying.ts'
import type { Upstreams } from '../recordings/upstream.ts'
import { detail } from './help.ts'
import { sources } from './forkFlags.ts'
import type { RecordNode } from './recordNode.ts'
import { warn } from './say.ts'

export type PlaybackOptions = {
  readonly playback?: string
  readonly mode?: string
  readonly cursor: string
  readonly speed: string
  readonly patience: string
  readonly maxDegraded?: string
  readonly report?: string
  readonly allowWrites?: boolean
  readonly upstreamComet?: string
  readonly upstreamEth?: string
  readonly upstreamWs?: string
  readonly upstreamRest?: string
  readonly upstreamGrpc?: string
}

const modeFlag = () =>
  new Option('--mode <mode>', 'How to answer calls (default: strict if CI is set, else once).')
    .choices(modes)
    .helpGroup(sources)

const detailFlags = () => [
  new Option('--cursor <pace>', 'What moves a playback: recorded time, mine, or step (a client that repeats a call).')
    .choices(['recorded', 'mine', 'step'])
    .default('recorded'),
  new Option('--speed <times>', 'Speed of recorded time.').default('1'),
  new Option(
    '--patience <ms>',
    'How long to wait for a recorded transaction that the client does not send, in milliseconds.',
  ).default('15000'),
  new Option(
    '--max-degraded <count>',
    'Maximum number of approximate responses in mode lenient (default: what the scenario says, else 1000).',
  ),
  new Option('--allow-writes', 'Send transactions to an upstream node beyond this machine.'),
  new Option(
    '--report <file>',
    'Write used, missed, forwarded and changed calls as JSON. Without it, misses are written beside the recording.',
  ),
  new Option('--upstream-comet <url>', 'CometBFT RPC of the node that modes forward to.'),
  new Option('--upstream-eth <url>', 'Ethereum JSON-RPC of the node that modes forward to.'),
  new Option('--upstream-ws <url>', 'Ethereum WebSocket of the node that modes record.'),
  new Option('--upstream-rest <url>', 'Cosmos REST API of the node that modes forward to.'),
  new Option('--upstream-grpc <address>', 'HOST:PORT of the gRPC of the node that modes forward to.'),
]

/** Adds the playback flags. */
export function withPlayback(command: Command): Command {
  for (const option of detailFlags()) command.addOption(detail(option))
  return command
    .addOption(
      new Option('--playback <recording>', 'Answer from a recording of a node instead of a chain.').helpGroup(sources),
    )
    .addOption(modeFlag())
}

/** Throws `NoPlayback` for a flag that only a playback follows: without one, the chain itself answers. */
function assertNoPlaybackFlags(options: PlaybackOptions): void {
  const found = [modeFlag(), ...detailFlags()].find((flag) => {
    const value = options[flag.attributeName() as keyof PlaybackOptions]
    // --allow-writes only permits, so it may stand without a playback.
    return value !== undefined && value !== flag.defaultValue && flag.long !== '--allow-writes'
  })
  if (found !== undefined) throw new NoPlayback(found.long ?? found.flags)
}

/** The folder of a recording to write, and the mode that records. */
export type Recording = { readonly out: string; readonly mode: Mode }

/** Whether a run plays a recording or records a node. */
export type Chosen = { readonly kind: 'playback'; readonly opened: Opened } | ({ readonly kind: 'record' } & Recording)

/**
 * Resolves with the playback or recording that the flags select; undefined without `--playback`.
 * `most` is the scenario's limit of approximate responses. Throws `SimError`.
 */
export async function choosePlayback(options: PlaybackOptions, most?: number): Promise<Chosen | undefined> {
  const { playback: path, speed, patience, cursor } = options
  if (path === undefined) {
    assertNoPlaybackFlags(options)
    return undefined
  }
  const recording = await recordingChosen(options)
  if (recording !== undefined) return { kind: 'record', ...recording }
  const mode = modeOf(options.mode, process.env)
  const upstreams = await upstreamsOf(options)
  if (!hasNode(upstreams) && (mode === 'missing' || mode === 'spy' || mode === 'diff')) {
    throw new NoUpstream(mode)
  }
  const found = await stat(path).catch(() => undefined)
  if (mode === 'missing' && found?.isFile() === true) throw new NotWritable(path)
  const [scale, patienceMs] = [Number(speed), Number(patience)]
  if (!(scale > 0) || !(patienceMs >= 0)) {
    throw new BadPlayback(`speed ${speed}, patience ${patience}`)
  }
  const maxDegraded = Number(options.maxDegraded ?? most ?? 1000)
  if (!Number.isInteger(maxDegraded) || maxDegraded < 0) throw new BadLimit(options.maxDegraded ?? '')
  const { openPlaying } = await import('../recordings/openPlaying.ts')
  const opened = await openPlaying({
    path,
    mode,
    upstreams,
    scale,
    patienceMs,
    pace: cursor as CursorPace,
    maxDegraded,
    allowWrites: options.allowWrites === true,
  })
  return { kind: 'playback', opened }
}

/**
 * Resolves with the recording to write if the mode sends every request to a node: `all`, `refresh`,
 * or `once` without an existing recording. Resolves with undefined if a recording is played. Throws
 * `NoUpstream`.
 */
export async function recordingChosen(options: PlaybackOptions): Promise<Recording | undefined> {
  const { playback: out } = options
  if (out === undefined) return undefined
  const mode = modeOf(options.mode, process.env)
  const isAsked = hasNode(await upstreamsOf(options))
  const isFirst = mode === 'once' && isAsked && !existsSync(out)
  if (mode !== 'all' && mode !== 'refresh' && !isFirst) return undefined
  if (!isAsked) throw new NoUpstream(mode)
  return { out, mode }
}

/** Returns the options of `recordNode` for a recording mode, without program and addresses. */
export function recordFlags(
  options: PlaybackOptions & { readonly json?: boolean },
  { out, mode }: Recording,
): Omit<RecordNode, 'words'> {
  const { upstreamComet: comet, upstreamEth: eth, upstreamWs: ws, upstreamRest: rest, upstreamGrpc: grpc } = options
  const { json, allowWrites } = options
  return {
    out,
    level: 'blocks',
    poll: '500',
    keep: mode === 'all',
    allowWrites: allowWrites === true,
    ...(json === undefined ? {} : { json }),
    ...(comet === undefined ? {} : { comet }),
    ...(eth === undefined ? {} : { eth }),
    ...(ws === undefined ? {} : { ws }),
    ...(rest === undefined ? {} : { rest }),
    ...(grpc === undefined ? {} : { grpc }),
  }
}

function hasNode(upstreams: Upstreams): boolean {
  return Object.values(upstreams).some((one) => one !== undefined)
}

async function upstreamsOf(options: PlaybackOptions): Promise<Upstreams> {
  const { grpcUrlOf, httpUrlOf, webSocketUrlOf } = await import('../recordings/upstream.ts')
  return {
    comet: httpUrlOf('upstream-comet', options.upstreamComet),
    eth: httpUrlOf('upstream-eth', options.upstreamEth),
    ethWs: webSocketUrlOf('upstream-ws', options.upstreamWs),
    rest: httpUrlOf('upstream-rest', options.upstreamRest),
    grpc: grpcUrlOf('upstream-grpc', options.upstreamGrpc),
  }
}

/**
 * Prints the result of a playback and resolves with the exit code: 4 for misses, 5 for differences.
 */
export async function endPlayback(opened: Opened, options: PlaybackOptions): Promise<number> {
  const report = await opened.end()
  await writePlaybackReport(report, options)
  for (const line of linesOf(report)) warn(line)
  return report.differences.length > 0 ? 5 : report.misses.length > 0 ? 4 : 0
}

/**
 * Writes the report to the `--report` file. Without that flag, writes misses beside the recording.
 */
export async function writePlaybackReport(
  report: Report,
  { report: path, playback: recording = '' }: PlaybackOptions,
): Promise<void> {
  const found = path ?? (report.misses.length > 0 ? `${recording.replace(/[/\\]+$/, '')}.misses.json` : undefined)
  if (found === undefined) return
  await writeFileWhole(found, `${JSON.stringify(report, undefined, 2)}\n`)
  if (path === undefined) process.stderr.write(`calls that were not recorded are in ${found}\n`)
}

function linesOf({ misses, degraded, differences, more }: Report): readonly string[] {
  return [
    ...withMore(misses, more.misses).map((one) => `no recorded response: ${one}`),
    ...degraded.map((one) => `differs from the recording: ${one}`),
    ...withMore(differences, more.differences).map((one) => `different now: ${one}`),
  ]
}

/** Thrown for an invalid speed or patience. */
export class BadPlayback extends SimError {
  constructor(received: string) {
    super('BAD_SETTING', `expected a speed above 0 and a number of milliseconds to wait, received ${received}`)
  }
}

/** Thrown for a number of approximate responses that is none. */
export class BadLimit extends SimError {
  constructor(received: string) {
    super('BAD_SETTING', `--max-degraded: expected a whole number of at least 0, received "${received}"`)
  }
}

/** Thrown for a flag of playbacks without `--playback`. */
export class NoPlayback extends SimError {
  constructor(flag: string) {
    super('CONTRADICTION', `expected --playback beside ${flag}, received none`, {
      hint: `Name a recording with --playback, or leave ${flag} out.`,
    })
  }
}

/** Thrown for a mode that needs a node when no node is given. */
export class NoUpstream extends SimError {
  constructor(mode: string) {
    super('BAD_SETTING', `--mode ${mode} needs a node to ask, received none`, {
      hint: 'Add --upstream-comet, --upstream-eth, --upstream-rest or --upstream-grpc.',
    })
  }
}

/** Thrown when responses should be added to a recording that is not a folder. */
export class NotWritable extends SimError {
  constructor(path: string) {
    super('BAD_SETTING', `--mode missing adds to the folder of a recording, but ${path} is a file`, {
      hint: 'Make a folder of it with chainstage recording unpack, or with import for raw traffic.',
    })
  }
}
