/** What `run` and `test` run: a scenario on a chain, a scenario over a recording, or a recording. */
import type { Command } from 'commander'
import { SimError } from '../../errors.ts'
import { mergedReports } from '../recordings/modes.ts'
import { freePorts, freePortsWithControl, type Ran, type ToRun } from '../runToEnd.ts'
import { choose } from './options.ts'
import {
  choosePlayback,
  recordFlags,
  recordingChosen,
  writePlaybackReport,
  type PlaybackOptions,
} from './playbackFlags.ts'
import { recordNode, type Addresses } from './recordNode.ts'

/** What a command line says beside its flags. */
export type Operands = {
  /** What stands before `--`, or before the program where there is none. */
  readonly files: readonly string[]
  /** A program and its arguments. */
  readonly program: readonly string[]
}

/**
 * Returns the operands of a command, told apart by the dashes of the command line itself. Throws
 * `NothingToRun` where there is neither a file, nor a program for a recording.
 */
export function operandsOf(operands: readonly string[], { playback }: Pick<PlaybackOptions, 'playback'>): Operands {
  const at = process.argv.indexOf('--')
  const program = at < 0 ? [] : process.argv.slice(at + 1)
  const files = operands.slice(0, operands.length - program.length)
  if (files.length === 0 && (playback === undefined || program.length === 0)) {
    throw new NothingToRun()
  }
  return { files, program }
}

export type RunRequest = {
  readonly program: readonly string[]
  readonly options: PlaybackOptions
  readonly stop: AbortSignal
}

/**
 * Resolves with what to run: a scenario file, over a recording where one is played; or, without a
 * file, a program over the recording alone.
 */
export async function chooseRun(
  command: Command,
  file: string | undefined,
  { program, options, stop }: RunRequest,
): Promise<ToRun> {
  const defaults = program.length > 0 ? freePortsWithControl : freePorts
  const chosen = await choose(command, file, defaults, options.playback)
  const toRun = { ...chosen, command: program, stop }
  const playing = await choosePlayback(options, chosen.scenario?.maxDegraded)
  if (playing === undefined) return toRun
  if (playing.kind === 'record') throw new RecordsAlone(playing.mode)
  const settings = { ...chosen.settings, blocks: 'manual' as const }
  return { ...toRun, settings, playing: playing.opened }
}

/**
 * Resolves with the exit code where a mode of playback records a node while the program runs,
 * undefined where nothing is recorded.
 */
export async function recordInstead(
  command: Command,
  { files, program }: Operands,
  options: PlaybackOptions & { readonly json?: boolean },
): Promise<number | undefined> {
  const recording = await recordingChosen(options)
  if (recording === undefined) return undefined
  if (files.length > 0) throw new RecordsAlone(recording.mode)
  return recordNode({ ...command.opts<Addresses>(), ...recordFlags(options, recording), words: program })
}

/** Writes one report of all the recordings that were played. */
export async function reportPlaybacks(runs: readonly Pick<Ran, 'playback'>[], options: PlaybackOptions): Promise<void> {
  const reports = runs.flatMap(({ playback }) => (playback === undefined ? [] : [playback]))
  if (reports.length > 0) await writePlaybackReport(mergedReports(reports), options)
}

/** A command that needs a scenario, or a recording and a program. */
export class NothingToRun extends SimError {
  constructor() {
    super('NO_SCENARIO', 'expected a scenario file, or --playback with a program after --', {
      hint: 'For example scenarios/slow-node.json5, or --playback snapshots/shop -- npm test.',
    })
  }
}

/** A mode that records a node, and a scenario. */
export class RecordsAlone extends SimError {
  constructor(mode: string) {
    super('BAD_SETTING', `--mode ${mode} records a node, and no scenario is followed meanwhile`, {
      hint: 'Record without a scenario first, then play the recording with --mode strict.',
    })
  }
}
