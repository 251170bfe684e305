/** Finds the ids of another chain, and the block to fork it at. */
import type { ForkPoint } from '../../app/evmd/forkDocument.ts'
import { denom } from '../../app/evmd/genesisDocument.ts'
import { formatTime } from '../../codec/time.ts'
import type { Answer } from '../../node/answer.ts'
import { SimError } from '../../errors.ts'
import { membersOf, type Members } from '../../data/members.ts'
import { parsedJson } from '../../data/parsedJson.ts'
import type { ForkSource } from './source.ts'
import { bech32PrefixOf, supplyOf } from './stores.ts'
import { NotRecorded } from './unanswered.ts'

/** The other chain; `chainId` comes from CometBFT RPC, if the source has it. */
export type ForkOrigin = {
  readonly point: ForkPoint
  /** The block on Ethereum JSON-RPC. On Cosmos EVM its state root is the app hash in its header. */
  readonly block: Members
  /** The signed header of the block from CometBFT RPC; undefined if the other chain does not tell it. */
  readonly signed: Members | undefined
  readonly evmChainId: number
  readonly chainId: string | undefined
  /** The prefix of Cosmos addresses; undefined if the other chain does not tell it. */
  readonly bech32Prefix: string | undefined
}

/**
 * Resolves with the block at a height, or the latest block. Rejects with `NoForkPoint` or an error
 * of `source.ts`.
 */
export async function originOf(source: ForkSource, wanted: bigint | undefined): Promise<ForkOrigin> {
  if (!source.has('eth')) throw new NoForkPoint('the URL of its Ethereum JSON-RPC is missing')
  const evmChainId = Number(await numberAnswer(source, 'eth_chainId'))
  const height = wanted ?? (await numberAnswer(source, 'eth_blockNumber'))
  const block = await blockAt(source, height)
  const hasComet = source.has('comet')
  const chainId = hasComet ? await networkOf(source) : undefined
  const signed = hasComet ? await signedAt(source, height).catch(orNothing) : undefined
  const supply = hasComet ? await supplyOf(source, height, denom).catch(orNothing) : undefined
  const bech32Prefix = hasComet ? await bech32PrefixOf(source, height).catch(orNothing) : undefined
  return {
    point: { ...pointOf(height, block), parts: partsIn(signed), supply },
    ...{ block, signed, evmChainId, chainId, bech32Prefix },
  }
}

/** Returns undefined for what a recording lacks. Throws any other error. */
function orNothing(error: unknown): undefined {
  if (!(error instanceof NotRecorded)) throw error
}

function pointOf(height: bigint, block: Members): Omit<ForkPoint, 'parts' | 'supply'> {
  const gasLimit = BigInt(String(block['gasLimit'] ?? '0x0'))
  // One second later, because block time must increase.
  const seconds = BigInt(String(block['timestamp'])) + 1n
  return {
    height,
    hash: String(block['hash']).slice(2),
    time: formatTime({ seconds, nanos: 0 }),
    baseFee: BigInt(String(block['baseFeePerGas'] ?? '0x0')),
    // A chain without a gas limit reports 0 or the largest possible number.
    maxGas: gasLimit === 0n || gasLimit >= 0xffff_ffffn ? -1n : gasLimit,
  }
}

async function numberAnswer(source: ForkSource, method: string): Promise<bigint> {
  const answer = await asked(source, method)
  const value = numberIn(answer)
  if (value === undefined) throw new NoForkPoint(`unexpected response to ${method}: ${JSON.stringify(answer)}`)
  return value
}

/** Resolves with the number that a method returns; undefined if it returns anything else. */
export async function askedNumber(source: ForkSource, method: string): Promise<bigint | undefined> {
  return numberIn(await asked(source, method))
}

const asked = (source: ForkSource, method: string): Promise<Answer> =>
  source.ask({ side: 'eth', method, params: { form: 'json', text: '[]' } })

function numberIn(answer: Answer): bigint | undefined {
  const value = answer.ok === true ? parsedJson(answer.text) : undefined
  return typeof value === 'string' && /^0x[\da-f]+$/i.test(value) ? BigInt(value) : undefined
}

async function blockAt(source: ForkSource, height: bigint): Promise<Members> {
  const block = await blockIn(source, height)
  if (block === undefined) throw await noBlock(source, height)
  return block
}

/** Resolves with the block at a height as Ethereum JSON-RPC shows it; undefined if the other chain has none. */
export async function blockIn(source: ForkSource, height: bigint): Promise<Members | undefined> {
  const params = {
    form: 'json',
    text: JSON.stringify([`0x${height.toString(16)}`, false]),
  } as const
  const answer = await source.ask({ side: 'eth', method: 'eth_getBlockByNumber', params })
  const block = answer.ok === true ? membersOf(JSON.parse(answer.text)) : {}
  return typeof block['hash'] === 'string' ? block : undefined
}

async function noBlock(source: ForkSource, height: bigint): Promise<NoForkPoint> {
  const newest = await numberAnswer(source, 'eth_blockNumber').catch(() => undefined)
  if (newest === undefined) return new NoForkPoint(`it has no block ${height}`, 'Choose another height.')
  return new NoForkPoint(
    `it has no block ${height}; its newest is ${newest}`,
    height > newest
      ? `Choose a height of at most ${newest}, or leave the height out.`
      : 'A pruning node only has recent blocks: choose a later height, or fork an archive node.',
  )
}

async function signedAt(source: ForkSource, height: bigint): Promise<Members | undefined> {
  const params = { form: 'json', text: JSON.stringify({ height: String(height) }) } as const
  const answer = await source.ask({ side: 'comet', method: 'commit', params })
  return answer.ok === true ? membersOf(membersOf(parsedJson(answer.text))['signed_header']) : undefined
}

function partsIn(signed: Members | undefined): ForkPoint['parts'] {
  const { total, hash } = membersOf(membersOf(membersOf(signed?.['commit'])['block_id'])['parts'])
  return typeof total === 'number' && typeof hash === 'string' ? { total, hash } : undefined
}

async function networkOf(source: ForkSource): Promise<string | undefined> {
  const answer = await source.ask({ side: 'comet', method: 'status', params: { form: 'json', text: '{}' } })
  const status = answer.ok === true ? membersOf(JSON.parse(answer.text)) : {}
  const network = membersOf(status['node_info'])['network']
  return typeof network === 'string' ? network : undefined
}

/** The chain cannot be forked. */
export class NoForkPoint extends SimError {
  constructor(
    why: string,
    hint = 'Set --fork to the URL of its Ethereum JSON-RPC; a second --fork sets its CometBFT RPC.',
  ) {
    super('NO_FORK_POINT', `cannot fork the chain: ${why}`, { hint })
  }
}
