import { setTimeout as sleep } from 'node:timers/promises'
import { asking, callControl, CutOff, NotReachable, print, type ClientOptions } from './client.ts'
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
      const told = await (options.undo === true ? asked(options) : askedUntilServed(options))
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

async function asked(options: Options): Promise<Told> {
  return (await callControl(options, 'POST', '/reload', { undo: options.undo === true })) as Told
}

/** Attempts after the first, and the time between them. */
const againMost = 5
const againMs = 200

/**
 * Resolves with the response, also if the chain restarts meanwhile, which closes all connections: the
 * file was just saved, and the watcher took it in first. Reloading once more then changes nothing.
 */
async function askedUntilServed(options: Options): Promise<Told> {
  try {
    return await asked(options)
  } catch (error) {
    if (!(error instanceof CutOff)) throw error
    return askedAgain(options, error)
  }
}

async function askedAgain(options: Options, cut: CutOff): Promise<Told> {
  for (let tries = 0; tries < againMost; tries++) {
    await sleep(againMs)
    try {
      return await asked(options)
    } catch (error) {
      if (!(error instanceof CutOff || error instanceof NotReachable)) throw error
    }
  }
  throw cut
}
