/** The properties of a chain that a wallet needs, read from its state. */
import { storeQueryContext } from '../../node/latestQuery.ts'
import { readLacking } from '../../app/forked.ts'
import { latestBlock } from '../../chain/view.ts'
import { codecOf } from '../../codec/schema/codecs.ts'
import { QueryDenomMetadataRequest, QueryDenomMetadataResponse } from '../../codec/messages/cosmos.ts'
import type { EvmParams } from '../../app/ethereumView.ts'
import { isExpected, SimError } from '../../errors.ts'
import type { World } from '../../node/world.ts'
import type { Simulation } from '../../simulation/turn.ts'

/** A running chain, or one that is not started. */
/** `session` is '' or left out for the main chain. */
export type FactSource = { readonly world: World; readonly simulation: () => Simulation; readonly session?: string }

/** A coin. `base` is its denomination on the chain; 1 `symbol` is 10^`decimals` `base`. */
export type Coin = {
  readonly base: string
  readonly symbol: string
  readonly name: string
  readonly decimals: number
}

/** The chain's properties; prices are in the base denomination per gas. */
export type ChainFacts = {
  readonly chainId: string
  readonly evmChainId: number
  /** The prefix of account addresses. */
  readonly bech32Prefix: string
  /** The coin that pays for gas. */
  readonly coin: Coin
  readonly stakeCoin: Coin
  readonly gasPrices: {
    /** The chain's minimum gas price. */
    readonly least: number
    readonly low: number
    readonly average: number
    readonly high: number
  }
}

const stakingParams = codecOf('cosmos.staking.v1beta1.QueryParamsResponse')

/**
 * Returns the properties of a chain. Throws `NoWalletChain` if the application has no accounts,
 * `NoBlockYet`, and on a fork `UnknownFact`.
 */
export function readChainFacts(source: FactSource): ChainFacts {
  const { chain, settings } = source.simulation().node
  const { ethereum } = source.world
  if (ethereum === undefined) throw new NoWalletChain()
  const newest = latestBlock(chain)
  if (newest === undefined) throw new NoBlockYet()
  const params = ethereum.params(chain.app)
  const staking = query(source, '/cosmos.staking.v1beta1.Query/Params', new Uint8Array(0))
  const stakeDenom = stakingParams.decode(staking).params?.bondDenom || params.coin.denom
  return {
    chainId: chain.genesis.chainId,
    evmChainId: Number(params.chainId),
    bech32Prefix: settings.bech32Prefix,
    coin: coinOf(source, params.coin.denom),
    stakeCoin: coinOf(source, stakeDenom),
    gasPrices: pricesOf(params, newest.ethereum.baseFee ?? 0n),
  }
}

/**
 * Returns the properties of a chain, or undefined if they are unknown, for example before its first
 * block.
 */
export function chainFactsOrNone(source: FactSource): ChainFacts | undefined {
  try {
    return readChainFacts(source)
  } catch (error) {
    if (isExpected(error)) return undefined
    throw error
  }
}

/**
 * Returns gas prices in wei: the base fee as `low`, the suggestion of `eth_gasPrice` as `average`, and
 * twice that as `high`, for a rising base fee.
 */
function pricesOf(
  { minGasPrice, elasticityMultiplier, baseFeeChangeDenominator }: EvmParams,
  baseFee: bigint,
): ChainFacts['gasPrices'] {
  const low = baseFee > minGasPrice ? baseFee : minGasPrice
  const average = low + (low * (elasticityMultiplier - 1n)) / baseFeeChangeDenominator
  return {
    least: Number(minGasPrice),
    low: Number(low),
    average: Number(average),
    high: Number(2n * average),
  }
}

/**
 * Returns a coin from the metadata of the bank module. A coin without metadata is named after its
 * denomination.
 */
function coinOf(source: FactSource, denom: string): Coin {
  const request = QueryDenomMetadataRequest.encode({ denom })
  const answer = query(source, '/cosmos.bank.v1beta1.Query/DenomMetadata', request)
  const { metadata } = QueryDenomMetadataResponse.decode(answer)
  const unit = metadata?.denomUnits.find((one) => one.denom === metadata.display)
  return {
    base: denom,
    symbol: metadata?.symbol || denom,
    name: metadata?.name || denom,
    decimals: unit?.exponent ?? 0,
  }
}

/**
 * Returns the response to a query of the newest state; empty if there is none. Throws
 * `UnknownFact`.
 */
function query({ world, simulation }: FactSource, path: string, data: Uint8Array): Uint8Array {
  const { chain } = simulation().node
  const { value: answer, lacks } = readLacking(chain.app.forked, () =>
    world.app.query(
      chain.app,
      { path, data, height: 0n, prove: false },
      { ...storeQueryContext(chain), stateAt: () => chain.app },
    ),
  )
  if (lacks) throw new UnknownFact(path)
  return answer.value ?? new Uint8Array(0)
}

/** Thrown for a chain without the EVM, which has no accounts for wallets. */
export class NoWalletChain extends SimError {
  constructor() {
    super('NO_WALLET_CHAIN', 'the kvstore application has no accounts for a wallet', {
      hint: 'Start with --app evmd.',
    })
  }
}

/** Thrown for a query before the first block. */
export class NoBlockYet extends SimError {
  constructor() {
    super('NO_BLOCK_YET', 'the chain has no block yet', { hint: 'Mine one: chainstage mine.' })
  }
}

/** Thrown on a fork that has not fetched the required state from the other chain. */
export class UnknownFact extends SimError {
  constructor(what: string) {
    super('UNKNOWN_FACT', `the chain that this one continues has not been asked for ${what} yet`, {
      hint: 'Send the query to this chain once, and try again.',
    })
  }
}
