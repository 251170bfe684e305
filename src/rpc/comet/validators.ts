import type { ValidatorSet } from '../../chain/block.ts'
import type { Chain } from '../../chain/chain.ts'
import { blockAt, resolveHeight } from '../../chain/view.ts'
import { validatorJson } from '../../feed/cometShapes.ts'
import { keptText } from '../keptText.ts'
import { query } from '../method.ts'
import { failed } from './errors.ts'
import { highestKnown } from './lookup.ts'
import { pageBounds } from './paging.ts'
import { heightParam, pageParam, perPageParam } from './params.ts'
import { arraySchema, named, numeral, objectOf } from './results.ts'

export const validators = query({
  name: 'validators',
  summary: 'Returns the validator set at a height, sorted by power, with the proposer priorities at that height.',
  spec: 'comet-rpc.md §1.19',
  params: [heightParam, pageParam, perPageParam],
  result: objectOf({
    block_height: numeral,
    validators: arraySchema(named('Validator')),
    count: numeral,
    total: numeral,
  }),
  traits: ['cacheableAtHeight', 'aboutHead'],
  examples: [
    {
      params: ['1', null, null],
      result: {
        block_height: '1',
        validators: '…',
        count: '1',
        total: '1',
      },
    },
  ],
  read: ({ node: { chain } }, [height, page, perPage]) => {
    const resolved = resolveHeight(chain, height, highestKnown(chain))
    const set = setAt(chain, resolved)
    const { from, to } = pageBounds(page, perPage, set.validators.length)
    return keptText(set, `validators ${resolved} ${from} ${to}`, () => {
      const shown = set.validators.slice(from, to)
      return {
        block_height: resolved.toString(),
        validators: shown.map(validatorJson),
        count: shown.length.toString(),
        total: set.validators.length.toString(),
      }
    })
  },
})

/**
 * Returns the validator set of a height; the next block's is known too. Throws if it is unknown.
 */
export function setAt(chain: Chain, height: bigint): ValidatorSet {
  const isNext = height >= chain.genesis.initialHeight && height === highestKnown(chain)
  const set = isNext ? chain.validators : blockAt(chain, height)?.validators
  if (set === undefined) throw failed(`could not find validator set for height #${height}`)
  return set
}
