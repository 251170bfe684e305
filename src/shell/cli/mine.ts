import { asking, callControl, print, type ClientOptions } from './client.ts'
import { wholeNumber } from './wholeNumber.ts'
import type { Verb } from './verb.ts'

/** `chainstage mine`: mines blocks now. */
export const mine: Verb = () =>
  asking('mine')
    .description('Mine blocks now.')
    .argument('[blocks]', 'Number of blocks.', wholeNumber, 1)
    .option('--interval <duration>', 'Time between the block timestamps, like 12s.')
    .action(async (blocks: number, options: ClientOptions & { interval?: string }) => {
      const { interval } = options
      const told = (await callControl(options, 'POST', '/mine', { blocks, interval })) as { height: number }
      print(told, options, `height ${told.height}`)
    })
