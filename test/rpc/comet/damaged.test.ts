import test from 'ava'
import type { Output } from '../../../src/node/output.ts'
import { damagedChain } from '../../helpers/damagedHistory.ts'

const bodyOf = ([output]: readonly Output[]) =>
  JSON.parse(output?.kind === 'reply' ? output.body : '') as {
    result?: { sync_info: Record<string, unknown> }
    error?: { data: string }
  }

test('status is served when the earliest block is damaged: clients could not connect without it', (t) => {
  const chain = damagedChain()
  t.is(bodyOf(chain.comet('block', { height: '1' })).error?.data, '000001: damaged; restore a copy of it')
  const { result } = bodyOf(chain.comet('status', {}))
  t.like(result?.sync_info, {
    latest_block_height: String(chain.simulation().node.chain.height),
    earliest_block_hash: '',
    earliest_block_height: '0',
  })
})
