/** Code whose success needs enough gas and does not depend on it otherwise. */

/** GAS, CREATE, CALL, CALLCODE, DELEGATECALL, CREATE2 and STATICCALL: what can tell how much gas there is. */
const watching: ReadonlySet<number> = new Set([0x5a, 0xf0, 0xf1, 0xf2, 0xf4, 0xf5, 0xfa])
/** The first byte of a code that stands for another account's (EIP-7702). */
const delegation = 0xef

/**
 * Returns whether code contains no instruction that reveals its gas. If so, a message of one frame
 * that succeeds with some gas succeeds with more.
 */
export function isSteady(code: Uint8Array): boolean {
  const end = code.length - metadataLength(code)
  if (code[0] === delegation) return false
  for (let at = 0; at < end; at++) {
    const opcode = code[at] ?? 0
    if (watching.has(opcode)) return false
    if (opcode >= 0x60 && opcode <= 0x7f) at += opcode - 0x5f
  }
  return true
}

/** Returns the length of the metadata that solc appends: INVALID, a CBOR map of 1 to 4 members, its length. */
function metadataLength(code: Uint8Array): number {
  const length = ((code.at(-2) ?? 0) << 8) | (code.at(-1) ?? 0)
  const start = code.length - 2 - length
  const kind = code[start] ?? 0
  return start > 0 && code[start - 1] === 0xfe && kind >= 0xa1 && kind <= 0xa4 ? length + 3 : 0
}
