import type { BlockRecord } from '../../chain/block.ts'
import { blockAt, resolveHeight } from '../../chain/view.ts'
import { base64Of } from '../../codec/base64.ts'
import { writeJson, type Plain } from '../../codec/goJsonWrite.ts'
import { eventJson, paramUpdatesJson, validatorUpdateJson } from '../../feed/cometShapes.ts'
import { keptText, listText } from '../keptText.ts'
import { query } from '../method.ts'
import { JsonText } from '../result.ts'
import { failed } from './errors.ts'
import { txResultText } from './lookup.ts'
import { heightParam } from './params.ts'
import { base64Text, arraySchema, named, nullable, numeral, objectOf } from './results.ts'

export const block_results = query({
  name: 'block_results',
  summary: "Returns the application's results for a block and the app hash after it.",
  spec: 'comet-rpc.md §1.13',
  params: [heightParam],
  result: objectOf({
    height: numeral,
    txs_results: nullable(arraySchema(named('ExecTxResult'))),
    finalize_block_events: nullable(arraySchema(named('Event'))),
    validator_updates: nullable(arraySchema(named('ValidatorUpdate'))),
    consensus_param_updates: nullable(named('ConsensusParams')),
    app_hash: base64Text,
  }),
  traits: ['cacheableAtHeight', 'aboutHead', 'ofBlock', 'showsTxs'],
  examples: [{ params: [null], result: '…' }],
  read: ({ node: { chain, settings } }, [height]) => {
    const resolved = resolveHeight(chain, height)
    if (settings.discardAbciResponses) {
      throw failed('node is not persisting finalize block responses')
    }
    const record = blockAt(chain, resolved)
    if (record === undefined) throw failed(`could not find results for height #${resolved}`)
    return keptText(record, 'block_results', () => resultsOf(record))
  },
})

function resultsOf({ block, results }: BlockRecord): JsonText {
  const { txResults, events, validatorUpdates, consensusParamUpdates, appHash } = results
  const rest = writeJson({
    finalize_block_events: listOrNull(events, eventJson),
    validator_updates: listOrNull(validatorUpdates, validatorUpdateJson),
    consensus_param_updates: consensusParamUpdates === undefined ? null : paramUpdatesJson(consensusParamUpdates),
    app_hash: base64Of(appHash),
  })
  const all = txResults.length === 0 ? 'null' : listText(txResults.map(txResultText))
  return new JsonText(`{"height":"${block.header.height}","txs_results":${all},${rest.slice(1)}`)
}

/** The node stores results as protobuf, which does not distinguish an empty list from none. */
function listOrNull<Item>(items: readonly Item[], shape: (item: Item) => Plain): Plain {
  return items.length === 0 ? null : items.map(shape)
}
