import { Command } from 'commander'
import { bring, diff, merge, pack, prune, send, unpack } from './recordingChange.ts'
import { show, verify } from './recordingRead.ts'
import { mergeDriver } from './recordingMerge.ts'
import { update } from './recordingUpdate.ts'
import type { Verb } from './verb.ts'

/** `chainstage recording`: commands for recordings of real nodes. */
export const recording: Verb = (exit) =>
  [show, verify, diff, update, merge, prune, pack, unpack, bring, send, mergeDriver].reduce(
    (command, make) => command.addCommand(make(exit)),
    new Command('recording')
      .enablePositionalOptions()
      .description('Inspect, verify and change recordings of real nodes.'),
  )
