/** Opens the chain to fork and prepares the start of a server. */
import type { ForkedAt } from './stores.ts'
import { addressTexts } from '../../app/evmd/address.ts'
import { distinctTexts } from '../../data/distinctTexts.ts'
import { forkDocument, type Holders } from '../../app/evmd/forkDocument.ts'
import { genesisDocument, genesisHolders } from '../../app/evmd/genesisDocument.ts'
import { sha256 } from '../../crypto/hash.ts'
import type { TapLine } from '../../recording/playback/tapLine.ts'
import type { Settings } from '../../settings/settings.ts'
import { loadLibrary } from '../recordings/folderFiles.ts'
import { factsOf } from './facts.ts'
import { createFork, type Fork } from './forkParts.ts'
import { originOf, NoForkPoint } from './point.ts'
import { sameChain } from './sameChain.ts'
import { nodeSource, recordedSource, type ForkSource } from './source.ts'
import { assertOneNode, upstreamsOf, upstreamUrls } from './upstreams.ts'

/**
 * `from` has the URLs of one node, in any order, or the path of a recording. `height` is the last
 * block of the other chain. `timeoutMs` limits the wait for each response of a node, by default 30
 * s.
 */
export type ForkChoice = {
  readonly from: readonly string[]
  readonly height?: bigint | undefined
  readonly timeoutMs?: number
}

/** The start values of a server. `settings` has those that the other chain determines. */
export type OpenedFork = {
  readonly forking: Fork
  readonly settings: Pick<Settings, 'evmChainId' | 'chainId' | 'bech32Prefix'>
  readonly genesis: string
  /** Resolves with the genesis document for other settings: seed, validators and accounts are in it. */
  readonly genesisOf: (settings: Settings) => Promise<string>
}

/**
 * Resolves with the fork after the first requests to the other chain. Rejects with `NoForkPoint`, or
 * an error of `source.ts` or `upstreams.ts`.
 */
export async function openFork(
  { from, height, timeoutMs }: ForkChoice,
  settings: Settings,
  note?: (line: TapLine) => void,
): Promise<OpenedFork> {
  assertForkable(settings)
  const urls = upstreamUrls(from)
  const patience = timeoutMs === undefined ? {} : { timeoutMs }
  const node = urls && { upstreams: await upstreamsOf(urls, patience), ...patience }
  const opened = node === undefined ? await recordingAt(from[0] ?? '') : nodeSource({ ...node, ...(note && { note }) })
  const origin = await originOf(opened, height)
  if (node !== undefined && opened.has('comet')) assertOneNode(origin)
  const source = node === undefined ? opened : sameChain(opened, nodeSource(node), origin)
  const { point, evmChainId, chainId = settings.chainId, bech32Prefix = settings.bech32Prefix } = origin
  const fork = { height: point.height, addressTexts: addressTexts(bech32Prefix) }
  note?.(headLine(point.height))
  const genesisOf: OpenedFork['genesisOf'] = async (wanted) => {
    const seed = sha256(new TextEncoder().encode(wanted.seed))
    const document = genesisDocument({ ...wanted, chainId, bech32Prefix, accounts: 0 }, seed)
    return forkDocument(document, point, await newHolders(source, fork, wanted))
  }
  return {
    forking: createFork({ source, ...fork, misses: distinctTexts() }),
    settings: { evmChainId, chainId, bech32Prefix },
    genesis: await genesisOf(settings),
    genesisOf,
  }
}

/**
 * Returns the developer accounts that do not exist on the other chain, with the same balance as on
 * a local chain.
 */
async function newHolders(source: ForkSource, fork: ForkedAt, settings: Settings): Promise<Holders> {
  const wanted = genesisHolders(settings).map((address) => ({ type: 'account', address }) as const)
  const facts = await factsOf(source, fork, wanted)
  const unknown = facts.filter(
    (fact) =>
      fact.type === 'account' && fact.wei === 0n && fact.nonce === 0n && (fact.stored ?? fact.code).length === 0,
  )
  return {
    addressTexts: fork.addressTexts,
    addresses: unknown.map(({ address }) => address),
    amount: BigInt(settings.balance) * 10n ** 18n,
  }
}

/** Returns the exchange that a recording keeps so that the fork height is its latest block. */
function headLine(height: bigint): TapLine {
  return {
    t: 0,
    ms: 0,
    iface: 'b',
    kind: 'http',
    conn: 0,
    method: 'POST',
    path: '/',
    status: 200,
    req: '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}',
    res: `{"jsonrpc":"2.0","id":1,"result":"0x${height.toString(16)}"}`,
  }
}

/** Throws `NoForkPoint` for an application that has no Ethereum state. */
function assertForkable({ application }: Settings): void {
  if (application === 'evmd') return
  throw new NoForkPoint(
    `expected the application evmd beside --fork, received ${application}`,
    'Leave --app out, or start without --fork.',
  )
}

async function recordingAt(path: string): Promise<ForkSource> {
  return recordedSource(await loadLibrary(path), path)
}
