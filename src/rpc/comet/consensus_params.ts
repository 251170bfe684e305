import type { ConsensusParams } from '../../app/abci.ts'
import type { Chain } from '../../chain/chain.ts'
import { blockAt, resolveHeight } from '../../chain/view.ts'
import { consensusParamsJson } from '../../feed/cometShapes.ts'
import { query } from '../method.ts'
import { failed } from './errors.ts'
import { highestKnown } from './lookup.ts'
import { heightParam } from './params.ts'
import { named, numeral, objectOf } from './results.ts'

export const consensus_params = query({
  name: 'consensus_params',
  summary: 'Returns the consensus parameters at a height (sizes in bytes, durations in nanoseconds).',
  spec: 'comet-rpc.md §1.20',
  params: [heightParam],
  result: objectOf({ block_height: numeral, consensus_params: named('ConsensusParams') }),
  traits: ['cacheableAtHeight'],
  examples: [{ params: ['1'], result: { block_height: '1', consensus_params: '…' } }],
  read: ({ node: { chain } }, [height]) => {
    const resolved = resolveHeight(chain, height, highestKnown(chain))
    const params = paramsAt(chain, resolved)
    if (params === undefined) {
      throw failed(`could not find consensus params for height #${resolved}: value retrieved from db is empty`)
    }
    return { block_height: resolved.toString(), consensus_params: consensusParamsJson(params) }
  },
})

function paramsAt(chain: Chain, height: bigint): ConsensusParams | undefined {
  if (height >= chain.genesis.initialHeight && height === highestKnown(chain)) {
    return chain.consensusParams
  }
  return blockAt(chain, height)?.consensusParams
}
