/** What `chainstage start` is told of a recording that answers in the place of a chain. */
import { stat, writeFile } from 'node:fs/promises'
import { Option, type Command } from 'commander'
import { SimError } from '../../errors.ts'
import type { CursorPace } from '../../recording/playback/cursor.ts'
import { modeOf, modes, type Mode, type Report } from '../recordings/modes.ts'
import { openPlaying, type Opened } from '../recordings/openPlaying.ts'
import { urlOf, type Upstreams } from '../recordings/upstream.ts'

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
}

/** Adds the flags of playback. */
export function withPlayback(command: Command): Command {
  return command
    .option(
      '--playback <recording>',
      'a folder, a packed file or raw traffic: answer from it in place of a chain'
    )
    .addOption(new Option(
      '--mode <mode>', 'what to do with calls, recorded or not: strict where CI is set, else once'
    ).choices(modes))
    .addOption(new Option(
      '--cursor <pace>',
      'what moves a playback: recorded time, mine, or step (a client that asks again)'
    )
      .choices(['recorded', 'mine', 'step']).default('recorded'))
    .option('--speed <times>', 'how fast recorded time passes', '1')
    .option(
      '--patience <ms>', 'how long to wait for a recorded transaction that is not sent', '15000'
    )
    .option(
      '--max-degraded <count>',
      'of mode lenient: how many calls may be answered by something near, in place of what the scenario says; else 1000'
    )
    .option(
      '--allow-writes',
      'send transactions to a node that modes ask, although it is not on this machine'
    )
    .option(
      '--report <file>',
      'write what was used, missed, passed on and different, as JSON, when it ends (without it, misses beside the recording)'
    )
    .option('--upstream-comet <url>', 'the node that modes ask: its CometBFT RPC')
    .option('--upstream-eth <url>', 'the node that modes ask: its JSON-RPC')
    .option('--upstream-ws <url>', 'the node that modes record: the WebSocket of its JSON-RPC')
}

/** How a run is answered: by a playback, or by a node that is recorded while it answers. */
export type Chosen =
  | { readonly kind: 'playback'; readonly opened: Opened }
  | { readonly kind: 'record'; readonly out: string; readonly mode: Mode }

/**
 * Resolves with what flags say of a recording, undefined when they name none; `most` is what the
 * scenario says of degraded answers. Throws `SimError`.
 */
export async function choosePlayback(
  options: PlaybackOptions, most?: number,
): Promise<Chosen | undefined> {
  const { playback: path, speed, patience, cursor } = options
  const maxDegraded = Number(options.maxDegraded ?? most ?? 1000)
  if (path === undefined) return undefined
  const mode = modeOf(options.mode, process.env)
  const upstreams = upstreamsOf(options)
  const hasNode = Object.values(upstreams).some((one) => one !== undefined)
  const found = await stat(path).catch(() => undefined)
  const isThere = found !== undefined
  if (mode === 'all' || mode === 'refresh' || (mode === 'once' && !isThere && hasNode)) {
    if (!hasNode) throw new NoUpstream(mode)
    return { kind: 'record', out: path, mode }
  }
  if (!hasNode && (mode === 'missing' || mode === 'spy' || mode === 'diff')) {
    throw new NoUpstream(mode)
  }
  if (mode === 'missing' && found?.isFile() === true) throw new NotWritable(path)
  const [scale, patienceMs] = [Number(speed), Number(patience)]
  if (!(scale > 0) || !(patienceMs >= 0)) {
    throw new BadPlayback(`speed ${speed}, patience ${patience}`)
  }
  const opened = await openPlaying({
    path, mode, upstreams, scale, patienceMs, pace: cursor as CursorPace, maxDegraded,
    allowWrites: options.allowWrites === true,
  })
  return { kind: 'playback', opened }
}

function upstreamsOf({ upstreamComet, upstreamEth, upstreamWs }: PlaybackOptions): Upstreams {
  return {
    comet: urlOf('upstream-comet', upstreamComet), eth: urlOf('upstream-eth', upstreamEth),
    ethWs: urlOf('upstream-ws', upstreamWs),
  }
}

/**
 * Says what became of a playback, and resolves with the exit code: 4 for misses, 5 for differences.
 */
export async function endPlayback(
  opened: Opened, { report: path, playback: recording = '' }: PlaybackOptions,
): Promise<number> {
  const report = await opened.end()
  const found = path
    ?? (report.misses.length > 0 ? `${recording.replace(/[/\\]+$/, '')}.misses.json` : undefined)
  if (found !== undefined) await writeFile(found, `${JSON.stringify(report, undefined, 2)}\n`)
  if (path === undefined && found !== undefined) {
    process.stderr.write(`calls that were not recorded are in ${found}\n`)
  }
  for (const line of linesOf(report)) process.stderr.write(`${line}\n`)
  return report.differences.length > 0 ? 5 : report.misses.length > 0 ? 4 : 0
}

function linesOf({ misses, degraded, differences }: Report): readonly string[] {
  return [
    ...misses.map((one) => `no recorded answer: ${one}`),
    ...degraded.map((one) => `not what was recorded: ${one}`),
    ...differences.map((one) => `different now: ${one}`),
  ]
}

/** A speed or a patience that is none. */
export class BadPlayback extends SimError {
  constructor(received: string) {
    super(
      'BAD_SETTING',
      `a playback needs a speed above 0 and a patience in milliseconds, received ${received}`
    )
  }
}

/** A mode that asks a node, and no node. */
export class NoUpstream extends SimError {
  constructor(mode: string) {
    super(
      'BAD_SETTING', `--mode ${mode} asks a node, and none was named`,
      { hint: 'Add --upstream-comet, --upstream-eth, or both.' }
    )
  }
}

/** Only a folder can take what is added. */
export class NotWritable extends SimError {
  constructor(path: string) {
    super('BAD_SETTING', `--mode missing adds to a recording, and ${path} is a file`, {
      hint: 'chainstage recording unpack, or import, makes a folder of it.',
    })
  }
}
