/** Describes a chain in the formats of wallets and registries. */
import { prefixOfKind } from '../../app/evmd/address.ts'
import { SimError } from '../../errors.ts'
import { readChainFacts, type ChainFacts, type FactSource } from './chainFacts.ts'
import { servesGrpcWeb } from '../transport/gateway.ts'
import type { Urls } from '../urls.ts'

/**
 * The formats. `keplr` is also Leap's; `metamask` is the parameter of `wallet_addEthereumChain`
 * (EIP-3085).
 */
export const chainInfoFormats = ['keplr', 'chain-registry', 'metamask'] as const
export type ChainInfoFormat = (typeof chainInfoFormats)[number]

/** The coin type of Ethereum keys (SLIP-44). */
const coinType = 60

/** Returns the prefixes of addresses and public keys (cosmos-sdk types/config.go). */
function bech32ConfigOf(prefix: string) {
  const [operator, consensus] = [prefixOfKind(prefix, 'operator'), prefixOfKind(prefix, 'consensus')]
  return {
    bech32PrefixAccAddr: prefix,
    bech32PrefixAccPub: `${prefix}pub`,
    bech32PrefixValAddr: operator,
    bech32PrefixValPub: `${operator}pub`,
    bech32PrefixConsAddr: consensus,
    bech32PrefixConsPub: `${consensus}pub`,
  }
}

/**
 * Returns the description of a chain as JSON. Throws `NoSuchFormat`, `NoAddress` if the wallet
 * needs an interface that is off, and `NoWalletChain` if the chain has no accounts.
 */
export function chainInfo(source: FactSource, urls: Urls, format: string): object {
  const known = chainInfoFormats.find((one) => one === format)
  if (known === undefined) throw new NoSuchFormat(format)
  // A registry entry cannot contain the metadata that selects a session, so gRPC is left out.
  const own = (source.session ?? '') === '' ? urls : { ...urls, grpc: '' }
  const grpcWeb = servesGrpcWeb(source.simulation().node.settings) ? urls.rest : ''
  return writers[known](readChainFacts(source), { ...own, grpcWeb })
}

type Addresses = Urls & { readonly grpcWeb: string }

type Writer = (facts: ChainFacts, urls: Addresses) => object

const writers: Readonly<Record<ChainInfoFormat, Writer>> = {
  keplr,
  'chain-registry': chainRegistry,
  metamask,
}

/**
 * Features that make Keplr derive Ethereum addresses, sign Keccak-256 hashes, and name its public
 * key `/cosmos.evm.crypto.v1.ethsecp256k1.PubKey`. Without the third feature, Keplr would use
 * Ethermint's name for the key.
 */
const keplrFeatures = ['eth-address-gen', 'eth-key-sign', 'eth-secp256k1-cosmos']

/** Returns the `ChainInfo` of `experimentalSuggestChain`. */
function keplr({ chainId, evmChainId, bech32Prefix, coin, stakeCoin, gasPrices }: ChainFacts, urls: Urls) {
  const currency = currencyOf(coin)
  const { low, average, high } = pricesInCoins(coin, gasPrices)
  const stake = stakeCoin.base === coin.base ? [] : [currencyOf(stakeCoin)]
  return {
    chainId,
    chainName: nameOf(chainId),
    rpc: needed('keplr', 'comet', urls),
    rest: needed('keplr', 'rest', urls),
    ...(urls.eth === '' ? {} : { evm: { chainId: evmChainId, rpc: urls.eth } }),
    bip44: { coinType },
    bech32Config: bech32ConfigOf(bech32Prefix),
    stakeCurrency: currencyOf(stakeCoin),
    currencies: [currency, ...stake],
    feeCurrencies: [{ ...currency, gasPriceStep: { low, average, high } }],
    features: keplrFeatures,
  }
}

/** The EVM counts with as many decimals, whatever the bank module does. */
const evmDecimals = 18

