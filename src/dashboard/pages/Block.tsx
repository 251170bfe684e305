/** One block, as CometBFT RPC and Ethereum JSON-RPC show it. */
import { type PageProps, linkTo } from '../core/router.ts'
import { gwei, moment, number, percent } from '../core/format.ts'
import { height as top } from '../core/live.ts'
import type { FullBlock } from '../core/shapes.ts'
import { useData } from '../core/useData.ts'
import { Copy, Fields, Folded, Pending } from '../parts/basics.tsx'
import { TxTable } from './lists.tsx'

export function Block({ id }: PageProps) {
  const { data: block, error } = useData<FullBlock>(`/blocks/${encodeURIComponent(id)}`, false)
  if (block === undefined) return <Pending error={error} />
  const { height } = block
  return (
    <>
      <nav class="pager" aria-label="Adjacent blocks">
        {height > 1 ? (
          <a class="button" href={linkTo('block', String(height - 1))}>
            ← {number(height - 1)}
          </a>
        ) : null}
        {height < top.value ? (
          <a class="button" href={linkTo('block', String(height + 1))}>
            {number(height + 1)} →
          </a>
        ) : null}
      </nav>
      <div class="card">
        <Fields
          pairs={[
            ['Time', `${moment(block.time)} UTC`],
            [
              'Hash',
              <span class="mono break">
                0x{block.hash.toLowerCase()} <Copy text={`0x${block.hash.toLowerCase()}`} what="the block hash" />
              </span>,
            ],
            ['Confirmations', number(Math.max(top.value - height, 0))],
            ['Proposer', <span class="mono break">{block.proposer}</span>],
            ['App hash', <span class="mono break">{block.appHash}</span>],
            [
              'Gas',
              `${number(block.gasUsed)} of ${number(block.gasLimit)} (${percent(block.gasUsed / (block.gasLimit || 1))})`,
            ],
            ['Base fee', block.baseFee === null ? null : `${gwei(block.baseFee)} gwei`],
            ['Size', `${number(block.sizeBytes)} bytes`],
            ['Evidence', block.evidence === 0 ? null : number(block.evidence)],
          ]}
        />
      </div>
      <h2>Transactions</h2>
      <TxTable rows={block.list} empty="No transactions in this block" />
      <h2>Raw</h2>
      <Folded title="Ethereum JSON-RPC: eth_getBlockByNumber" value={block.ethereum} />
      <Folded title="CometBFT RPC: block" value={block.comet} />
      <Folded title="CometBFT RPC: block_results" value={block.results} />
    </>
  )
}
