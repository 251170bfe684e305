import { Command } from 'commander'
import { readFile } from 'node:fs/promises'
import { UnreadableFile } from '../config/home.ts'
import { replayText } from '../replayer.ts'
import type { Verb } from './verb.ts'

/** `chainstage replay`: the inputs of a recording again, every output compared. */
export const replay: Verb = (exit) => new Command('replay')
  .description('Run the inputs of a recording again and compare every output; exit code 0 the same, 5 different.')
  .argument('<recording>', 'a file that chainstage record wrote')
  .action(async (path: string) => {
    const text = await readFile(path, 'utf8').catch((error: unknown) => { throw new UnreadableFile(path, error) })
    const { count, difference } = replayText(text)
    if (difference === undefined) {
      process.stdout.write(`${path}: ${count} inputs, every output the same\n`)
      return
    }
    const { line, seq, what, recorded, replayed } = difference
    process.stdout.write(`${path}:${line}: input ${seq}: ${what} differs\n  recorded  ${recorded}\n  replayed  ${replayed}\n`)
    exit(5)
  })
