import { asking, callControl, print, type ClientOptions } from './client.ts'
import type { Verb } from './verb.ts'

/** `chainstage checkpoint`: remembers the chain, and prints the id to go back to it with. */
export const checkpoint: Verb = () => asking('checkpoint')
  .description('Remember a running chain as it is, and print the id that chainstage restore takes.')
  .action(async (options: ClientOptions) => {
    const told = await callControl(options, 'POST', '/checkpoint', {}) as { id: string }
    print(told, options, told.id)
  })
