/** Coins of other chains, in the store `transfer` (ibc-go modules/apps/transfer keeper). */
import { readGoHex } from '../../../../codec/base64.ts'
import { always, message, repeated, text } from '../../../../codec/protobuf/message.ts'
import { sha256 } from '../../../../crypto/hash.ts'
import type { Context } from '../../context.ts'
import { clientParts } from '../../ibcId.ts'
import { storeKey } from '../../storeKeys.ts'

/** A coin, and the channels through which it came, last one first. */
export type Denom = {
  base: string
  trace: readonly { port: string; channel: string }[]
}

const hashBytes = 32
const prefix = 3

/** The store and key prefix of all coins of other chains, ordered by hash. */
export const denomsPlace = { store: 'transfer', prefix: Uint8Array.of(prefix) } as const

export const denomMessage = message<Denom>({
  1: ['base', text],
  3: [
    'trace',
    repeated(
      always(
        message<Denom['trace'][number]>({
          1: ['port', text],
          2: ['channel', text],
        }),
      ),
    ),
  ],
})

/** Returns the hash in a denomination `ibc/…`, or the error text if it is invalid. */
export function readDenomHash(spelled: string): Uint8Array | string {
  const bytes = readGoHex(spelled.replace(/^ibc\//, ''))
  const isHash = bytes.length === hashBytes || bytes.length === 0
  if (typeof bytes === 'string' || isHash) return bytes
  return `expected size to be ${hashBytes} bytes, got ${bytes.length} bytes`
}

/** Returns the coin that a path such as `transfer/channel-0/uatom` names (ibc-go ExtractDenomFromPath). */
export function denomOfPath(path: string): Denom {
  const parts = path.split('/')
  const trace: { port: string; channel: string }[] = []
  let at = 0
  while (parts.length > 2 && isHopEnd(parts[at + 1])) {
    trace.push({ port: parts[at] ?? '', channel: parts[at + 1] ?? '' })
    at += 2
  }
  return { base: parts.slice(at).join('/'), trace }
}

/** Returns whether a part names a channel or a client: their identifiers have the same form. */
function isHopEnd(part = ''): boolean {
  const found = clientParts(part)
  return found !== undefined && found.number < 2n ** 64n
}

/** Returns the coin with a hash, or undefined. */
export function findDenom(context: Context, hash: Uint8Array): Denom | undefined {
  const value = context.store('transfer').get(storeKey(prefix, hash))
  return value === undefined ? undefined : denomMessage.decode(value)
}

/**
 * Returns the hash of a path such as `transfer/channel-0/uatom`; undefined if the coin is unknown.
 */
export function hashOfKnownPath(context: Context, path: string): Uint8Array | undefined {
  const hash = sha256(new TextEncoder().encode(path))
  return context.store('transfer').has(storeKey(prefix, hash)) ? hash : undefined
}
