/**
 * Flags that select which scenarios run, how many run in parallel, and how often each is retried.
 */
import { InvalidArgumentError, Option, type Command } from 'commander'
import { wholeNumber } from './wholeNumber.ts'

export type CaseFlags = {
  readonly jobs: number
  readonly retries: number
  readonly shard?: Shard
  readonly bail?: true
}

/** Shard `part` of `parts`, counted from 1. */
export type Shard = { readonly part: number; readonly parts: number }

/** Adds `--jobs`, `--shard`, `--retries` and `--bail`. */
export function withCaseFlags(command: Command): Command {
  return command
    .addOption(new Option('-j, --jobs <count>', 'Number of scenarios to run at a time.').argParser(jobsOf).default(1))
    .addOption(new Option('--shard <part/parts>', 'Run one part of the scenarios, like 1/4.').argParser(shardOf))
    .addOption(
      new Option('--retries <count>', 'How often to repeat a scenario that fails.').argParser(wholeNumber).default(0),
    )
    .option('--bail', 'Skip the remaining scenarios after the first failure.')
}

/**
 * Returns the files of a shard. Every file is in exactly one shard, and shard sizes differ by at
 * most one.
 */
export function inShard(files: readonly string[], shard: Shard | undefined): readonly string[] {
  if (shard === undefined) return files
  return files.filter((_file, index) => index % shard.parts === shard.part - 1)
}

function jobsOf(text: string): number {
  const count = wholeNumber(text)
  if (count < 1 || count > 64) throw new InvalidArgumentError(`expected 1 to 64, received "${text}".`)
  return count
}

function shardOf(text: string): Shard {
  const [, part, parts] = (/^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? []).map(Number)
  if (part === undefined || parts === undefined || part < 1 || part > parts) {
    throw new InvalidArgumentError(`expected a part and the number of parts, like 1/4, received "${text}".`)
  }
  return { part, parts }
}
