/** Cosmos denoms: supply, metadata, ERC-20 pairs, holders and transfers. */
import { eventKey, txAt } from '../../chain/indexing.ts'
import { upperHexOf } from '../../codec/comet.ts'
import { pageOfNumbers, type NumberPage } from './numberPages.ts'
import { restPages } from './restPages.ts'
import type { Instance } from '../ports.ts'

type Coin = { readonly denom: string; readonly amount: string }
type Metadata = {
  readonly base: string
  readonly display: string
  readonly name: string
  readonly symbol: string
  readonly description: string
  readonly denom_units: readonly { readonly denom: string; readonly exponent: number }[]
}
type Pair = { readonly erc20_address: string; readonly denom: string; readonly enabled: boolean }

/** Returns the pairs of denoms and ERC-20 contracts (x/erc20). */
export function pairsOf(instance: Instance) {
  return restPages<Pair>(instance, '/cosmos/evm/erc20/v1/token_pairs', 'token_pairs').map(
    ({ erc20_address: erc20, denom, enabled }) => ({ erc20, denom, enabled }),
  )
}

/** Returns all denoms that have a supply, with their metadata and ERC-20 pairs. */
export function denomsView(instance: Instance) {
  const pairs = pairsOf(instance)
  const metadata = restPages<Metadata>(instance, '/cosmos/bank/v1beta1/denoms_metadata', 'metadatas')
  return restPages<Coin>(instance, '/cosmos/bank/v1beta1/supply', 'supply').map(({ denom, amount }) => {
    const known = metadata.find(({ base }) => base === denom)
    return {
      kind: 'denom' as const,
      denom,
      name: known?.name ?? denom,
      symbol: known?.symbol ?? denom,
      description: known?.description ?? '',
      decimals: known?.denom_units.find((unit) => unit.denom === known.display)?.exponent ?? 0,
      totalSupply: amount,
      pair: pairs.find((one) => one.denom === denom) ?? null,
    }
  })
}

/** Returns a denom with its supply, or undefined if no coin of it exists. */
export function denomView(instance: Instance, denom: string) {
  const found = denomsView(instance).find((one) => one.denom === denom)
  return found === undefined ? undefined : { ...found, address: null }
}

/** Returns a slice of the holders of a denom in address order, with the number of all holders. */
export function denomHolders(
  instance: Instance,
  denom: string,
  { from, limit }: { readonly from: number; readonly limit: number },
) {
  const page = `pagination.offset=${from}&pagination.limit=${limit}&pagination.count_total=true`
  const path = `/cosmos/bank/v1beta1/denom_owners_by_query?denom=${encodeURIComponent(denom)}&${page}`
  const told = instance.peek('rest', path, {})
  if (!('result' in told)) return { total: 0, rows: [] }
  const { denom_owners: owners, pagination } = told.result as {
    readonly denom_owners: readonly { readonly address: string; readonly balance: Coin }[]
    readonly pagination: { readonly total: string }
  }
  return {
    total: Number(pagination.total),
    rows: owners.map(({ address, balance }) => ({ address, amount: balance.amount })),
  }
}

/** Maximum number of transactions that one page searches for a denom. */
const transactionsMost = 2000

/**
 * Returns the transfers of a denom in whole transactions, newest first, until there are at least
 * `limit`. `next` and `newer` are transaction numbers.
 */
export function denomTransfers({ simulation }: Instance, denom: string, { limit, ...page }: NumberPage) {
  const { history } = simulation().node.chain
  const { txEvents: index, firstTx: first } = history
  const found = pageOfNumbers(
    { index, groups: [[eventKey('transfer.amount')]], first },
    { ...page, limit: transactionsMost },
  )
  const isUp = page.from !== undefined
  let rows: ReturnType<typeof transfersOf> = []
  let last: number | undefined
  for (const number of isUp ? found.toReversed() : found) {
    const of = transfersOf(txAt(history, number), denom).toReversed()
    rows = isUp ? [...of, ...rows] : [...rows, ...of]
    last = number
    if (rows.length >= limit) break
  }
  const isWhole = last === undefined || (last === (isUp ? found[0] : found.at(-1)) && found.length < transactionsMost)
  const start = page.from ?? 0
  if (isUp) return { rows, next: start > first ? start : null, newer: isWhole ? null : Number(last) + 1 }
  return { rows, next: isWhole ? null : Number(last), newer: page.before >= index.limit ? null : page.before }
}

function transfersOf({ height, hash, result: { events } }: ReturnType<typeof txAt>, denom: string) {
  return events.flatMap(({ type, attributes }, place) => {
    if (type !== 'transfer') return []
    const value = (key: string) => attributes.find((one) => one.key === key)?.value ?? ''
    const amount = value('amount')
      .split(',')
      .find((coin) => coin.replace(/^\d+/, '') === denom)
    if (amount === undefined) return []
    return [
      {
        height: Number(height),
        index: String(place),
        transaction: upperHexOf(hash),
        from: value('sender'),
        to: value('recipient'),
        id: null,
        value: amount.slice(0, -denom.length),
      },
    ]
  })
}
