import type { BlockRecord } from '../../chain/block.ts'
import type { Chain } from '../../chain/chain.ts'
import { latestBlock, blockAt } from '../../chain/view.ts'
import { upperHexOf } from '../../codec/comet.ts'
import { writeJson, type PlainObject } from '../../codec/goJsonWrite.ts'
import { formatTime } from '../../codec/time.ts'
import { unlessRefused } from '../../errors.ts'
import type { Settings } from '../../settings/settings.ts'
import { query, type Context } from '../method.ts'
import { JsonText } from '../result.ts'
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
  read: statusText,
})

let last: { readonly chain: Chain; readonly settings: Settings; readonly text: JsonText } | undefined

/** Returns the status; it is written once for each block, because clients ask for it in a loop. */
function statusText(context: Context): JsonText {
  const { chain, settings } = context.node
  if (last?.chain === chain && last.settings === settings) return last.text
  const text = new JsonText(
    writeJson({
      node_info: nodeInfoJson(context),
      sync_info: {
        ...syncInfo('latest', latestBlock(chain)),
        // If its file is damaged, it is missing, as on the node: clients need the rest to connect.
        ...syncInfo(
          'earliest',
          unlessRefused(() => blockAt(chain, chain.history.base)),
        ),
        catching_up: settings.catchingUp,
      },
      validator_info: validatorInfoJson(context),
    }),
  )
  last = { chain, settings, text }
  return text
}

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
