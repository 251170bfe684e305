/** Block queries of /cosmos.base.tendermint.v1beta1.Service. */
import { type Addressing, consensusText } from '../address.ts'
import { block as cometBlock, header as cometHeader } from '../../../codec/protobuf/comet.ts'
import { bytes, int64, message, type Message } from '../../../codec/protobuf/message.ts'
import type { FoundBlock } from '../../application.ts'
import { rawMessage } from './answer.ts'
import { type ChainMethods, servicesOf } from './chainMethod.ts'
import { invalidArgument } from './status.ts'

const service = '/cosmos.base.tendermint.v1beta1.Service/'
const ofHeight = message<{ height: bigint }>({ 1: ['height', int64] })
type BlockAnswer = { id: Uint8Array; block: Uint8Array; sdkBlock: Uint8Array }
const blockAnswer: Message<BlockAnswer> = message<BlockAnswer>({
  1: ['id', rawMessage],
  2: ['block', rawMessage],
  3: ['sdkBlock', rawMessage],
})
type Parts = {
  header: Uint8Array
  data: Uint8Array
  evidence: Uint8Array
  lastCommit: Uint8Array
}
const partsOfBlock = message<Parts>({
  1: ['header', rawMessage],
  2: ['data', rawMessage],
  3: ['evidence', rawMessage],
  4: ['lastCommit', rawMessage],
})
const proposerOnly = message<{ proposer: Uint8Array }>({ 14: ['proposer', bytes] })

export const blockQueries: ChainMethods = {
  // A simulated node is always in sync: `syncing` is false, which protobuf omits.
  [`${service}GetSyncing`]: () => new Uint8Array(0),
  [`${service}GetLatestBlock`]: (context) => answer(context, servicesOf(context).blockAt(context.latestHeight)),
  [`${service}GetBlockByHeight`]: (context, data) => {
    const { height } = ofHeight.decode(data)
    if (height > context.latestHeight) {
      throw invalidArgument('requested block height is bigger then the chain length')
    }
    return answer(context, servicesOf(context).blockAt(height))
  },
}

function answer(at: Addressing, { id, block }: FoundBlock): Uint8Array {
  return blockAnswer.encode({ id, block, sdkBlock: sdkBlockOf(at, block) })
}

/**
 * Returns a block in the SDK's form, which names the proposer in bech32. All else is as in
 * CometBFT.
 */
function sdkBlockOf(at: Addressing, block: Uint8Array): Uint8Array {
  const header = cometBlock.decode(block).header
  const proposer = new TextEncoder().encode(consensusText(at, header.proposerAddress))
  const rest = cometHeader.encode({ ...header, proposerAddress: new Uint8Array(0) })
  const spelled = Uint8Array.from([...rest, ...proposerOnly.encode({ proposer })])
  return partsOfBlock.encode({ ...partsOfBlock.decode(block), header: spelled })
}
