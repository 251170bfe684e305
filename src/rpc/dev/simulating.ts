/**
 * Simulates messages in sequence, each on the state after the one before: `eth_simulateV1` of the
 * execution APIs and `eth_callMany` of Erigon. The node has neither (`peers.md` §2.1).
 */
import type { BlockOverride } from '../../app/ethereumView.ts'
import { txArgs, type TxArgs } from '../../app/txArgs.ts'
import { blockNumberOrHash, type BlockRef } from '../../codec/blockRef.ts'
import { array, object, optional, type Codec } from '../../codec/codec.ts'
import type { Json } from '../../codec/goJson.ts'
import type { PlainObject } from '../../codec/goJsonWrite.ts'
import { hexOf } from '../../codec/hex.ts'
import { callOf } from '../eth/calls.ts'
import { aboveHead, invalidParams } from '../eth/errors.ts'
import { ethereumOf, stateOfRef } from '../eth/lookup.ts'
import { blockOverride, rawOverrides, stateOverrides } from '../eth/overrides.ts'
import { latest, stateParam } from '../eth/params.ts'
import { owner } from '../exampleCalls.ts'
import { inRole, param, type Context, type Method } from '../method.ts'
import { question } from './control.ts'
import { whole } from './integers.ts'
import { errorOf, simulate, simulated } from './simulatedBlocks.ts'

type Bundle = {
  readonly transactions: readonly TxArgs[]
  readonly blockOverride: BlockOverride | undefined
}

const bundle: Codec<Bundle> = object<Bundle>(
  {
    transactions: array(txArgs, '[]TransactionArgs'),
    blockOverride,
  },
  { goType: 'Bundle' },
)

type BundlePlace = {
  readonly blockNumber: BlockRef | undefined
  readonly transactionIndex: bigint | undefined
}

const place: Codec<BundlePlace> = object<BundlePlace>(
  {
    blockNumber: optional(blockNumberOrHash),
    transactionIndex: optional(whole('transactions')),
  },
  { goType: 'StateContext' },
)

export const simulating: readonly Method[] = [
  ...question({
    names: ['eth_simulateV1'],
    summary: 'Executes calls in simulated blocks, one after another, without changing the state.',
    params: [param('options', simulated), stateParam],
    examples: [[{ blockStateCalls: [{ calls: [{ from: owner, to: owner }] }] }, 'latest']],
    read: simulate,
  }),
  ...question({
    names: ['eth_callMany'],
    summary: 'Executes bundles of calls, one after another, and returns the output of each without changing the state.',
    params: [
      param('bundles', array(bundle, '[]Bundle')),
      inRole('state', param('context', optional(place), undefined)),
      param('overrides', rawOverrides, undefined),
    ],
    examples: [[[{ transactions: [{ from: owner, to: owner }] }], { blockNumber: 'latest' }]],
    read: callMany,
  }),
]

type Many = readonly [readonly Bundle[], BundlePlace | undefined, Json | undefined]

function callMany(context: Context, [bundles, where, given]: Many): readonly (readonly PlainObject[])[] {
  if (where?.transactionIndex !== undefined) {
    throw invalidParams('expected no transactionIndex: chainstage executes bundles only at the end of a block')
  }
  const state = stateOfRef(context, where?.blockNumber ?? latest, aboveHead.header)
  const overrides = stateOverrides(given)
  const blocks = bundles.map(({ transactions, blockOverride: override }, index) => ({
    overrides: index === 0 ? overrides : [],
    calls: transactions.map((args) => callOf(context, state, { args, blockOverride: override })),
  }))
  return ethereumOf(context)
    .series(state, blocks)
    .map(({ results }) =>
      results.map((one) =>
        one.status === 'success' ? { value: hexOf(one.output) } : { error: String(errorOf(one)['message']) },
      ),
    )
}
