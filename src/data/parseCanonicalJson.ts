/**
 * Returns the value of a `canonicalJson` text, with bigints and bytes restored. Throws
 * `SyntaxError` for other JSON.
 */
export function parseCanonicalJson(text: string): unknown {
  return JSON.parse(text, (_, value: unknown) => (typeof value === 'string' ? unmarked(value) : value))
}

function unmarked(text: string): unknown {
  if (!text.startsWith('#')) return text
  if (text.startsWith('##')) return text.slice(1)
  if (text.startsWith('#n:')) return BigInt(text.slice(3))
  if (text.startsWith('#x:')) return bytesOf(text.slice(3))
  throw new SyntaxError(`an unknown mark: ${text.slice(0, 8)}`)
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from({ length: hex.length / 2 }, (_, at) => Number.parseInt(hex.slice(at * 2, at * 2 + 2), 16))
}
