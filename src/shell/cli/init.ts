import { Command } from 'commander'
import { writeHome } from '../config/home.ts'
import type { Verb } from './verb.ts'

/** `chainstage init`: writes the configuration files of a home, with every key commented out. */
export const init: Verb = () =>
  new Command('init')
    .description('Write config.toml and app.toml with every key commented out.')
    .requiredOption('--home <folder>', 'Folder to write.')
    .option('--json', 'Print as JSON.')
    .action(async ({ home, json }: { home: string; json?: boolean }) => {
      const paths = await writeHome(home)
      process.stdout.write(
        json === true
          ? `${JSON.stringify({ wrote: paths })}\n`
          : `${paths.map((path) => `wrote ${path}`).join('\n')}\nStart with them: chainstage start --home ${home}\n`,
      )
    })
