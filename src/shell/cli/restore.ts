import { asking, callControl, print, type ClientOptions } from './client.ts'
import type { Verb } from './verb.ts'

/** `chainstage restore`: restores a checkpoint. */
export const restore: Verb = () =>
  asking('restore')
    .description('Return to a checkpoint (default: the newest).')
    .argument('[id]', 'Id that chainstage checkpoint printed.')
    .action(async (id: string | undefined, options: ClientOptions) => {
      const told = (await callControl(options, 'POST', '/restore', { id })) as {
        id: string
        height: number
      }
      print(told, options, `back at height ${told.height}`)
    })