/** Returns gas prices in the bank module's coin. */
function pricesInCoins({ decimals }: ChainFacts['coin'], prices: ChainFacts['gasPrices']): ChainFacts['gasPrices'] {
  const inCoins = (wei: number): number => wei / 10 ** (evmDecimals - decimals)
  const { least, low, average, high } = prices
  return { least: inCoins(least), low: inCoins(low), average: inCoins(average), high: inCoins(high) }
}

function currencyOf({ symbol, base, decimals }: ChainFacts['coin']) {
  return { coinDenom: symbol, coinMinimalDenom: base, coinDecimals: decimals }
}

/** Returns the `chain.json` of the Cosmos chain registry; interfaces that are off are omitted. */
function chainRegistry({ chainId, bech32Prefix, coin, stakeCoin, gasPrices }: ChainFacts, urls: Addresses) {
  const { least, low, average, high } = pricesInCoins(coin, gasPrices)
  const apis = {
    rpc: urls.comet,
    rest: urls.rest,
    grpc: urls.grpc,
    wss: urls.cometWs,
    'grpc-web': urls.grpcWeb,
    'evm-http-jsonrpc': urls.eth,
  }
  return {
    $schema: '../chain.schema.json',
    chain_name: plainNameOf(chainId),
    chain_type: 'cosmos',
    chain_id: chainId,
    pretty_name: nameOf(chainId),
    status: 'live',
    network_type: 'devnet',
    bech32_prefix: bech32Prefix,
    bech32_config: bech32ConfigOf(bech32Prefix),
    key_algos: ['ethsecp256k1'],
    slip44: coinType,
    fees: {
      fee_tokens: [
        {
          denom: coin.base,
          fixed_min_gas_price: least,
          low_gas_price: low,
          average_gas_price: average,
          high_gas_price: high,
        },
      ],
    },
    staking: { staking_tokens: [{ denom: stakeCoin.base }] },
    apis: Object.fromEntries(
      Object.entries(apis)
        .filter(([, address]) => address !== '')
        .map(([name, address]) => [name, [{ address, provider: 'chainstage' }]]),
    ),
    extra_codecs: ['ethermint'],
  }
}

function metamask({ chainId, evmChainId, coin }: ChainFacts, urls: Urls) {
  return {
    chainId: `0x${evmChainId.toString(16)}`,
    chainName: nameOf(chainId),
    rpcUrls: [needed('metamask', 'eth', urls)],
    nativeCurrency: { name: coin.name, symbol: coin.symbol, decimals: evmDecimals },
  }
}

function nameOf(chainId: string): string {
  return chainId.startsWith('chainstage') ? chainId : `chainstage ${chainId}`
}

/** Returns a chain's name for the registry, which allows only lower-case letters and digits. */
function plainNameOf(chainId: string): string {
  return nameOf(chainId)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
}

const interfaces = {
  comet: { name: 'CometBFT RPC', flag: '--rpc.laddr' },
  rest: { name: 'the Cosmos REST API', flag: '--api.enable' },
  eth: { name: 'Ethereum JSON-RPC', flag: '--json-rpc.enable' },
}

function needed(format: ChainInfoFormat, which: keyof typeof interfaces, urls: Urls): string {
  const url = urls[which]
  if (url !== '') return url
  const { name, flag } = interfaces[which]
  throw new NoAddress(format, name, flag)
}

/** Thrown for an unknown format. */
export class NoSuchFormat extends SimError {
  constructor(received: string) {
    super('BAD_FORMAT', `expected one of ${chainInfoFormats.join(', ')}, received "${received}"`)
  }
}

/**
 * Thrown if a wallet needs an interface that is off, or whose port is not known before the start.
 */
export class NoAddress extends SimError {
  constructor(format: string, name: string, flag: string) {
    super('NO_ADDRESS', `the format ${format} needs the address of ${name}, which is off or not known`, {
      hint: `Turn it on and give it a port: ${flag}.`,
    })
  }
}
