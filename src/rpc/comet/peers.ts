/** Peers that a simulated node says it has: names without anybody behind them. */
import { formatTime } from '../../codec/time.ts'
import type { PlainObject } from '../../codec/goJsonWrite.ts'
import { plainHexOf } from '../../codec/hex.ts'
import { sha256 } from '../../crypto/hash.ts'
import type { Context } from '../method.ts'
import { nodeInfoJson } from './identity.ts'

const nanosPerMs = 1_000_000n

/**
 * Returns so many entries of `peers` as settings say (`comet-rpc.md` §1.6); every other one is
 * inbound.
 */
export function peersJson(context: Context): readonly PlainObject[] {
  return Array.from({ length: context.node.settings.peers }, (_, index) => peerJson(context, index))
}

function peerJson(context: Context, index: number): PlainObject {
  const { node: { nowMs, chain } } = context
  const ip = `10.0.${Math.floor(index / 250)}.${index % 250 + 2}`
  const id = plainHexOf(
    sha256(new TextEncoder().encode(`${chain.genesis.chainId} peer ${index}`)).slice(0, 20),
  )
  const monitor = monitorJson(formatTime(chain.genesis.time), (nowMs * nanosPerMs).toString())
  return {
    node_info: {
      ...nodeInfoJson(context), id, listen_addr: `tcp://${ip}:26656`, moniker: `peer-${index + 1}`,
    },
    is_outbound: index % 2 === 0,
    connection_status: {
      Duration: (nowMs * nanosPerMs).toString(), SendMonitor: monitor, RecvMonitor: monitor,
      Channels: [
        { ID: 48, SendQueueCapacity: '1', SendQueueSize: '0', Priority: '5', RecentlySent: '0' },
      ],
    },
    remote_ip: ip,
  }
}

function monitorJson(start: string, duration: string): PlainObject {
  return {
    Start: start, Bytes: '0', Samples: '0', InstRate: '0', CurRate: '0', AvgRate: '0', PeakRate: '0', BytesRem: '0',
    Duration: duration, Idle: '0', TimeRem: '0', Progress: 0, Active: true,
  }
}
