/** Transfers of the native token as logs, which `eth_simulateV1` adds to those of contracts (ERC-7528). */
import { bytesOfHex } from '../../../codec/hex.ts'
import type { EvmLog } from '../../../evm/types.ts'

/** A frame of geth's `callTracer`; `position` is the number of calls before a log. */
type Frame = {
  readonly type: string
  readonly from: string
  readonly to?: string
  readonly value?: string
  readonly error?: string
  readonly calls?: readonly Frame[]
  readonly logs?: readonly {
    readonly address: string
    readonly topics?: readonly string[]
    readonly data?: string
    readonly position: string
  }[]
}

/** Returns the logs of a traced message in order, with its transfers; none from frames that failed. */
export function logsWithTransfers(trace: string): readonly EvmLog[] {
  return trace === '' ? [] : logsOf(JSON.parse(trace) as Frame)
}

function logsOf(frame: Frame): readonly EvmLog[] {
  if (frame.error !== undefined) return []
  const { calls = [], logs = [] } = frame
  const own = (position: number) => logs.filter((log) => Number(log.position) === position).map(logOf)
  return [
    ...transferOf(frame),
    ...calls.flatMap((call, index) => [...own(index), ...logsOf(call)]),
    ...own(calls.length),
  ]
}

const transfer = bytesOfHex('0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef')
const nativeToken = bytesOfHex('0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee')

function transferOf({ type, from, to, value = '0x0' }: Frame): readonly EvmLog[] {
  if (to === undefined || type === 'DELEGATECALL' || type === 'CALLCODE' || BigInt(value) === 0n) return []
  const word = (hex: string) => bytesOfHex(`0x${hex.slice(2).padStart(64, '0')}`)
  return [{ address: nativeToken, topics: [transfer, word(from), word(to)], data: word(value) }]
}

function logOf({ address, topics = [], data = '0x' }: NonNullable<Frame['logs']>[number]): EvmLog {
  return { address: bytesOfHex(address), topics: topics.map((topic) => bytesOfHex(topic)), data: bytesOfHex(data) }
}
