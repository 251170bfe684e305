/** Registers a token contract as a coin (x/erc20 keeper/proposals.go). */
import type { Metadata } from '../../../../codec/messages/cosmos.ts'
import type { Context } from '../../context.ts'
import { TxError } from '../../txError.ts'
import { isDenom } from '../../coins.ts'
import { getMetadata, setMetadata } from '../bank/params.ts'
import { describeToken, erc20Error } from './contract.ts'
import { contractOwner, isContractRegistered, isDenomRegistered, setTokenPair, type TokenPair } from './tokenPairs.ts'
import { checksumAddress } from '../../../../crypto/checksumAddress.ts'

/** Creates a pair of the contract and a new denomination `erc20:0x…`. Throws the node's errors. */
export function registerErc20(context: Context, token: Uint8Array): TokenPair {
  const erc20 = checksumAddress(token)
  const exists = 'token pair already exists'
  if (isContractRegistered(context, token)) {
    throw erc20Error(5, `token ERC20 contract already registered: ${erc20}: ${exists}`)
  }
  const denom = `erc20:${erc20}`
  try {
    setMetadata(context, metadataOf(context, token, denom))
  } catch (error) {
    if (!(error instanceof TxError)) throw error
    throw error.inside('failed to create wrapped coin denom metadata for ERC20')
  }
  const pair = { erc20, denom, enabled: true, owner: contractOwner }
  // The node looks up both again, which costs gas.
  if (isDenomRegistered(context, denom)) {
    throw erc20Error(5, `token already exists for denom ${denom}: ${exists}`)
  }
  if (isContractRegistered(context, token)) {
    throw erc20Error(5, `token already exists for token ${erc20}: ${exists}`)
  }
  setTokenPair(context, pair, token)
  return pair
}

function metadataOf(context: Context, token: Uint8Array, base: string): Metadata {
  const { name, symbol, decimals } = describeToken(context, token)
  const internal = 'internal ethereum token mapping error'
  if (getMetadata(context, base) !== undefined) {
    throw erc20Error(3, `denom metadata already registered: ${internal}`)
  }
  if (isDenomRegistered(context, base)) {
    throw erc20Error(3, `coin denomination already registered: ${name}: ${internal}`)
  }
  const display = decimals > 0 ? sanitized(name) : base
  const invalid = (why: string): Error =>
    new TxError(`ERC20 token data is invalid for contract ${checksumAddress(token)}: ${why}`, plain)
  if (symbol.trim() === '') throw invalid('symbol field cannot be blank')
  if (!isDenom(display)) throw invalid(`invalid metadata display denom: invalid denom: ${display}`)
  return {
    description: `Cosmos coin token representation of ${checksumAddress(token)}`,
    base,
    display,
    name: base,
    symbol,
    denomUnits: [
      { denom: base, exponent: 0, aliases: [] },
      ...(decimals > 0 ? [{ denom: display, exponent: decimals, aliases: [] }] : []),
    ],
    uri: '',
    uriHash: '',
  }
}

const plain = { code: 1, codespace: 'undefined' }

/**
 * Returns a name reduced to letters, digits, `/`, `:` and `-`, at most 128 characters, without
 * reserved prefixes.
 */
function sanitized(name: string): string {
  let left = name
    .replace(/^\d+/gm, '')
    .replace(/^[^A-Za-z]|[^a-zA-Z0-9/:-]/g, '')
    .slice(0, 128)
  while (/^(ibc\/|erc20\/|erc20:)/.test(left)) left = left.replace(/^(ibc\/|erc20\/|erc20:)/, '')
  return left
}
