/** What commands are told of a chain to go on from. */
import { Option, type Command } from 'commander'
import { openFork, type OpenedFork } from '../fork/openFork.ts'
import type { Settings } from '../../settings/settings.ts'
import { BadOption } from './options.ts'

export type ForkOptions = { readonly fork?: readonly string[]; readonly forkHeight?: bigint }

/** Adds the flags of a fork. */
export function withFork(command: Command): Command {
  return command
    .addOption(new Option('--fork <where>', 'go on from another chain: the URL of its JSON-RPC (again for its CometBFT RPC), or a recording of level fork')
      .argParser((text: string, before: readonly string[] | undefined) => [...before ?? [], ...text.split(',')]))
    .addOption(forkHeight())
}

/** Returns `--fork-height`. */
export function forkHeight(): Option {
  return new Option('--fork-height <height>', 'the last block of the other chain; its newest without it').argParser((text: string) => {
    if (!/^[1-9]\d{0,17}$/.test(text)) throw new BadOption('--fork-height HEIGHT', text)
    return BigInt(text)
  })
}

/** Resolves with what a server is started with, undefined where nothing is forked. Rejects with `NoForkPoint` and others. */
export async function chooseFork({ fork: from, forkHeight: height }: ForkOptions, settings: Settings): Promise<OpenedFork | undefined> {
  return from === undefined ? undefined : openFork({ from, height }, settings)
}
