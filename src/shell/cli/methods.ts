import { Command } from 'commander'
import { devTable } from '../../rpc/dev/index.ts'
import { cometTable } from '../../rpc/comet/index.ts'
import { ethTable } from '../../rpc/eth/index.ts'
import type { Method } from '../../rpc/method.ts'
import type { Verb } from './verb.ts'

/** `chainstage methods`: lists the RPC methods. */
export const methods: Verb = () =>
  new Command('methods')
    .description('List the RPC methods, or those whose name contains a text.')
    .argument('[text]', 'Part of a method name.')
    .option('--json', 'Print as JSON.')
    .action((part: string | undefined, { json }: { json?: boolean }) => {
      const all = [...cometTable.methods, ...ethTable.methods, ...devTable.methods].filter(({ name }) =>
        name.includes(part ?? ''),
      )
      const text = all.length === 0 ? 'none; chainstage methods lists all of them' : all.map(line).join('\n')
      process.stdout.write(`${json === true ? JSON.stringify(all.map(plain), null, 2) : text}\n`)
    })

function plain({ name, summary, spec, params }: Method) {
  return {
    name,
    summary,
    spec,
    params: params.map((param) => ({ name: param.name, required: param.fallback === undefined })),
  }
}

function line({ name, summary, params }: Method): string {
  return `${name}(${params.map((param) => (param.fallback === undefined ? param.name : `${param.name}?`)).join(', ')})\n    ${summary}`
}
