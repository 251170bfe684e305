import { Command } from 'commander'
import { readFile } from 'node:fs/promises'
import type { Difference } from '../../recording/replay.ts'
import { UnreadableFile } from '../config/home.ts'
import { replayText } from '../replayer.ts'
import type { Verb } from './verb.ts'

/** `chainstage replay`: the inputs of a recording again, every output compared. */
export const replay: Verb = (exit) => new Command('replay')
  .summary('Run a recording again and compare every output.')
  .description('Run the inputs of a recording again and compare every output;\n'
    + 'exit code 0 the same, 5 different.')
  .argument('<recording>', 'a file that chainstage record wrote')
  .option('--json', 'print what was found as JSON')
  .action(async (path: string, { json: isJson }: { json?: boolean }) => {
    const text = await readFile(path, 'utf8')
      .catch((error: unknown) => { throw new UnreadableFile(path, error) })
    const { count, difference } = replayText(text)
    process.stdout.write(`${isJson === true
      ? JSON.stringify({ file: path, inputs: count, difference: difference ?? null })
      : replayReport(path, count, difference)}\n`)
    if (difference !== undefined) exit(5)
  })

function replayReport(path: string, count: number, difference: Difference | undefined): string {
  if (difference === undefined) return `${path}: ${count} inputs, every output the same`
  const { line, seq, what, recorded, replayed } = difference
  return `${path}:${line}: input ${seq}: ${what} differs\n  recorded  ${recorded}\n  replayed  ${replayed}`
}
