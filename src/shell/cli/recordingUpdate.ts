/** `chainstage recording update`. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Command } from 'commander'
import { z } from 'zod'
import { counted } from '../../data/counted.ts'
import { parsedJson } from '../../data/parsedJson.ts'
import { SimError } from '../../errors.ts'
import { keyParts } from '../../recording/playback/callKey.ts'
import { UnreadableFile } from '../config/home.ts'
import { updateFolder } from '../recordings/updateFolder.ts'
import { grpcUrlOf, httpUrlOf } from '../recordings/upstream.ts'
import { heightRangeOf } from './recordingChange.ts'
import type { Verb } from './verb.ts'
import { warn } from './say.ts'

type Options = {
  readonly upstreamComet?: string
  readonly upstreamEth?: string
  readonly upstreamRest?: string
  readonly upstreamGrpc?: string
  readonly only?: readonly string[]
  readonly heights?: string
  readonly stale?: string
  readonly fromMisses?: string
}

/** Records parts of a recording again. */
export const update: Verb = (exit) =>
  new Command('update')
    .description(
      'Record a part of a recording again, or the calls that a playback missed.\n' +
        'Without --from-misses, only calls that name a height or a hash are sent, because other responses change.',
    )
    .argument('<recording>', 'Folder of the recording.')
    .option('--upstream-comet <url>', 'CometBFT RPC of the node.')
    .option('--upstream-eth <url>', 'Ethereum JSON-RPC of the node.')
    .option('--upstream-rest <url>', 'REST API of the node.')
    .option('--upstream-grpc <address>', 'HOST:PORT of the gRPC of the node.')
    .option('--only <methods...>', 'Only calls of these methods.')
    .option('--heights <range>', 'Only calls that name a height in this range, like 1200..1210.')
    .option('--stale <days>', 'Only if the recording is at least this old, like 30d.')
    .option('--from-misses <file>', 'Only the calls in this report, which a playback wrote.')
    .action(async (path: string, options: Options) => {
      if (options.stale !== undefined && (await ageOf(path)) < daysOf(options.stale)) {
        return void process.stdout.write(`${path}: recorded less than ${options.stale} ago; nothing to update\n`)
      }
      const { asked, unanswered, withheld } = await updateFolder(path, {
        upstreams: {
          comet: httpUrlOf('upstream-comet', options.upstreamComet),
          eth: httpUrlOf('upstream-eth', options.upstreamEth),
          ethWs: undefined,
          rest: httpUrlOf('upstream-rest', options.upstreamRest),
          grpc: grpcUrlOf('upstream-grpc', options.upstreamGrpc),
        },
        missed: options.fromMisses === undefined ? undefined : await missesIn(options.fromMisses),
        only: options.only ?? [],
        heights: options.heights === undefined ? undefined : heightRangeOf(options.heights),
      })
      for (const key of unanswered) warn(`not answered: ${key.slice(0, 300)}`)
      const unasked = unaskedSides(unanswered, options)
      if (unasked.length > 0) warn(`To ask for these calls, add ${unasked.join(' and ')}.`)
      for (const { rule, where } of withheld) warn(`not kept: ${rule} (${where})`)
      process.stdout.write(
        `${path}: ${asked - unanswered.length - withheld.length} of ${counted(asked, 'call')} recorded again\n`,
      )
      if (unanswered.length + withheld.length > 0) exit(1)
    })

/** Returns the flags of interfaces that have calls and no URL, in the order of the calls. */
function unaskedSides(keys: readonly string[], options: Options): readonly string[] {
  const flags = {
    comet: options.upstreamComet === undefined ? '--upstream-comet URL' : undefined,
    eth: options.upstreamEth === undefined ? '--upstream-eth URL' : undefined,
    rest: options.upstreamRest === undefined ? '--upstream-rest URL' : undefined,
    grpc: options.upstreamGrpc === undefined ? '--upstream-grpc ADDRESS' : undefined,
  }
  return [...new Set(keys.flatMap((key) => flags[keyParts(key).side] ?? []))]
}

async function missesIn(path: string): Promise<readonly string[]> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new UnreadableFile(path, error)
  })
  const { data } = missesReport.safeParse(parsedJson(text))
  if (data === undefined) throw new BadUpdate(`${path} has no list "misses"; expected a report that a playback wrote`)
  return data.misses
}

const missesReport = z.object({ misses: z.array(z.string()) })

/** Resolves with the age of a recording in days. */
async function ageOf(path: string): Promise<number> {
  const { recordedAt } = JSON.parse(await readFile(join(path, 'manifest.json'), 'utf8')) as {
    recordedAt: string
  }
  return (Date.now() - Date.parse(recordedAt)) / 86_400_000
}

function daysOf(text: string): number {
  const found = /^(\d+)d$/.exec(text)
  if (found === null) throw new BadUpdate(`--stale: expected a number of days like 30d, received ${text}`)
  return Number(found[1])
}

/** Thrown for a flag or file that an update cannot use. */
export class BadUpdate extends SimError {
  constructor(what: string) {
    super('BAD_SETTING', what)
  }
}
