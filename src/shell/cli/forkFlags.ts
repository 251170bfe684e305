/** Flags of a forked chain. */
import { allTexts } from '../../data/distinctTexts.ts'
import { Option, type Command } from 'commander'
import type { OpenedFork } from '../fork/openFork.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Simulation } from '../../simulation/turn.ts'
import { unlessStopped } from '../process/stopSignals.ts'
import type { BesideFork } from './besideFork.ts'
import { BadOption } from './options.ts'
import { warn } from './say.ts'

export type ForkOptions = BesideFork & { readonly fork?: readonly string[]; readonly forkHeight?: bigint }

/** Heading of the fork and playback flags in the help. */
export const sources = 'Fork and playback:'

/** Adds the fork flags. */
export function withFork(command: Command): Command {
  return command
    .addOption(
      new Option('--fork <source>', 'Fork a chain: the URL of its Ethereum JSON-RPC, or a recording.')
        .argParser((text: string, before: readonly string[] | undefined) => [...(before ?? []), ...text.split(',')])
        .helpGroup(sources),
    )
    .addOption(forkHeight().helpGroup(sources))
}

/** Returns `--fork-height`. */
export function forkHeight(): Option {
  return new Option(
    '--fork-height <height>',
    'Block to fork at (default: the newest; a saved fork keeps its own).',
  ).argParser((text: string) => {
    if (!/^[1-9]\d{0,17}$/.test(text)) throw new BadOption('--fork-height HEIGHT', text)
    return BigInt(text)
  })
}

/** Rejects with `ForkContradiction` for flags that contradict `--fork`, and for a height without it. */
export async function assertForkFits(options: ForkOptions): Promise<void> {
  const { fork, forkHeight: height } = options
  if (fork === undefined && height === undefined) return
  const { assertNothingReplaced, ForkContradiction } = await import('./besideFork.ts')
  if (fork === undefined) {
    throw new ForkContradiction(
      `expected --fork beside --fork-height, received --fork-height ${height} alone`,
      'Set --fork to the URL of the chain to continue.',
    )
  }
  assertNothingReplaced(options)
}

/** A saved fork to continue, and a request to end the process (`stopRequest`). */
type Opening = { readonly saved?: Simulation | undefined; readonly stop: AbortSignal }

/**
 * Resolves with the fork to start from; undefined without `--fork`. A saved fork continues at its own
 * height, because the other chain has moved on. Rejects with `ForkContradiction` for other chain ids,
 * with the errors of `openFork`, and with `Stopped`: the node may be silent for long.
 */
export async function chooseFork(
  options: ForkOptions,
  settings: Settings,
  { saved, stop }: Opening,
): Promise<OpenedFork | undefined> {
  const { fork: from, forkHeight: chosen } = options
  if (from === undefined) return undefined
  const { openFork } = await import('../fork/openFork.ts')
  const height = chosen ?? saved?.node.chain.genesis.fork?.height
  const opened = await unlessStopped(stop, () => openFork({ from, height }, settings))
  const { assertSameIds } = await import('./besideFork.ts')
  assertSameIds(options, opened.settings)
  return opened
}

/**
 * Prints the requests that a recording of the other chain could not answer. Returns the exit code:
 * 4 if there are any.
 */
export function endFork({ forking }: OpenedFork): number {
  const texts = allTexts(forking.misses)
  for (const text of texts) warn(text)
  return texts.length > 0 ? 4 : 0
}
