/** /cosmos.base.node.v1beta1.Service, and the node's details in GetNodeInfo. */
import { readGoHex } from '../../../codec/base64.ts'
import { block as cometBlock } from '../../../codec/protobuf/comet.ts'
import { timestamp } from '../../../codec/protobuf/timestamp.ts'
import { always, bytes, message, nested, text, uint64 } from '../../../codec/protobuf/message.ts'
import type { Time } from '../../../data/time.ts'
import { type ChainMethods, servicesOf } from './chainMethod.ts'

const service = '/cosmos.base.node.v1beta1.Service/'

type Config = { minGasPrice: string; keepRecent: string; interval: string; haltHeight: bigint }
const config = message<Config>({
  1: ['minGasPrice', text],
  2: ['keepRecent', text],
  3: ['interval', text],
  4: ['haltHeight', uint64],
})
type Status = { height: bigint; time: Time; appHash: Uint8Array; validatorHash: Uint8Array }
const status = message<Status>({
  2: ['height', uint64],
  3: ['time', always(timestamp)],
  4: ['appHash', bytes],
  5: ['validatorHash', bytes],
})

type Protocol = { p2p: bigint; block: bigint; app: bigint }
type Other = { txIndex: string; rpcAddress: string }
type NodeInfo = {
  protocol: Protocol
  id: string
  listenAddress: string
  network: string
  version: string
  channels: Uint8Array
  moniker: string
  other: Other
}
const nodeInfo = message<NodeInfo>({
  1: [
    'protocol',
    always(
      message<Protocol>({
        1: ['p2p', uint64],
        2: ['block', uint64],
        3: ['app', uint64],
      }),
    ),
  ],
  2: ['id', text],
  3: ['listenAddress', text],
  4: ['network', text],
  5: ['version', text],
  6: ['channels', bytes],
  7: ['moniker', text],
  8: ['other', always(message<Other>({ 1: ['txIndex', text], 2: ['rpcAddress', text] }))],
})
type Build = { name: string; appName: string; sdkVersion: string }
const nodeAnswer = message<{ node: NodeInfo | undefined; build: Build | undefined }>({
  1: ['node', nested(nodeInfo)],
  2: [
    'build',
    nested(
      message<Build>({
        1: ['name', text],
        2: ['appName', text],
        8: ['sdkVersion', text],
      }),
    ),
  ],
})

export const nodeQueries: ChainMethods = {
  // As with `--pruning nothing`, no old state is dropped. The minimum gas price is empty, because 0
  // atest counts as none.
  [`${service}Config`]: () => config.encode({ minGasPrice: '', keepRecent: '0', interval: '0', haltHeight: 0n }),
  [`${service}Status`]: (context, _data, _ask, height) => {
    const headerAt = (at: bigint) => cometBlock.decode(servicesOf(context).blockAt(at).block).header
    // Height and time are those of the requested height; the hashes are the latest.
    const latest = headerAt(context.latestHeight)
    return status.encode({
      height,
      time: headerAt(height).time,
      appHash: latest.appHash,
      validatorHash: latest.nextValidatorsHash,
    })
  },
  '/cosmos.base.tendermint.v1beta1.Service/GetNodeInfo': (context) => {
    const { txIndex, rpcAddress, channels, ...said } = servicesOf(context).node()
    const hex = readGoHex(channels)
    return nodeAnswer.encode({
      node: {
        ...said,
        network: context.chainId,
        protocol: { p2p: 8n, block: 11n, app: 0n },
        channels: typeof hex === 'string' ? new Uint8Array(0) : hex,
        other: { txIndex, rpcAddress },
      },
      build: { name: '', appName: '<appd>', sdkVersion: 'v0.53.4' },
    })
  },
}
