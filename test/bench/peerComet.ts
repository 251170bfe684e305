/**
 * Rows of CometBFT RPC. No real node runs here: its figures are of the issue that asked for these
 * rows, two cores of another machine, so their ratios are rough.
 */
import { callOf, getOf, load } from './load.ts'
import { ask, askAll } from './node.ts'
import type { Anvil, Row } from './peers.ts'
import { startProgram } from './peerNodes.ts'
import { transfers } from './peerWork.ts'

const [connections, milliseconds, transactions] = [16, 1200, 600]

/** Returns the rows, on a chain with a block of 600 transfers. */
export async function cometRows(_: Anvil): Promise<Row[]> {
  const node = await startProgram(['eth', 'comet'])
  const { eth = '', comet = '' } = node.urls
  try {
    await ask(eth, 'evm_setAutomine', false)
    const raws = await transfers(transactions, 0)
    await askAll(
      eth,
      raws.map((raw) => ['eth_sendRawTransaction', raw]),
    )
    await ask(eth, 'evm_mine')
    const height = String(Number(await ask(eth, 'eth_blockNumber')))
    const { txs } = (await ask(comet, 'tx_search', { query: `tx.height=${height}`, per_page: '1' })) as {
      txs: { hash: string }[]
    }
    const post = (method: string, params: unknown) => callOf(comet, method, params)
    const rows: readonly (readonly [string, Buffer, number, number])[] = [
      ['GET status', getOf(comet, '/status'), 25_000, 1],
      ['POST validators', post('validators', {}), 33_000, 1],
      ['POST commit', post('commit', { height: '1' }), 24_000, 1],
      ['POST block', post('block', { height: '1' }), 5400, 3],
      ['GET tx', getOf(comet, `/tx?hash=0x${txs[0]?.hash}`), 5500, 3],
      ['block_results of 600 transactions', post('block_results', { height }), 99, 20],
      ['tx_search of 600 transactions', post('tx_search', { query: `tx.height=${height}`, per_page: '30' }), 225, 20],
    ]
    const shown: Row[] = []
    for (const [name, request, theirs, atLeast] of rows) {
      const run = () => load({ url: comet, pid: node.process.pid, requests: [request], connections, milliseconds })
      await run()
      const { perSecond, micros } = await run()
      shown.push({
        name: `${name}, ${connections} at a time`,
        unit: '/s',
        ours: perSecond,
        theirs,
        peer: 'real node',
        atLeast,
        micros,
      })
    }
    return shown
  } finally {
    node.stop()
  }
}
