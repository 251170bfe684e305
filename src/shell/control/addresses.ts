/** The dashboard's view of an address, and the transactions that touch the address. */
import { eventKey, txAt } from '../../chain/indexing.ts'
import { bech32Of } from '../../codec/bech32.ts'
import { hexOf } from '../../codec/hex.ts'
import { numbersOf, type AppendIndex } from '../../data/appendIndex.ts'
import { keccak256 } from '../../crypto/hash.ts'
import { contractAt, type KnownAbis } from './abis.ts'
import { functionSignature, signatureOf } from './abiShapes.ts'
import { bothForms, labelsOf } from './names.ts'
import { heldTx, summaryOf } from './transactions.ts'
import type { Instance } from '../ports.ts'

/**
 * Returns the address as both interfaces show it; `contract` is the known one that fits its code.
 */
export function addressView(instance: Instance, address: Uint8Array, known: KnownAbis) {
  const { node } = instance.simulation()
  const { ethereum: view } = instance.world
  const account = view?.account(node.chain.app, address)
  const code = view?.code(node.chain.app, address) ?? new Uint8Array(0)
  const forms = bothForms(address)
  const rest = (path: string) => {
    const told = instance.peek('rest', path, {})
    return 'result' in told ? told.result : null
  }
  const contract = contractAt(known, address, code)
  return {
    ...forms,
    validator: bech32Of('cosmosvaloper', address),
    label: labelsOf(instance).get(hexOf(address)) ?? null,
    hasKey: [...instance.world.keyring, ...(node.keys ?? [])].some((key) => hexOf(key.address) === hexOf(address)),
    wei: String(account?.wei ?? 0n),
    nonce: Number(account?.nonce ?? 0n),
    exists: account?.exists ?? false,
    code: hexOf(code),
    codeHash: code.length === 0 ? null : hexOf(keccak256(code)),
    coins: rest(`/cosmos/bank/v1beta1/balances/${forms.cosmos}`),
    account: rest(`/cosmos/auth/v1beta1/accounts/${forms.cosmos}`),
    delegations: rest(`/cosmos/staking/v1beta1/delegations/${forms.cosmos}`),
    unbonding: rest(`/cosmos/staking/v1beta1/delegators/${forms.cosmos}/unbonding_delegations`),
    rewards: rest(`/cosmos/distribution/v1beta1/delegators/${forms.cosmos}/rewards`),
    contract:
      contract === undefined
        ? null
        : {
            name: contract.name,
            functions: contract.functions.map((one) => ({ ...one, signature: functionSignature(one) })),
            events: contract.events.map(signatureOf),
          },
  }
}

/**
 * Returns the transactions that an address sent or received, or that paid it, newest first. Only
 * transactions below a given transaction number are listed. Reads the event index, so its cost does
 * not grow with the chain.
 */
export function addressTransactions(
  instance: Instance,
  address: Uint8Array,
  { before, limit }: { readonly before: number; readonly limit: number },
) {
  const { history } = instance.simulation().node.chain
  const { ethereum, cosmos } = bothForms(address)
  const keys = [
    eventKey('message.sender', ethereum.toLowerCase()),
    eventKey('message.sender', cosmos),
    eventKey('ethereum_tx.recipient', ethereum),
    eventKey('transfer.sender', cosmos),
    eventKey('transfer.recipient', cosmos),
  ]
  const numbers = newestNumbers(history.txEvents, keys, { before, limit, first: history.firstTx })
  return numbers.flatMap((number) => {
    const found = heldTx(history, txAt(history, number))
    return found === undefined ? [] : [{ number, ...summaryOf(instance, found.record, found.tx) }]
  })
}

type Window = { readonly before: number; readonly limit: number; readonly first: number }

/**
 * Searches backwards in windows that double in size, so that a page of an address with a million
 * entries costs no more than the page.
 */
export function newestNumbers(index: AppendIndex, keys: readonly string[], { before, limit, first }: Window): number[] {
  let top = Math.min(before, index.limit)
  const found: number[] = []
  for (let width = 256; top > first && found.length < limit; width *= 2) {
    const from = Math.max(first, top - width)
    const part = new Set(keys.flatMap((key) => numbersOf(index, key, { from, to: top })))
    found.push(...[...part].toSorted((a, b) => b - a))
    top = from
  }
  return found.slice(0, limit)
}
