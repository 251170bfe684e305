/**
 * A program for `memory.test.ts` and `memory.full.test.ts`: serves a chain, has it mine as many empty
 * blocks as it is told in one call, and prints the bytes that are in use before and after, and at most. The third
 * argument is the number of newest blocks that the chain keeps; 0 keeps all.
 */
import { ask } from '../bench/node.ts'
import { memoryInUse } from './memoryInUse.ts'
import { startLocal, startPruning } from './server.ts'

/** What the program prints. `most` is the whole process. */
export type Report = { readonly before: number; readonly after: number; readonly most: number; readonly height: number }

const [first, more, keeps = 0] = process.argv.slice(2).map(Number)
const server = await (keeps === 0 ? startLocal() : startPruning(keeps, { pruning: 'everything', indexer: 'null' }))

await ask(server.urls.eth, 'anvil_mine', `0x${first?.toString(16)}`)
const before = await memoryInUse()
await ask(server.urls.eth, 'anvil_mine', `0x${more?.toString(16)}`)
const after = await memoryInUse()
// Kilobytes on every platform.
const most = process.resourceUsage().maxRSS * 1024
const report: Report = { before, after, most, height: Number(await ask(server.urls.eth, 'eth_blockNumber')) }
process.stdout.write(JSON.stringify(report))
process.exit()
