import type { PlainObject } from '../../codec/goJsonWrite.ts'
import { plainHexOf } from '../../codec/hex.ts'
import { formatTime } from '../../codec/time.ts'
import { ed25519Address } from '../../crypto/ed25519.ts'
import { keyPairFromSeed } from '../../crypto/keys.ts'
import type { Context } from '../method.ts'
import { nodeInfoJson } from './identity.ts'

/**
 * Returns the peers that the setting `peers` adds, as `net_info` shows them (`comet-rpc.md` §1.6).
 */
export function peersJson(context: Pick<Context, 'world' | 'node'>): readonly PlainObject[] {
  const {
    chain: { genesis },
    nowMs,
  } = context.node
  const monitor = {
    Start: formatTime(genesis.time),
    Bytes: '0',
    Samples: '0',
    InstRate: '0',
    CurRate: '0',
    AvgRate: '0',
    PeakRate: '0',
    BytesRem: '0',
    Duration: nanosOf(nowMs),
    Idle: nanosOf(nowMs),
    TimeRem: '0',
    Progress: 0,
    Active: true,
  }
  return madeUpPeers(context).map(({ id, ip, moniker }) => ({
    node_info: { ...nodeInfoJson(context), id, listen_addr: `tcp://${ip}:26656`, moniker },
    is_outbound: true,
    connection_status: {
      Duration: nanosOf(nowMs),
      SendMonitor: monitor,
      RecvMonitor: monitor,
      Channels: channelIds.map((ID) => ({
        ID,
        SendQueueCapacity: '1',
        SendQueueSize: '0',
        Priority: '5',
        RecentlySent: '0',
      })),
    },
    remote_ip: ip,
  }))
}

/** Returns the addresses of these peers (`id@ip:port`), as `dump_consensus_state` shows them. */
export function peerAddresses(context: Pick<Context, 'node'>): readonly string[] {
  return madeUpPeers(context).map(({ id, ip }) => `${id}@${ip}:26656`)
}

/** Peer ids are drawn from the seed; nothing is ever sent to them. */
function madeUpPeers({ node: { chain, settings } }: Pick<Context, 'node'>) {
  return Array.from({ length: settings.peers }, (_, index) => {
    const { publicKey } = keyPairFromSeed(chain.genesis.seed, 'peer', index)
    return {
      id: plainHexOf(ed25519Address(publicKey)),
      moniker: `peer${index + 1}`,
      ip: `10.0.${(index + 2) >> 8}.${(index + 2) & 255}`,
    }
  })
}

/** Channels of the consensus, mempool, evidence and block sync reactors of CometBFT. */
const channelIds = [32, 33, 34, 35, 48, 56, 64]

function nanosOf(ms: bigint): string {
  return (ms * 1_000_000n).toString()
}
