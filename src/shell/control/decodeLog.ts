/**
 * Names the events that most contracts emit, and those of ABIs; what is not known stays as it is.
 */
import { abiTypes, decodeAbi, type AbiType, type AbiValue } from '../../app/evmd/precompiles/abi.ts'
import { checksumAddress, hexOf } from '../../codec/hex.ts'
import type { EthereumLog } from '../../chain/block.ts'
import { keccak256 } from '../../crypto/hash.ts'
import { keyOf, tableOf, type EventArg, type EventShape, type EventTable } from './abis.ts'

export type DecodedLog = {
  readonly event: string
  readonly args: readonly { readonly name: string; readonly type: string; readonly value: string }[]
}

/** Of ERC-20, 721, 1155, WETH, Ownable, AccessControl, Pausable and proxies. */
const signatures = [
  'Transfer(address indexed from, address indexed to, uint256 value)',
  'Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
  'Approval(address indexed owner, address indexed spender, uint256 value)',
  'Approval(address indexed owner, address indexed approved, uint256 indexed tokenId)',
  'ApprovalForAll(address indexed owner, address indexed operator, bool approved)',
  'TransferSingle(address indexed operator, address indexed from, address indexed to, '
    + 'uint256 id, uint256 value)',
  'Deposit(address indexed owner, uint256 value)',
  'Withdrawal(address indexed owner, uint256 value)',
  'OwnershipTransferred(address indexed previousOwner, address indexed newOwner)',
  'RoleGranted(bytes32 indexed role, address indexed account, address indexed sender)',
  'RoleRevoked(bytes32 indexed role, address indexed account, address indexed sender)',
  'Paused(address account)',
  'Unpaused(address account)',
  'Initialized(uint64 version)',
  'Upgraded(address indexed implementation)',
]

const usual: EventTable = tableOf(signatures.map((signature): EventShape => {
  const [event = '', list = ''] = signature.replace(')', '').split('(')
  return {
    event,
    args: list.split(', ').map((text): EventArg => {
      const words = text.split(' ')
      const isIndexed = words.includes('indexed')
      return { type: words[0] ?? '', name: words.at(-1) ?? '', isIndexed }
    }),
  }
}))

/** Returns the event of a log with its arguments, or undefined when it is none that is known. */
export function decodeLog(log: EthereumLog, known: EventTable): DecodedLog | undefined {
  const [first] = log.topics
  if (first === undefined) return undefined
  const key = keyOf(hexOf(first), log.topics.length)
  const found = known.get(key) ?? usual.get(key)
  try {
    return found === undefined ? undefined : decoded(log, found)
  } catch {
    return undefined
  }
}

function decoded({ topics, data }: EthereumLog, { event, args }: EventShape): DecodedLog {
  const plain = abiTypes(
    args.filter(({ isIndexed }) => !isIndexed).map(({ type }) => type).join(',')
  )
  const values = data.length === 0 && plain.length === 0 ? [] : decodeAbi(plain, data)
  let [topic, place] = [1, 0]
  return {
    event,
    args: args.map(({ name, type, isIndexed }) => {
      const value = isIndexed ? topicText(type, topics[topic++]) : valueText(values[place++])
      return { name, type, value }
    }),
  }
}

const isWord = ({ kind }: AbiType) => !['string', 'bytes', 'tuple', 'array'].includes(kind)

/** What takes more than a word is in its topic as a hash alone. */
function topicText(spelled: string, topic: Uint8Array = new Uint8Array(32)): string {
  const [type] = abiTypes(spelled)
  return type !== undefined && isWord(type) ? valueText(decodeAbi([type], topic)[0]) : hexOf(topic)
}

/** Twenty bytes are an address: nothing else that the ABI has is as long but `bytes20`. */
function valueText(value: AbiValue | undefined): string {
  if (value === undefined) return ''
  if (value instanceof Uint8Array) {
    return value.length === 20 ? checksumAddress(value, keccak256) : hexOf(value)
  }
  return Array.isArray(value) ? `[${value.map(valueText).join(', ')}]` : String(value)
}
