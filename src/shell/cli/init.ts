import { Command } from 'commander'
import { writeHome } from '../config/home.ts'
import type { Verb } from './verb.ts'

/** `chainstage init`: the files of a home, every key commented out. */
export const init: Verb = () => new Command('init')
  .description('Write config/config.toml and config/app.toml with every setting, commented out with its default.')
  .requiredOption('--home <folder>', 'where to write')
  .action(async ({ home }: { home: string }) => {
    const paths = await writeHome(home)
    process.stdout.write(`${paths.map((path) => `wrote ${path}`).join('\n')}\nStart with them: chainstage start --home ${home}\n`)
  })
