/** Information about the node for tools, and the reset to the chain's start. */
import { integerOf } from './integers.ts'
import type { Chain } from '../../chain/chain.ts'
import { ethHashOf } from '../../chain/ethIds.ts'
import { latestBlock } from '../../chain/view.ts'
import { anyJson, object, optional, text, type Codec } from '../../codec/codec.ts'
import type { Json } from '../../codec/goJson.ts'
import type { PlainObject } from '../../codec/goJsonWrite.ts'
import { hexOf, quantityOf } from '../../codec/hex.ts'
import { sha256 } from '../../crypto/hash.ts'
import { concatBytes } from '../../data/bytes.ts'
import { invalidParams } from '../eth/errors.ts'
import { suggestedPrice } from '../eth/fees.ts'
import { chainIdOf, ethereumOf } from '../eth/lookup.ts'
import { param, type Context, type Method } from '../method.ts'
import { control, question, setter } from './control.ts'

type Fork = { readonly jsonRpcUrl: string | undefined; readonly blockNumber: Json | undefined }
type ResetOptions = { readonly forking: Fork | undefined }

const resetOptions: Codec<ResetOptions> = object<ResetOptions>(
  {
    forking: optional(
      object<Fork>({ jsonRpcUrl: optional(text()), blockNumber: optional(anyJson) }, { goType: 'Forking' }),
    ),
  },
  { goType: 'ResetOptions' },
)

export const info: readonly Method[] = [
  ...question({
    names: ['anvil_nodeInfo'],
    summary: 'Returns the state and configuration of the chain.',
    params: [],
    read: nodeInfo,
  }),
  ...question({
    names: ['anvil_metadata', 'hardhat_metadata'],
    summary: 'Returns the version, chain id and latest block; `instanceId` distinguishes runs.',
    params: [],
    read: metadata,
  }),
  ...question({
    names: ['anvil_getGenesisTime'],
    summary: 'Returns the time of the genesis document, in seconds since 1970.',
    params: [],
    read: ({ node }) => Number(node.chain.genesis.time.seconds),
  }),
  ...question({
    names: ['hardhat_getStackTraceFailuresCount'],
    summary: 'Returns 0, because chainstage produces no Solidity stack traces.',
    params: [],
    read: () => 0,
  }),
  ...control({
    names: { hardhat_addCompilationResult: true },
    summary: 'Does nothing, because chainstage does not need the sources of contracts.',
    params: [
      param('solcVersion', optional(anyJson), undefined),
      param('input', optional(anyJson), undefined),
      param('output', optional(anyJson), undefined),
    ],
    examples: [['0.8.24', {}, {}]],
    command: () => ({ type: 'none' }),
  }),
  ...control({
    names: setter('reset'),
    summary: 'Resets the chain to its state after the start.',
    params: [param('options', optional(resetOptions), undefined)],
    examples: [[], [{ forking: { blockNumber: null } }]],
    command: ({ node: { chain } }, [options]) => {
      assertSameFork(chain.genesis.fork?.height, options?.forking)
      return { type: 'reset' }
    },
  }),
]

/** A fork can only be reset to its own fork point. */
function assertSameFork(height: bigint | undefined, wanted: Fork | undefined): void {
  if (wanted?.jsonRpcUrl === undefined) return
  if (height === undefined) {
    throw invalidParams('a running chain cannot become a fork: omit jsonRpcUrl')
  }
  const { blockNumber } = wanted
  const isSame = blockNumber === undefined || blockNumber.type === 'null' || integerOf(blockNumber) === height
  if (!isSame) throw invalidParams(`this chain is a fork at height ${height}; start another chain with --fork-height`)
}

function nodeInfo(context: Context): PlainObject {
  const { chain } = context.node
  const { chainId, fork } = ethereumOf(context).params(chain.app)
  return {
    currentBlockNumber: quantityOf(chain.height),
    currentBlockTimestamp: Number(chain.lastBlockTime.seconds),
    currentBlockHash: hexOf(headHash(chain)),
    hardFork: fork,
    transactionOrder: 'fees',
    environment: {
      baseFee: quantityOf(latestBlock(chain)?.ethereum.baseFee ?? 0n),
      chainId: Number(chainId),
      gasLimit: quantityOf(latestBlock(chain)?.ethereum.gasLimit ?? chain.consensusParams.block.maxGas),
      gasPrice: quantityOf(suggestedPrice(context)),
    },
    forkConfig: { forkUrl: null, forkBlockNumber: forkHeight(chain), forkRetryBackoff: null },
  }
}

function forkHeight({ genesis }: Chain): number | null {
  return genesis.fork === undefined ? null : Number(genesis.fork.height)
}

function metadata(context: Context): PlainObject {
  const { node, world } = context
  const chainId = chainIdOf(context)
  const { fork: forked } = node.chain.genesis
  return {
    clientVersion: `chainstage/v${world.version}`,
    clientSemver: world.version,
    clientCommitSha: null,
    chainId: Number(chainId),
    instanceId: hexOf(instanceId(context)),
    latestBlockNumber: Number(node.chain.height),
    latestBlockHash: hexOf(headHash(node.chain)),
    forkedNetwork:
      forked === undefined
        ? null
        : {
            chainId: Number(chainId),
            forkBlockNumber: Number(forked.height),
            forkBlockHash: hexOf(forked.id.hash),
          },
    snapshots: Object.fromEntries(
      node.checkpoints.map(({ id, chain }) => [id, [Number(chain.height), hexOf(headHash(chain))]]),
    ),
  }
}

function headHash(chain: Chain): Uint8Array {
  const head = latestBlock(chain)
  return head === undefined ? chain.lastBlockId.hash : ethHashOf(head)
}

function instanceId({ node }: Context): Uint8Array {
  return sha256(concatBytes([node.chain.genesis.seed, new TextEncoder().encode(node.chain.genesis.document)]))
}
