/** `chainstage recording update`. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Command } from 'commander'
import { SimError } from '../../errors.ts'
import { updateFolder } from '../recordings/updateFolder.ts'
import { grpcUrlOf, urlOf } from '../recordings/upstream.ts'
import { rangeOf } from './recordingChange.ts'
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

/** Asks a node again for a part of a recording. */
export const update: Verb = (exit) =>
  new Command('update')
    .description(
      'Ask a node again for a part of a recording, or for what a run has missed.\n' +
        'Only what is the same at every moment is asked: calls that name a height or a hash.',
    )
    .argument('<recording>', 'a folder')
    .option('--upstream-comet <url>', 'the node: its CometBFT RPC')
    .option('--upstream-eth <url>', 'the node: its Ethereum JSON-RPC')
    .option('--upstream-rest <url>', 'the node: its REST API')
    .option('--upstream-grpc <address>', 'the node: its gRPC, HOST:PORT')
    .option('--only <methods...>', 'calls of these methods')
    .option('--heights <range>', 'calls that name a height from one to another, as 1200..1210')
    .option('--stale <days>', 'only where it was recorded so long ago, as 30d')
    .option('--from-misses <file>', 'the calls in a report of start, and nothing else')
    .action(async (path: string, options: Options) => {
      if (options.stale !== undefined && (await ageOf(path)) < daysOf(options.stale)) {
        return void process.stdout.write(`${path}: it is not ${options.stale} old\n`)
      }
      const { asked, unanswered, withheld } = await updateFolder(path, {
        upstreams: {
          comet: urlOf('upstream-comet', options.upstreamComet),
          eth: urlOf('upstream-eth', options.upstreamEth),
          ethWs: undefined,
          rest: urlOf('upstream-rest', options.upstreamRest),
          grpc: grpcUrlOf('upstream-grpc', options.upstreamGrpc),
        },
        missed: options.fromMisses === undefined ? undefined : await missesIn(options.fromMisses),
        only: options.only ?? [],
        heights: options.heights === undefined ? undefined : rangeOf(options.heights),
      })
      for (const key of unanswered) warn(`not answered: ${key.slice(0, 300)}`)
      for (const { rule, where } of withheld) warn(`not kept: ${rule} (${where})`)
      process.stdout.write(`${path}: ${asked - unanswered.length - withheld.length} of ${asked} calls answered anew\n`)
      if (unanswered.length + withheld.length > 0) exit(1)
    })

async function missesIn(path: string): Promise<readonly string[]> {
  const { misses } = JSON.parse(await readFile(path, 'utf8')) as { misses?: readonly string[] }
  if (misses === undefined) throw new BadUpdate(`${path} is no report of misses`)
  return misses
}

/** In days. */
async function ageOf(path: string): Promise<number> {
  const { recordedAt } = JSON.parse(await readFile(join(path, 'manifest.json'), 'utf8')) as {
    recordedAt: string
  }
  return (Date.now() - Date.parse(recordedAt)) / 86_400_000
}

function daysOf(text: string): number {
  const found = /^(\d+)d$/.exec(text)
  if (found === null) throw new BadUpdate(`--stale is a number of days as 30d, received ${text}`)
  return Number(found[1])
}

/** What an update was told and is nothing to go by. */
export class BadUpdate extends SimError {
  constructor(what: string) {
    super('BAD_SETTING', what)
  }
}
