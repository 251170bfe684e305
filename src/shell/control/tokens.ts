/** Token contracts: recognized by their code, with the metadata that they answer. */
import { bytesOfHex, hexOf } from '../../codec/hex.ts'
import { readSignature, selectorOf, type FunctionShape } from './abiShapes.ts'
import { erc20Functions } from './commonAbis.ts'
import { decodeArgs, encodeCall } from './decodeCall.ts'
import type { Instance } from '../ports.ts'

export type TokenKind = 'ERC-20' | 'ERC-721' | 'ERC-1155'

export type Token = {
  readonly kind: TokenKind
  readonly symbol: string
  readonly name: string
  readonly decimals: number
  readonly totalSupply: string
}

const selectors = (...lines: readonly string[]) => lines.map((line) => selectorOf(readSignature(line)).slice(2))

/** The functions that identify each kind; the first kind whose selectors are all in the code fits. */
const marks: readonly (readonly [TokenKind, readonly string[]])[] = [
  [
    'ERC-1155',
    selectors(
      'balanceOfBatch(address[] owners, uint256[] ids)',
      'safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes data)',
    ),
  ],
  ['ERC-721', selectors('ownerOf(uint256 tokenId)', 'safeTransferFrom(address from, address to, uint256 tokenId)')],
  [
    'ERC-20',
    erc20Functions
      .filter(({ name }) => ['balanceOf', 'transfer', 'totalSupply'].includes(name))
      .map((one) => selectorOf(one).slice(2)),
  ],
]

/** Returns the token standard that code (hex) implements, or undefined if it implements none. */
function tokenKindOf(code: string): TokenKind | undefined {
  return marks.find(([, all]) => all.every((selector) => code.includes(selector)))?.[0]
}

/** Maximum length of a name or symbol. A contract may return megabytes, which stop the browser. */
const nameMost = 100

/**
 * Returns the metadata of the token at an address, or null if its code (hex) is not that of a token.
 * Functions that a standard leaves optional and that fail give `?`, 0 decimals or a supply of 0. A name or
 * symbol without a visible character gives `?` too, and a longer one than 100 characters is cut off.
 */
export function tokenOf(instance: Instance, address: Uint8Array, code: string): Token | null {
  const kind = tokenKindOf(code)
  if (kind === undefined) return null
  return {
    kind,
    symbol: nameIn(askToken(instance, address, 'symbol', [])),
    name: nameIn(askToken(instance, address, 'name', [])),
    decimals: kind === 'ERC-20' ? Number(askToken(instance, address, 'decimals', []) ?? 0) : 0,
    totalSupply: askToken(instance, address, 'totalSupply', []) ?? '0',
  }
}

function nameIn(text = ''): string {
  const head = [...text.slice(0, 2 * nameMost)].slice(0, nameMost).join('')
  if (!/[^\s\p{C}]/u.test(head)) return '?'
  return head === text ? text : `${head}…`
}

/** Returns the single return value of an ERC-20 function, or undefined if the call fails. */
export function askToken(
  instance: Instance,
  address: Uint8Array,
  name: string,
  args: readonly unknown[],
): string | undefined {
  const shape: FunctionShape | undefined = erc20Functions.find((one) => one.name === name)
  if (shape === undefined) return undefined
  const call = { to: hexOf(address), data: hexOf(encodeCall(shape, args)) }
  const told = instance.peek('eth', 'eth_call', [call, 'latest'])
  if (!('result' in told)) return undefined
  try {
    return decodeArgs(shape.outputs, bytesOfHex(String(told.result)))[0]?.value
  } catch {
    return undefined
  }
}
