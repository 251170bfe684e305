/** Blocks of /cosmos.base.tendermint.v1beta1.Service */
import { block as cometBlock, header as cometHeader } from '../../../codec/protobuf/comet.ts'
import { bytes, int64, message, type Message } from '../../../codec/protobuf/message.ts'
import type { FoundBlock, QueryContext } from '../../application.ts'
import { consensusText } from '../modules/slashing/signingInfo.ts'
import { rawMessage } from './answer.ts'
import { invalidArgument, notFound } from './status.ts'

type Method = (context: QueryContext, data: Uint8Array) => Uint8Array

const service = '/cosmos.base.tendermint.v1beta1.Service/'
const ofHeight = message<{ height: bigint }>({ 1: ['height', int64] })
const ofQuery = message<{ data: Uint8Array; path: Uint8Array }>({
  1: ['data', bytes], 2: ['path', bytes],
})
type BlockAnswer = { id: Uint8Array; block: Uint8Array; sdkBlock: Uint8Array }
const blockAnswer: Message<BlockAnswer> = message<BlockAnswer>({
  1: ['id', rawMessage], 2: ['block', rawMessage], 3: ['sdkBlock', rawMessage],
})
type Parts = {
  header: Uint8Array; data: Uint8Array; evidence: Uint8Array; lastCommit: Uint8Array
}
const partsOfBlock = message<Parts>({
  1: ['header', rawMessage], 2: ['data', rawMessage], 3: ['evidence', rawMessage],
  4: ['lastCommit', rawMessage],
})
const proposerOnly = message<{ proposer: Uint8Array }>({ 14: ['proposer', bytes] })

export const blockQueries: Readonly<Record<string, Method>> = {
  [`${service}GetLatestBlock`]: (context) => answer(blockOf(context, context.latestHeight)),
  [`${service}GetBlockByHeight`]: (context, data) => {
    const { height } = ofHeight.decode(data)
    if (height > context.latestHeight) {
      throw invalidArgument('requested block height is bigger then the chain length')
    }
    return answer(blockOf(context, height === 0n ? context.latestHeight : height))
  },
  [`${service}ABCIQuery`]: (_context, data) => {
    const { path } = ofQuery.decode(data)
    if (path.length === 0) throw invalidArgument('empty query path')
    throw invalidArgument('this simulator answers queries by abci_query itself, not inside one')
  },
}

/** Returns the block of a height. Throws when it is not held. */
export function blockOf({ services }: QueryContext, height: bigint): FoundBlock {
  const found = services?.blockAt(height)
  if (found === undefined) throw notFound(`block at height ${height} is not available`)
  return found
}

function answer({ id, block }: FoundBlock): Uint8Array {
  return blockAnswer.encode({ id, block, sdkBlock: sdkBlockOf(block) })
}

/** The SDK's own block names the proposer in text; all else is as CometBFT has it. */
function sdkBlockOf(block: Uint8Array): Uint8Array {
  const header = cometBlock.decode(block).header
  const proposer = new TextEncoder().encode(consensusText(header.proposerAddress))
  const rest = cometHeader.encode({ ...header, proposerAddress: new Uint8Array(0) })
  const spelled = Uint8Array.from([...rest, ...proposerOnly.encode({ proposer })])
  return partsOfBlock.encode({ ...partsOfBlock.decode(block), header: spelled })
}
