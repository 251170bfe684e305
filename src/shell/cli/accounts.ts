import { Command } from 'commander'
import { keyringOf } from '../world.ts'
import { accountsOf } from './banner.ts'
import { choose, withSettings } from './options.ts'
import type { Verb } from './verb.ts'

/** `chainstage accounts`: lists the funded accounts with their test keys. */
export const accounts: Verb = () =>
  withSettings(new Command('accounts'))
    .description('List the funded accounts with their public test keys.')
    .argument('[scenario]', 'Scenario file.')
    .option('--json', 'Print as JSON.')
    .action(async (path: string | undefined, { json }: { json?: boolean }, command: Command) => {
      const { settings, genesis } = await choose(command, path)
      const all = accountsOf(keyringOf(settings, genesis), settings)
      process.stdout.write(
        json === true
          ? `${JSON.stringify(all, null, 2)}\n`
          : `${all.map((one) => `${one.ethereum}  ${one.cosmos}  ${one.privateKey}`).join('\n')}\n`,
      )
    })
