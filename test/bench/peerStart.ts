/** Rows of a start: time to the first answers, and memory when nothing happens. */
import { spawnSync } from 'node:child_process'
import { ask } from './node.ts'
import type { Anvil, Row } from './peers.ts'
import { millisecondsOf, residentMegabytes, startProgram } from './peerNodes.ts'

const rounds = 7

/** Returns the rows; a start is beside one of Node that does nothing. */
export async function startRows(anvil: Anvil): Promise<Row[]> {
  const [ours, empty, theirs]: [number[], number[], number[]] = [[], [], []]
  const [memory, their]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    empty.push(await millisecondsOf(async () => void spawnSync(process.execPath, ['-e', '0'])))
    ours.push(await millisecondsOf(() => startedAndAsked(memory)))
    theirs.push(
      await millisecondsOf(async () => {
        const node = await anvil()
        if (node === undefined) return
        their.push(residentMegabytes(node))
        node.stop()
      }),
    )
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

/** Notes the memory a second after the answers, whose time is not measured. */
async function startedAndAsked(memory: number[]): Promise<void> {
  const node = await startProgram('all')
  const { eth = '', comet = '', rest = '', control = '' } = node.urls
  await Promise.all([
    ask(eth, 'eth_blockNumber'),
    ask(comet, 'status'),
    fetch(`${rest}/cosmos/base/tendermint/v1beta1/node_info`),
    fetch(`${control}/api/status`),
  ])
  setTimeout(() => {
    memory.push(residentMegabytes(node))
    node.stop()
  }, 1000)
}

/** Returns the middle of some figures. */
export function median(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN
}
