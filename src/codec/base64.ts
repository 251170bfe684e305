import { isPrintable } from './goText.ts'
import { bytesOfDigits } from './hex.ts'

/** Returns bytes in padded standard base64. */
export function base64Of(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64')
}

/**
 * Returns the bytes of padded standard base64, or Go's error text. As in Go, line breaks are
 * skipped and unused bits of the last group are ignored (Go encoding/base64).
 */
export function readBase64(text: string): Uint8Array | string {
  if (/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) {
    return new Uint8Array(Buffer.from(text, 'base64'))
  }
  const fault = faultOf(Buffer.from(text, 'utf8').toString('latin1'))
  return fault === undefined
    ? new Uint8Array(Buffer.from(text.replace(/[\r\n]/g, ''), 'base64'))
    : `illegal base64 data at input byte ${fault}`
}

// Returns the offset of the byte that Go's decodeQuantum reports, or undefined for valid text.
function faultOf(text: string): number | undefined {
  let at = 0
  for (;;) {
    let filled = 0
    let taken = 0
    const start = at
    while (filled < 4) {
      if (at === text.length) {
        // Go counts back from the end by the number of digits in the unfinished group.
        return filled === 0 && taken === at - start ? undefined : at - filled
      }
      const character = text.charAt(at)
      at += 1
      if (character === '\n' || character === '\r') taken += 1
      else if (/[A-Za-z0-9+/]/.test(character)) filled += 1
      else if (character === '=') return faultOfPadding(text, at, filled)
      else return at - 1
    }
  }
}

function faultOfPadding(text: string, after: number, filled: number): number | undefined {
  let at = after
  if (filled < 2) return at - 1
  if (filled === 2) {
    at = skipBreaks(text, at)
    if (at === text.length) return text.length
    if (text.charAt(at) !== '=') return at - 1
    at += 1
  }
  at = skipBreaks(text, at)
  return at < text.length ? at : undefined
}

function skipBreaks(text: string, from: number): number {
  let at = from
  while (text.charAt(at) === '\n' || text.charAt(at) === '\r') at += 1
  return at
}

/** Returns the bytes of unprefixed hex digits, or the error text of Go's encoding/hex. */
export function readGoHex(text: string): Uint8Array | string {
  const bytes = bytesOfDigits(text)
  if (bytes !== undefined) return bytes
  const bad = Buffer.from(text, 'utf8').find((byte) => !/[0-9a-fA-F]/.test(String.fromCharCode(byte)))
  if (bad === undefined) return 'encoding/hex: odd length hex string'
  const code = bad.toString(16).toUpperCase().padStart(4, '0')
  const character = String.fromCharCode(bad)
  const shown = isPrintable(character) ? ` '${character}'` : ''
  return `encoding/hex: invalid byte: U+${code}${shown}`
}
