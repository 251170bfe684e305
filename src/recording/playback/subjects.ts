/** Finds the accounts and contracts that a recorded text names, in any spelling. */
import { Bech32Error, readBech32 } from '../../codec/bech32.ts'
import { bytesOfDigits, plainHexOf } from '../../codec/hex.ts'

const bech32Texts = /[a-z]{1,20}1[02-9ac-hj-np-z]{38}(?:[02-9ac-hj-np-z]{20})?(?![0-9a-z])/g

/** An address as a word of ABI data, after twelve zero bytes. */
const abiWords = /0{24}([0-9a-f]{40})/g

/**
 * Returns the addresses in the parameters of a call, as 40 hex digits each. Finds plain addresses,
 * words of ABI data, and bech32, including bech32 in hex-encoded protobuf.
 */
export function accountsIn(text: string): readonly string[] {
  const plain = [...text.matchAll(/(?<![0-9a-f])(?:0x)?([0-9a-f]{40})(?![0-9a-f])/g)]
  const words = [...text.matchAll(abiWords)]
  return [...new Set([...[...plain, ...words].map(([, digits = '']) => digits), ...bech32In(text)])]
}

/**
 * Returns the wanted addresses that a text names: anywhere in its hex, in any case and alignment,
 * or as bech32.
 */
export function namedIn(text: string, wanted: ReadonlySet<string>): ReadonlySet<string> {
  const named = new Set(bech32In(text).filter((account) => wanted.has(account)))
  for (const [run] of text.matchAll(/[0-9a-fA-F]{40,}/g)) {
    const digits = run.toLowerCase()
    for (let at = 0; at + 40 <= digits.length; at++) {
      const account = digits.slice(at, at + 40)
      if (wanted.has(account)) named.add(account)
    }
  }
  return named
}

function bech32In(text: string): readonly string[] {
  const inHex = [...text.matchAll(/(?:[0-9a-f]{2}){40,}/g)].map(([digits]) => latin1Of(digits))
  return [text, ...inHex].flatMap((one) => [...one.matchAll(bech32Texts)]).flatMap(([found]) => accountOf(found))
}

function latin1Of(digits: string): string {
  const bytes = bytesOfDigits(digits) ?? new Uint8Array()
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
}

/**
 * Decodes an address whose prefix may follow letters of protobuf: the longest valid one is used.
 */
function accountOf(text: string): readonly string[] {
  for (let from = 0; from < text.lastIndexOf('1'); from++) {
    try {
      return [plainHexOf(readBech32(text.slice(from)).bytes)]
    } catch (error) {
      if (!(error instanceof Bech32Error)) throw error
    }
  }
  return []
}
