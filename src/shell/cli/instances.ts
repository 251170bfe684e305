import { Argument, Command, InvalidArgumentError } from 'commander'
import { instanceRecords, stopInstance } from '../instances.ts'
import type { Verb } from './verb.ts'

/** `chainstage instances`: lists the chains started with `--detach`. */
export const instances: Verb = (exit) => {
  const list = async ({ json }: { json?: boolean }) => {
    const all = await instanceRecords()
    if (json === true) return void process.stdout.write(`${JSON.stringify(all)}\n`)
    const lines = all.map(({ pid, scenario, urls, height }) => `${pid}  ${scenario}  height ${height}  ${urls.control}`)
    process.stdout.write(`${lines.join('\n') || 'none; chainstage start --detach starts one'}\n`)
  }
  return new Command('instances')
    .enablePositionalOptions()
    .description('List or stop chains that run in the background.')
    .option('--json', 'Print as JSON.')
    .action(list)
    .addCommand(
      new Command('list')
        .description('List chains that run in the background.')
        .option('--json', 'Print as JSON.')
        .action(list),
    )
    .addCommand(
      new Command('stop')
        .description('Stop one chain by its process id, or all of them.')
        .addArgument(new Argument('[pid]', 'Process id, as instances list prints it (default: all).').argParser(pidOf))
        .option('--json', 'Print as JSON.')
        .action(async (pid: number | undefined, { json }: { json?: boolean }) => {
          const wanted = (await instanceRecords()).filter((one) => pid === undefined || one.pid === pid)
          const codes = await Promise.all(wanted.map(stopInstance))
          const stopped = wanted.map((one) => one.pid)
          for (const [index, { pid: ended, log }] of wanted.entries()) {
            const code = codes[index] ?? 0
            if (code !== 0) process.stderr.write(`${ended} ended with exit code ${code}; see ${log}\n`)
          }
          exit(Math.max(0, ...codes.map((code) => code ?? 0)))
          process.stdout.write(
            json === true ? `${JSON.stringify({ stopped })}\n` : `stopped: ${stopped.join(', ') || 'none'}\n`,
          )
          if (pid !== undefined && stopped.length === 0) exit(1)
        }),
    )
}

function pidOf(text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError(`expected the number of a process, received "${text}".`)
}
