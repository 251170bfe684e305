import { Argument, Command } from 'commander'
import { SimError } from '../../errors.ts'
import { instanceRecords, stopInstance } from '../instances.ts'
import { wholeNumber } from './wholeNumber.ts'
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
        .addArgument(
          new Argument('[pid]', 'Process id, as instances list prints it (default: all).').argParser(wholeNumber),
        )
        .option('--json', 'Print as JSON.')
        .action(async (pid: number | undefined, { json }: { json?: boolean }) => {
          const wanted = (await instanceRecords()).filter((one) => pid === undefined || one.pid === pid)
          if (pid !== undefined && wanted.length === 0) throw new NoInstance(pid)
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
        }),
    )
}

/** No chain in the background has this process id. */
class NoInstance extends SimError {
  constructor(pid: number) {
    super('NOT_THERE', `there is no chain in the background with the process id ${pid}`, {
      hint: 'chainstage instances lists them.',
    })
  }
}
