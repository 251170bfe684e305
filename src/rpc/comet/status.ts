import type { BlockRecord } from '../../chain/block.ts'
import { latestBlock, blockAt } from '../../chain/view.ts'
import { upperHexOf } from '../../codec/comet.ts'
import type { PlainObject } from '../../codec/goJsonWrite.ts'
import { formatTime } from '../../codec/time.ts'
import { query } from '../method.ts'
import { nodeInfoJson, validatorInfoJson } from './identity.ts'
import { named, objectOf } from './results.ts'

export const status = query({
  name: 'status',
  summary: 'Returns the identity of the node, its latest and earliest block, and its validator.',
  spec: 'comet-rpc.md §1.5',
  params: [],
  result: objectOf({
    node_info: named('NodeInfo'),
    sync_info: named('SyncInfo'),
    validator_info: named('ValidatorInfo'),
  }),
  traits: ['aboutHead'],
  examples: [{ params: [], result: { node_info: '…', sync_info: '…', validator_info: '…' } }],
  read: (context) => {
    const { chain, settings } = context.node
    return {
      node_info: nodeInfoJson(context),
      sync_info: {
        ...syncInfo('latest', latestBlock(chain)),
        ...syncInfo('earliest', blockAt(chain, chain.history.base)),
        catching_up: settings.catchingUp,
      },
      validator_info: validatorInfoJson(context),
    }
  },
})

/** The app hash is the header's: that of the state before the block. */
function syncInfo(which: 'latest' | 'earliest', record: BlockRecord | undefined): PlainObject {
  const header = record?.block.header
  return {
    [`${which}_block_hash`]: record === undefined ? '' : upperHexOf(record.id.hash),
    [`${which}_app_hash`]: header === undefined ? '' : upperHexOf(header.appHash),
    [`${which}_block_height`]: (header?.height ?? 0n).toString(),
    [`${which}_block_time`]: formatTime(header?.time ?? { seconds: 0n, nanos: 0 }),
  }
}
