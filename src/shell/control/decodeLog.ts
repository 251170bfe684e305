/** Names the events that most contracts emit; what is not known here stays as it is on the wire. */
import { checksumAddress, hexOf } from '../../codec/hex.ts'
import type { EthereumLog } from '../../chain/block.ts'
import { keccak256 } from '../../crypto/hash.ts'

export type DecodedLog = {
  readonly event: string
  readonly args: readonly { readonly name: string; readonly type: string; readonly value: string }[]
}

type Arg = { readonly name: string; readonly type: string; readonly isIndexed: boolean }
type Known = { readonly event: string; readonly args: readonly Arg[] }

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

const known: ReadonlyMap<string, Known> = new Map(signatures.map((signature) => {
  const [event = '', list = ''] = signature.replace(')', '').split('(')
  const args = list.split(', ').map((text): Arg => {
    const words = text.split(' ')
    return { type: words[0] ?? '', name: words.at(-1) ?? '', isIndexed: words.includes('indexed') }
  })
  const canonical = `${event}(${args.map(({ type }) => type).join(',')})`
  const topic = hexOf(keccak256(new TextEncoder().encode(canonical)))
  return [keyOf(topic, 1 + args.filter(({ isIndexed }) => isIndexed).length), { event, args }]
}))

function keyOf(topic: string, count: number): string {
  return `${topic}/${count}`
}

/** Returns the event of a log with its arguments, or undefined when it is none that is known. */
export function decodeLog({ topics, data }: EthereumLog): DecodedLog | undefined {
  const [first] = topics
  const found = first === undefined ? undefined : known.get(keyOf(hexOf(first), topics.length))
  if (found === undefined) return undefined
  const words = { topics: topics.slice(1), data }
  if (data.length !== 32 * found.args.filter(({ isIndexed }) => !isIndexed).length) return undefined
  let [topic, word] = [0, 0]
  return {
    event: found.event,
    args: found.args.map(({ name, type, isIndexed }) => {
      const bytes = isIndexed ? words.topics[topic++] : data.subarray(32 * word, 32 * ++word)
      return { name, type, value: valueOf(type, bytes ?? new Uint8Array(32)) }
    }),
  }
}

function valueOf(type: string, word: Uint8Array): string {
  if (type === 'address') return checksumAddress(word.subarray(12), keccak256)
  if (type === 'bool') return String(word.some((byte) => byte !== 0))
  return type.startsWith('uint') ? String(BigInt(hexOf(word))) : hexOf(word)
}
