/**
 * `npm run soak`: mixed traffic for as long as it is told, with a pause in milliseconds after each
 * round, and the memory in use after garbage was collected, at some points of it.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { memoryInUse } from '../helpers/memoryInUse.ts'
import { startPruning } from '../helpers/server.ts'
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
    pause: { type: 'string', default: '0' },
    json: { type: 'boolean', default: false },
  },
})
const [milliseconds, count] = [Number(values.minutes) * 60_000, Number(values.samples)]
const pauseMs = Number(values.pause)

// Everything but the chain may not grow, so the chain keeps the same number of blocks and no index.
const server = await startPruning(300, {
  maxSessions: 20,
  sessionExpiry: '2s',
  pruning: 'everything',
  indexer: 'null',
})
const began = performance.now()
const samples: Sample[] = []
let [round, requests] = [0, 0]
while (samples.length < count) {
  requests += await traffic(server, ++round)
  if (pauseMs > 0) await sleep(pauseMs)
  const elapsed = performance.now() - began
  if (elapsed < ((samples.length + 1) * milliseconds) / count) continue
  const sample: Sample = {
    seconds: Math.round(elapsed / 1000),
    bytes: await memoryInUse(),
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
