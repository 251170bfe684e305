import { Command } from 'commander'
import { show, verify } from './recordingRead.ts'
import type { Verb } from './verb.ts'

/** `chainstage recording`: what can be done with recordings of real nodes. */
export const recording: Verb = (exit) => [show, verify].reduce(
  (command, make) => command.addCommand(make(exit)),
  new Command('recording').enablePositionalOptions().description('Look at, check and change recordings of real nodes.'),
)
