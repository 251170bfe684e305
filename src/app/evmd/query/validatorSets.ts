/** Validator set queries of /cosmos.base.tendermint.v1beta1.Service. */
import { consensusText } from '../address.ts'
import { maxInt64 } from '../../../codec/goIntegers.ts'
import { bytes, int64, message, nested, repeated, text } from '../../../codec/protobuf/message.ts'
import { anyMessage, type StoredAny } from '../wire.ts'
import { ofPage } from './answer.ts'
import { type ChainMethods, type ChainQuery, servicesOf } from './chainMethod.ts'
import { type PageRequest, pageRequest, type PageResponse, pageResponse } from './page.ts'
import { invalidArgument } from './status.ts'

const service = '/cosmos.base.tendermint.v1beta1.Service/'
const ofHeight = message<{ height: bigint; page: PageRequest | undefined }>({
  1: ['height', int64],
  2: ['page', nested(pageRequest)],
})
type Validator = { address: string; key: StoredAny | undefined; power: bigint; priority: bigint }
type Answer = {
  height: bigint
  validators: readonly (Validator | undefined)[]
  page: PageResponse | undefined
}
const answer = message<Answer>({
  1: ['height', int64],
  2: [
    'validators',
    repeated(
      nested(
        message<Validator>({
          1: ['address', text],
          2: ['key', nested(anyMessage)],
          3: ['power', int64],
          4: ['priority', int64],
        }),
      ),
    ),
  ],
  3: ['page', nested(pageResponse)],
})
const ofKey = message<{ key: Uint8Array }>({ 1: ['key', bytes] })

export const validatorSetQueries: ChainMethods = {
  [`${service}GetLatestValidatorSet`]: (context, data) => setOf(context, undefined, ofPage.decode(data).page),
  [`${service}GetValidatorSetByHeight`]: (context, data) => {
    const { height, page } = ofHeight.decode(data)
    if (height > context.latestHeight) {
      throw invalidArgument('requested block height is bigger then the chain length')
    }
    return setOf(context, height, page)
  },
}

function setOf(context: ChainQuery, wanted: bigint | undefined, page: PageRequest | undefined): Uint8Array {
  const limit = page === undefined || page.limit === 0n ? 100n : page.limit
  // The node reads both as signed numbers.
  if ((page?.offset ?? 0n) > maxInt64) throw invalidArgument('offset must greater than 0')
  if (limit > maxInt64) throw invalidArgument('limit must greater than 0')
  const { height, total, validators } = servicesOf(context).validatorsAt(wanted, {
    page: (page?.offset ?? 0n) / limit + 1n,
    limit,
  })
  return answer.encode({
    height,
    page: { nextKey: new Uint8Array(0), total: BigInt(total) },
    validators: validators.map(({ address, publicKey, power, priority }) => ({
      address: consensusText(context, address),
      power,
      priority,
      key: { typeUrl: '/cosmos.crypto.ed25519.PubKey', value: ofKey.encode({ key: publicKey }) },
    })),
  })
}
