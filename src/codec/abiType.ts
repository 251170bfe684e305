/** Types in the JSON form of a Solidity ABI. */

/** A parameter; `components` are the members of a tuple, and empty for other types. */
export type AbiInput = { readonly type: string; readonly components: readonly AbiInput[] }

/** Returns the type of a parameter as it stands in a signature: `(uint256,bool)[]` for a `tuple[]`. */
export function abiTypeText({ type, components }: AbiInput): string {
  return type.startsWith('tuple') ? `(${components.map(abiTypeText).join(',')})${type.slice('tuple'.length)}` : type
}
