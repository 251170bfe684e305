/**
 * A page that is opened later than the others: the last blocks of both interfaces, by the head it
 * finds.
 */
import { plain, sleep, type Where } from './stage.ts'

export async function lateExplorer({ comet, eth }: Where): Promise<unknown> {
  const get = async (path: string) => ((await (await fetch(comet + path)).json()) as { result: never }).result
  const call = async (method: string, params: readonly unknown[]) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const response = await fetch(eth, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    return ((await response.json()) as { result: { hash: string; transactions: unknown[] } }).result
  }
  const {
    sync_info: { latest_block_height: last },
  } = (await get('/status')) as {
    sync_info: { latest_block_height: string }
  }
  const { validators } = (await get('/validators?height=1&per_page=7')) as { validators: unknown[] }
  const seen: unknown[] = [last, validators.length]
  for (let height = Math.max(1, Number(last) - 3); height < Number(last); height++) {
    const { block_id: id } = (await get(`/block?height=${height}`)) as { block_id: { hash: string } }
    const { txs_results: results } = (await get(`/block_results?height=${height}`)) as {
      txs_results: unknown[] | null
    }
    const block = await call('eth_getBlockByNumber', [`0x${height.toString(16)}`, true])
    seen.push([id.hash, results?.length ?? 0, block.hash, block.transactions.length])
    await sleep(50)
  }
  return plain(seen)
}
