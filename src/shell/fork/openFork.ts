/** Opens the chain to fork and prepares the start of a server. */
import { distinctTexts } from '../../data/distinctTexts.ts'
import { forkDocument, type Holders } from '../../app/evmd/forkDocument.ts'
import { genesisDocument, holdersOf } from '../../app/evmd/genesisDocument.ts'
import { sha256 } from '../../crypto/hash.ts'
import type { TapLine } from '../../recording/playback/tapLine.ts'
import type { Settings } from '../../settings/settings.ts'
import { loadLibrary } from '../recordings/folderFiles.ts'
import { urlOf, type Upstreams } from '../recordings/upstream.ts'
import { factsOf } from './facts.ts'
import { createFork, type Fork } from './forkParts.ts'
import { originOf, NoForkPoint } from './point.ts'
import { nodeSource, recordedSource, type Source } from './source.ts'
import type { Side } from '../../settings/side.ts'

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
  readonly settings: Pick<Settings, 'evmChainId' | 'chainId'>
  readonly genesis: string
  /** Resolves with the genesis document for other settings: seed, validators and accounts are in it. */
  readonly genesisOf: (settings: Settings) => Promise<string>
}

/**
 * Resolves with the fork after the first requests to the other chain. Rejects with `NoForkPoint` or
 * an error of `source.ts`.
 */
export async function openFork(
  { from, height, timeoutMs }: ForkChoice,
  settings: Settings,
  note?: (line: TapLine) => void,
): Promise<OpenedFork> {
  const upstreams = isRecording(from) ? undefined : await upstreamsOf(from)
  const told = { ...(note && { note }), ...(timeoutMs === undefined ? {} : { timeoutMs }) }
  const source = upstreams === undefined ? await recordingAt(from[0] ?? '') : nodeSource({ upstreams, ...told })
  const { point, evmChainId, chainId = settings.chainId } = await originOf(source, height)
  note?.(headLine(point.height))
  const genesisOf: OpenedFork['genesisOf'] = async (wanted) => {
    const seed = sha256(new TextEncoder().encode(wanted.seed))
    const document = genesisDocument({ ...wanted, chainId, accounts: 0 }, seed)
    return forkDocument(document, point, await newHolders(source, point.height, wanted))
  }
  return {
    forking: createFork({ source, height: point.height, misses: distinctTexts() }),
    settings: { evmChainId, chainId },
    genesis: await genesisOf(settings),
    genesisOf,
  }
}

/**
 * Returns the developer accounts that do not exist on the other chain, with the same balance as on
 * a local chain.
 */
async function newHolders(source: Source, height: bigint, settings: Settings): Promise<Holders> {
  const wanted = holdersOf(settings).map((address) => ({ type: 'account', address }) as const)
  const facts = await factsOf(source, height, wanted)
  const unknown = facts.filter(
    (fact) =>
      fact.type === 'account' && fact.wei === 0n && fact.nonce === 0n && (fact.stored ?? fact.code).length === 0,
  )
  return {
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

function isRecording(from: readonly string[]): boolean {
  return from.length === 1 && !/^https?:\/\//.test(from[0] ?? '')
}

async function recordingAt(path: string): Promise<Source> {
  return recordedSource(await loadLibrary(path), path)
}

/** Finds the interface of each URL by a call that only this interface answers. */
async function upstreamsOf(from: readonly string[]): Promise<Upstreams> {
  let found: Upstreams = { comet: undefined, eth: undefined, ethWs: undefined }
  for (const text of from) {
    const url = urlOf('fork', text)
    const isEth = await answers({ comet: undefined, eth: url, ethWs: undefined }, 'eth', 'eth_chainId')
    const isComet = !isEth && (await answers({ comet: url, eth: undefined, ethWs: undefined }, 'comet', 'status'))
    if (!isEth && !isComet) {
      throw new NoForkPoint(`${url?.origin ?? text} responds to neither eth_chainId nor status`)
    }
    found = isEth ? { ...found, eth: url } : { ...found, comet: url }
  }
  return found
}

async function answers(upstreams: Upstreams, side: Side, method: string): Promise<boolean> {
  const source = nodeSource({ upstreams })
  const params = { form: 'json', text: side === 'eth' ? '[]' : '{}' } as const
  const answer = await source.ask({ side, method, params }).catch(() => undefined)
  return answer?.ok === true
}
