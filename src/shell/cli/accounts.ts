import { Command } from 'commander'
import { accountKeys } from '../world.ts'
import { accountsOf } from './banner.ts'
import { choose, withSettings } from './options.ts'
import type { Verb } from './verb.ts'

/** `chainstage accounts`: the funded accounts with their public keys to nowhere. */
export const accounts: Verb = () =>
  withSettings(new Command('accounts'))
    .description('List the funded accounts with their public test keys.')
    .argument('[scenario]', 'a scenario file')
    .option('--json', 'print as JSON')
    .action(async (path: string | undefined, { json }: { json?: boolean }, command: Command) => {
      const { settings } = await choose(command, path)
      const all = accountsOf(accountKeys(settings), settings)
      process.stdout.write(
        json === true
          ? `${JSON.stringify(all, null, 2)}\n`
          : `${all.map((one) => `${one.ethereum}  ${one.cosmos}  ${one.privateKey}`).join('\n')}\n`,
      )
    })
