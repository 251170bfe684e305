/** The tokens of the chain: contracts and Cosmos denoms, with their pairs, holders and transfers. */
import { addressBytes } from '../../codec/bech32.ts'
import { bytesOfHex, hexOf } from '../../codec/hex.ts'
import { contractsAbove } from './contracts.ts'
import { denomHolders, denomTransfers, denomView, pairsOf } from './denoms.ts'
import { labelsOf } from './names.ts'
import type { NumberPage } from './numberPages.ts'
import { askToken, tokenOf } from './tokens.ts'
import { holdersInTransfers, transfersView } from './tokenTransfers.ts'
import type { Instance } from '../ports.ts'
import { checksumAddress } from '../../crypto/checksumAddress.ts'

export type Slice = { readonly from: number; readonly limit: number }

/** Returns the token contracts whose address is above `after`, in address order. */
export function tokensView(instance: Instance, { after, limit }: { readonly after: string; readonly limit: number }) {
  const labels = labelsOf(instance)
  const pairs = pairsOf(instance)
  const rows = []
  for (const { address, code } of contractsAbove(instance, after)) {
    const token = tokenOf(instance, address, hexOf(code))
    if (token === null) continue
    if (rows.length === limit) return { rows, next: rows.at(-1)?.address.toLowerCase() ?? null }
    const denom = pairs.find(({ erc20 }) => erc20.toLowerCase() === hexOf(address))?.denom ?? null
    const label = labels.get(hexOf(address)) ?? null
    rows.push({ address: checksumAddress(address), label, denom, ...token })
  }
  return { rows, next: null }
}

/** Returns a token by its contract address or its denom, or undefined if there is none. */
export function tokenView(instance: Instance, text: string) {
  const address = addressBytes(text)
  if (address === undefined) return denomView(instance, text)
  const { world, simulation } = instance
  const code = world.ethereum?.code(simulation().node.chain.app, address) ?? new Uint8Array(0)
  const token = tokenOf(instance, address, hexOf(code))
  if (token === null) return undefined
  const pair = pairsOf(instance).find(({ erc20 }) => erc20.toLowerCase() === hexOf(address)) ?? null
  return { ...token, address: checksumAddress(address), denom: pair?.denom ?? null, pair }
}

/**
 * Returns a slice of the holders of a token, largest first for contracts, with the number of all
 * holders. Holders of a contract are found in its logs; ERC-20 and ERC-721 contracts are asked for
 * the balances.
 */
export function tokenHolders(instance: Instance, text: string, { from, limit }: Slice) {
  const address = addressBytes(text)
  if (address === undefined) return denomHolders(instance, text, { from, limit })
  const all = holdersInTransfers(instance, address)
  return {
    total: all.length,
    rows: all.slice(from, from + limit).map(({ address: holder, amount }) => ({
      address: checksumAddress(bytesOfHex(holder)),
      amount: askToken(instance, address, 'balanceOf', [holder]) ?? String(amount),
    })),
  }
}

/** Returns a page of the transfers of a token, newest first. */
export function tokenTransfers(instance: Instance, text: string, page: NumberPage) {
  const address = addressBytes(text)
  return address === undefined ? denomTransfers(instance, text, page) : transfersView(instance, address, page)
}
