import type { SavedCheckpoint } from '../savedCheckpoints.ts'
import { asking, callControl, print, type ClientOptions } from './client.ts'
import type { Verb } from './verb.ts'

type Told = { readonly name: string; readonly path: string; readonly height: number }

/** `chainstage checkpoint`: takes a checkpoint, in memory or in a file. */
export const checkpoint: Verb = () => {
  const command = asking('checkpoint')
    .description(
      'Take a checkpoint of the chain and print its id. chainstage restore returns to it.\n' +
        'The subcommands keep whole nodes in named files, which can be loaded any number of times.',
    )
    .action(async (options: ClientOptions) => {
      const told = (await callControl(options, 'POST', '/checkpoint', {})) as { id: string }
      print(told, options, told.id)
    })
  command.addCommand(
    asking('save')
      .description('Save the whole node under a name.')
      .argument('<name>', 'Name of the saved node.')
      .action(async (name: string, options: ClientOptions) => {
        const told = (await callControl(options, 'POST', '/checkpoints/saved', { name })) as Told
        print(told, options, `${told.name} holds height ${told.height}: ${told.path}`)
      }),
  )
  command.addCommand(
    asking('load')
      .description('Replace the node with a saved one.')
      .argument('<name>', 'Name of the saved node.')
      .action(async (name: string, options: ClientOptions) => {
        const told = (await callControl(options, 'POST', '/checkpoints/load', { name })) as Told
        print(told, options, `at height ${told.height}, as ${told.name} was saved`)
      }),
  )
  command.addCommand(
    asking('list')
      .description('List saved nodes.')
      .action(async (options: ClientOptions) => {
        const told = (await callControl(options, 'GET', '/checkpoints/saved')) as readonly SavedCheckpoint[]
        print(told, options, told.length === 0 ? 'nothing is saved' : told.map(lineOf).join('\n'))
      }),
  )
  return command
}

function lineOf(one: SavedCheckpoint): string {
  return 'problem' in one
    ? `${one.name}  ${one.problem}`
    : `${one.name}  chain ${one.chainId}  height ${one.height}  by chainstage ${one.version}`
}
