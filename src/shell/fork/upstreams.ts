/** Finds the interfaces of the node to fork, and checks that they are of one node. */
import { membersOf } from '../../data/members.ts'
import { SimError } from '../../errors.ts'
import type { Side } from '../../settings/side.ts'
import type { Upstreams } from '../recordings/upstream.ts'
import { NoForkPoint, type ForkOrigin } from './point.ts'
import { nodeSource, type NodeSource } from './source.ts'
import { ForkAway } from './unanswered.ts'

/**
 * Returns the URLs to fork; undefined if the only source is the path of a recording. Throws
 * `BadForkSource`.
 */
export function upstreamUrls(from: readonly string[]): readonly URL[] | undefined {
  const [first = ''] = from
  if (from.length === 1 && !first.includes('://')) return undefined
  return from.map((text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined
    if (url !== undefined && /^https?:$/.test(url.protocol)) return url
    if (!text.includes('://')) throw new BadForkSource('a path beside another source')
    throw new BadForkSource(url === undefined ? 'a malformed URL' : `a URL that begins with ${url.protocol}//`)
  })
}

type Patience = Pick<NodeSource, 'timeoutMs'>

/**
 * Resolves with the interface of each URL. Rejects with `NoForkPoint` for a URL of neither
 * interface, and with `TwoForkUrls` for two URLs of the same one.
 */
export async function upstreamsOf(urls: readonly URL[], patience: Patience): Promise<Upstreams> {
  let found: Upstreams = { comet: undefined, eth: undefined, ethWs: undefined }
  for (const url of urls) {
    const side = await sideOf(url, patience)
    const other = found[side]
    if (other !== undefined) throw new TwoForkUrls(side, [other, url])
    found = { ...found, [side]: url }
  }
  return found
}

/** Finds the interface of a URL by a call that only this interface answers. */
async function sideOf(url: URL, patience: Patience): Promise<'eth' | 'comet'> {
  const none = { comet: undefined, eth: undefined, ethWs: undefined }
  const asEth = await responds({ upstreams: { ...none, eth: url }, ...patience }, 'eth', 'eth_chainId')
  if (asEth === 'answer') return 'eth'
  // CometBFT RPC would answer that it does not know the method.
  if (asEth === 'away') {
    throw new NoForkPoint(
      `the node at ${url.origin} does not answer`,
      'Start the node, or correct the URL. A saved fork needs its node too. A fork of a recording needs none.',
    )
  }
  const asComet = await responds({ upstreams: { ...none, comet: url }, ...patience }, 'comet', 'status')
  if (asComet === 'answer') return 'comet'
  throw new NoForkPoint(`${url.origin} responds to neither eth_chainId nor status`)
}

async function responds(node: NodeSource, side: Side, method: string): Promise<'answer' | 'error' | 'away'> {
  const params = { form: 'json', text: side === 'eth' ? '[]' : '{}' } as const
  try {
    const answer = await nodeSource(node).ask({ side, method, params })
    return answer.ok === true ? 'answer' : 'error'
  } catch (error) {
    return error instanceof ForkAway ? 'away' : 'error'
  }
}

/**
 * Throws `TwoNodes` if the block at the fork height has neither the same hash nor the same app hash on
 * both interfaces. Throws `NoForkPoint` if CometBFT RPC has no such block.
 */
export function assertOneNode({ point: { height, hash }, block, signed }: ForkOrigin): void {
  if (signed === undefined) {
    throw new NoForkPoint(`its CometBFT RPC has no block ${height}, which its Ethereum JSON-RPC has`, oneNode)
  }
  const blockId = membersOf(membersOf(signed['commit'])['block_id'])
  // A node may show other block hashes on Ethereum JSON-RPC, as chainstage does after a reorg there.
  const isSame = [
    [blockId['hash'], hash],
    [membersOf(signed['header'])['app_hash'], String(block['stateRoot']).slice(2)],
  ].some(([there, here]) => String(there).toLowerCase() === String(here).toLowerCase())
  if (!isSame) throw new TwoNodes(height)
}

const oneNode = 'Set --fork to both URLs of one node, or leave out the URL of its CometBFT RPC.'

/** Thrown for a source that is neither an http URL nor a path. */
export class BadForkSource extends SimError {
  constructor(received: string) {
    // The source is not repeated, because it may contain a key.
    super('BAD_SETTING', `expected http or https URLs of a node, or one recording, as --fork; received ${received}`, {
      hint: 'Use the URL of its Ethereum JSON-RPC over HTTP, such as http://127.0.0.1:8545.',
    })
  }
}

/** Thrown for two URLs of the same interface. */
export class TwoForkUrls extends SimError {
  constructor(side: 'eth' | 'comet', urls: readonly URL[]) {
    const name = side === 'eth' ? 'Ethereum JSON-RPC' : 'CometBFT RPC'
    super(
      'CONTRADICTION',
      `expected one --fork URL of ${name}, received ${urls.map(({ origin }) => origin).join(' and ')}`,
      {
        hint: oneNode,
      },
    )
  }
}

/** Thrown when Ethereum JSON-RPC and CometBFT RPC show different blocks. */
export class TwoNodes extends SimError {
  constructor(height: bigint) {
    super(
      'CONTRADICTION',
      `expected both --fork URLs to be of one node, received different blocks of height ${height} from them`,
      { hint: oneNode },
    )
  }
}
