import { asking, callControl, print, type ClientOptions } from './client.ts'
import type { Verb } from './verb.ts'

type Options = ClientOptions & { readonly undo?: boolean }
type Told = {
  readonly change: string
  readonly generation: number
  readonly notes: readonly string[]
}

/** `chainstage reload`: the saved scenario of a running chain, now; or the set before it. */
export const reload: Verb = () =>
  asking('reload')
    .description('Reload the scenario now, or undo the last reload.')
    .option('--undo', 'go back; the next save counts again')
    .action(async (options: Options) => {
      const told = (await callControl(options, 'POST', '/reload', { undo: options.undo === true })) as Told
      const what = {
        none: 'nothing has changed',
        live: 'taken in',
        kept: 'taken in, the chain stays as it is',
        restart: 'the chain begins again',
        rebased: 'the chain begins again, and what was entered is entered again',
      }
      const words = Object.entries(what).find(([change]) => change === told.change)?.[1] ?? told.change
      print(told, options, [`${words}; generation ${told.generation}`, ...told.notes].join('\n'))
    })
