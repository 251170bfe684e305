/**
 * `npm run soak`: mixed traffic for as long as it is told, and the memory in use after garbage was
 * collected, at some points of it.
 */
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { startLocal } from '../helpers/server.ts'
import { traffic } from './traffic.ts'

/** Memory in use, in bytes, and what happened until then. */
export type Sample = {
  readonly seconds: number
  readonly bytes: number
  readonly requests: number
  readonly blocks: number
}

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '2' },
    samples: { type: 'string', default: '10' },
    json: { type: 'boolean', default: false },
  },
})
const [milliseconds, count] = [Number(values.minutes) * 60_000, Number(values.samples)]

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const server = await startLocal({ maxSessions: 20, sessionExpiry: '2s', pruning: 'everything' })
const began = performance.now()
const samples: Sample[] = []
let [round, requests] = [0, 0]
while (samples.length < count) {
  requests += await traffic(server, ++round)
  const elapsed = performance.now() - began
  if (elapsed < ((samples.length + 1) * milliseconds) / count) continue
  collect()
  const { heapUsed, external } = process.memoryUsage()
  const sample: Sample = {
    seconds: Math.round(elapsed / 1000),
    bytes: heapUsed + external,
    requests,
    blocks: Number(server.simulation().node.chain.height),
  }
  samples.push(sample)
  if (!values.json) process.stdout.write(textOf(sample))
}
if (values.json) process.stdout.write(JSON.stringify(samples))
process.exit()

function textOf({ seconds, bytes, requests: sent, blocks }: Sample): string {
  return `${seconds} s: ${(bytes / 1e6).toFixed(1)} MB in use after ${sent} requests and ${blocks} blocks\n`
}
