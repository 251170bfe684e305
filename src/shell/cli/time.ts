import { asking, callControl, print, type ClientOptions } from './client.ts'
import type { Verb } from './verb.ts'

/** `chainstage time`: moves block time forward. */
export const time: Verb = () =>
  asking('time')
    .description('Move block time forward, from the next block on.')
    .argument('<duration>', 'Time to move forward, like 1h30m.')
    .option('--mine', 'Mine a block at the new time now.')
    .action(async (by: string, options: ClientOptions & { mine?: boolean }) => {
      const told = (await callControl(options, 'POST', '/time', { by, mine: options.mine })) as { height: number }
      print(
        told,
        options,
        `block time is ${by} later from block ${options.mine === true ? told.height : told.height + 1} on`,
      )
    })
