/**
 * Decides what `run` and `test` run: a scenario, a program or both, on a chain, a fork or a recording.
 */
import { basename } from 'node:path'
import type { Command } from 'commander'
import { SimError } from '../../errors.ts'
import { mergedReports } from '../recordings/modes.ts'
import { freePortsFor, type Ran, type ToRun } from '../runToEnd.ts'
import { assertForkFits, chooseFork, type ForkOptions } from './forkFlags.ts'
import { choose } from './options.ts'
import { isBare, usualScenario, type DefinesChain } from './usualScenario.ts'
import type { Alone } from '../scenarios/scenarioFiles.ts'
import {
  choosePlayback,
  recordFlags,
  recordingChosen,
  writePlaybackReport,
  type PlaybackOptions,
} from './playbackFlags.ts'
import { recordNode, type Addresses } from './recordNode.ts'

/** The arguments of a command without its flags. */
export type Operands = {
  /** The arguments before `--`, or before the program if there is no `--`. */
  readonly files: readonly string[]
  /** The program and its arguments. */
  readonly program: readonly string[]
}

/** Splits the operands at the `--` of the command line. */
export function splitOperands(operands: readonly string[]): Operands {
  const at = process.argv.indexOf('--')
  const program = at < 0 ? [] : process.argv.slice(at + 1)
  return { files: operands.slice(0, operands.length - program.length), program }
}

/** Returns the operands of a run. Throws `NothingToRun` for neither a file nor a program. */
export function operandsOf(operands: readonly string[]): Operands {
  const split = splitOperands(operands)
  if (split.files.length === 0 && split.program.length === 0) throw new NothingToRun()
  return split
}

export type RunRequest = {
  readonly program: readonly string[]
  readonly options: PlaybackOptions & ForkOptions & DefinesChain
  readonly stop: AbortSignal
}

/**
 * Resolves with the scenario to run, on a recording with `--playback`, on a fork with `--fork`. Without a
 * file, it is that of the working folder; without one there, the program runs alone. Throws `RecordsAlone`,
 * `SeveralScenarios` and the errors of `chooseFork`.
 */
export async function chooseRun(
  command: Command,
  given: string | undefined,
  { program, options, stop }: RunRequest,
): Promise<ToRun> {
  // As `start` does, so that both have the same chain. A recording has its own.
  const file = given ?? (options.playback === undefined && isBare(options) ? await usualScenario() : undefined)
  const chosen = await choose(command, file, freePortsFor(program), aloneOf(program, options))
  const toRun = { ...chosen, command: program, stop }
  const playing = await choosePlayback(options, chosen.scenario?.maxDegraded)
  if (playing?.kind === 'record') throw new RecordsAlone(playing.mode)
  if (playing !== undefined) {
    return { ...toRun, settings: { ...chosen.settings, blocks: 'manual' }, playing: playing.opened }
  }
  const fork = await chooseFork(options, chosen.settings, { stop })
  if (fork === undefined) return toRun
  const { forking, genesis } = fork
  return { ...toRun, settings: { ...chosen.settings, ...fork.settings }, genesis, forking }
}

/** Returns the names of a run without a scenario: those of its recording, or the start of its program's words. */
export function aloneOf(program: readonly string[], { playback }: PlaybackOptions): Alone {
  if (playback !== undefined) return { file: playback, name: basename(playback) }
  const words = program.join(' ').replace(/\s+/g, ' ')
  const name = words.length > 60 ? `${words.slice(0, 59)}…` : words
  return { file: name, name }
}

/**
 * Records a node while the program runs, if the playback mode says so, and resolves with the exit
 * code. Resolves with undefined if the mode does not record. Throws `RecordsAlone`, and
 * `ForkContradiction` for flags that contradict `--fork`.
 */
export async function recordInstead(
  command: Command,
  { files, program }: Operands,
  options: PlaybackOptions & ForkOptions & { readonly json?: boolean },
): Promise<number | undefined> {
  await assertForkFits(options)
  const recording = await recordingChosen(options)
  if (recording === undefined) return undefined
  if (files.length > 0) throw new RecordsAlone(recording.mode)
  return recordNode({ ...command.opts<Addresses>(), ...recordFlags(options, recording), words: program })
}

/** Writes one report for all recordings that were played. */
export async function reportPlaybacks(runs: readonly Pick<Ran, 'playback'>[], options: PlaybackOptions): Promise<void> {
  const reports = runs.flatMap(({ playback }) => (playback === undefined ? [] : [playback]))
  if (reports.length > 0) await writePlaybackReport(mergedReports(reports), options)
}

/** Thrown when there is neither a scenario nor a program. */
export class NothingToRun extends SimError {
  constructor() {
    super('NO_SCENARIO', 'expected a scenario file, or a program after --', {
      hint: 'For example scenarios/slow-node.json5, or -- npm test.',
    })
  }
}

/** Thrown for a recording mode combined with a scenario. */
export class RecordsAlone extends SimError {
  constructor(mode: string) {
    super('BAD_SETTING', `--mode ${mode} records a node, so it cannot run a scenario`, {
      hint: 'Record without a scenario first, then play the recording with --mode strict.',
    })
  }
}
