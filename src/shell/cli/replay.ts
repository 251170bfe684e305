import { Command } from 'commander'
import { counted } from '../../data/counted.ts'
import { recordingText } from '../recordingText.ts'
import { replayText, type Replayed } from '../replayer.ts'
import { loadScripts } from '../scripts/loading.ts'
import type { Verb } from './verb.ts'

/** `chainstage replay`: replays the inputs of a recording and compares every output. */
export const replay: Verb = (exit) =>
  new Command('replay')
    .summary('Replay a recorded run and compare every output.')
    .description('Run the inputs of a recording again and compare every output.\nExit code 0: the same; 5: different.')
    .argument('<recording>', 'File that chainstage record wrote.')
    .option('--json', 'Print the result as JSON.')
    .action(async (path: string, { json: isJson }: { json?: boolean }) => {
      const text = await recordingText(path)
      // Only traces with JavaScript tracers need the interpreter; they name their tracer.
      if (/tracer/i.test(text)) await loadScripts()
      const replayed = await replayText(text, path)
      const { count, difference, note } = replayed
      process.stdout.write(
        `${
          isJson === true
            ? JSON.stringify({ file: path, inputs: count, difference: difference ?? null, note })
            : replayReport(path, replayed)
        }\n`,
      )
      if (difference !== undefined) exit(5)
    })

function replayReport(path: string, { count, difference, note }: Replayed): string {
  if (difference === undefined) return `${path}: ${counted(count, 'input')}, every output the same`
  const { line, seq, what, recorded, replayed } = difference
  return `${path}:${line}: input ${seq}: ${what} differs\n  recorded  ${recorded}\n  replayed  ${replayed}${note === undefined ? '' : `\n${note}`}`
}
