/** Rows of a start: time to the first answers, and memory when nothing happens. */
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { median } from '../helpers/median.ts'
import { ask, type Node } from './node.ts'
import type { Anvil, Row } from './peers.ts'
import { millisecondsOf, residentMegabytes, startProgram } from './peerNodes.ts'

const rounds = 7

/** Returns the rows; a start is beside one of Node that does nothing. */
export async function startRows(anvil: Anvil): Promise<Row[]> {
  const [ours, empty, theirs]: [number[], number[], number[]] = [[], [], []]
  const [memory, their]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    empty.push(await millisecondsOf(async () => void spawnSync(process.execPath, ['-e', '0'])))
    await idle(await timed(ours, startedAndAsked), memory)
    const node = await timed(theirs, () => anvil())
    if (node !== undefined) await idle(node, their)
  }
  const hasAnvil = their.length > 0
  return [
    {
      name: 'start to first answer on all interfaces',
      unit: 'ms',
      ours: median(ours),
      theirs: median(empty),
      peer: 'node -e 0',
      atMost: 4,
    },
    ...(hasAnvil
      ? [
          {
            name: 'the same, beside Anvil',
            unit: 'ms',
            ours: median(ours),
            theirs: median(theirs),
            limit: median(empty) * 4,
          },
        ]
      : []),
    { name: 'idle memory', unit: 'MB', ours: median(memory), theirs: hasAnvil ? median(their) : undefined, limit: 75 },
  ]
}

async function timed<Value>(figures: number[], act: () => Promise<Value>): Promise<Value> {
  const started = performance.now()
  const value = await act()
  figures.push(performance.now() - started)
  return value
}

/** Notes the memory of a server that has had nothing to do for a second, and ends it: nothing else runs meanwhile. */
async function idle(node: Node, memory: number[]): Promise<void> {
  await setTimeout(1000)
  memory.push(residentMegabytes(node))
  const ended = once(node.process, 'exit')
  node.stop()
  await ended
}

async function startedAndAsked(): Promise<Node> {
  const node = await startProgram('all')
  const { eth = '', comet = '', rest = '', control = '' } = node.urls
  await Promise.all([
    ask(eth, 'eth_blockNumber'),
    ask(comet, 'status'),
    fetch(`${rest}/cosmos/base/tendermint/v1beta1/node_info`),
    fetch(`${control}/api/status`),
  ])
  return node
}
