import { asking, callControl, print, type ClientOptions } from './client.ts'
import type { Verb } from './verb.ts'

type Options = ClientOptions & { readonly undo?: boolean }
type Told = {
  readonly change: string
  readonly generation: number
  readonly notes: readonly string[]
}

/**
 * `chainstage reload`: reloads the scenario of a running chain, or restores the files before the
 * last save.
 */
export const reload: Verb = () =>
  asking('reload')
    .description('Reload the scenario now, or undo the last reload.')
    .option('--undo', 'Return to the files before the last save. The next save reloads again.')
    .action(async (options: Options) => {
      const told = (await callControl(options, 'POST', '/reload', { undo: options.undo === true })) as Told
      const what = {
        none: 'nothing has changed',
        live: 'reloaded',
        kept: 'reloaded; the chain stays as it is',
        restart: 'reloaded; the chain restarted',
        rebased: 'reloaded; the chain restarted and replayed all earlier inputs',
      }
      const words = Object.entries(what).find(([change]) => change === told.change)?.[1] ?? told.change
      print(told, options, [`${words}; generation ${told.generation}`, ...told.notes].join('\n'))
    })
