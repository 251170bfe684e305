/** The dashboard's view of an address, and the transactions that touch the address. */
import { addressText } from '../../app/evmd/address.ts'
import { eventKey, txAt } from '../../chain/indexing.ts'
import { hexOf } from '../../codec/hex.ts'
import { keccak256 } from '../../crypto/hash.ts'
import { contractAt, type KnownAbis } from './abis.ts'
import { functionSignature, signatureOf, type ContractShape } from './abiShapes.ts'
import { bothForms, labelsOf } from './names.ts'
import { pageOfNumbers, type NumberPage } from './numberPages.ts'
import { implementationOf } from './proxies.ts'
import { restPages } from './restPages.ts'
import { heldTx, transactionRow } from './transactions.ts'
import { validatorsView } from './validators.ts'
import { keysOf } from '../../node/world.ts'
import type { Instance } from '../ports.ts'

/**
 * Returns the address as both interfaces show it; `contract` is the known one that fits its code. That of
 * a proxy has the functions of its `implementation` too.
 */
export function addressView(instance: Instance, address: Uint8Array, known: KnownAbis) {
  const { node } = instance.simulation()
  const { ethereum: view } = instance.world
  const account = view?.account(node.chain.app, address)
  const code = view?.code(node.chain.app, address) ?? new Uint8Array(0)
  const forms = bothForms(instance, address)
  const rest = (path: string) => {
    const told = instance.peek('rest', path, {})
    return 'result' in told ? told.result : null
  }
  const operator = addressText(node.settings, address, 'operator')
  const implementation = implementationOf(instance, address, code)
  const shapes = [
    contractAt(known, address, code),
    implementation &&
      contractAt(known, implementation, view?.code(node.chain.app, implementation) ?? new Uint8Array(0)),
  ].flatMap((one) => one ?? [])
  return {
    ...forms,
    validator: operator,
    label: labelsOf(instance).get(hexOf(address)) ?? null,
    hasKey: keysOf(instance.world, node).some((key) => hexOf(key.address) === hexOf(address)),
    wei: String(account?.wei ?? 0n),
    nonce: Number(account?.nonce ?? 0n),
    exists: account?.exists ?? false,
    code: hexOf(code),
    codeHash: code.length === 0 ? null : hexOf(keccak256(code)),
    coins: { balances: restPages(instance, `/cosmos/bank/v1beta1/balances/${forms.cosmos}`, 'balances') },
    account: rest(`/cosmos/auth/v1beta1/accounts/${forms.cosmos}`),
    delegations: {
      delegation_responses: restPages(instance, staking(`delegations/${forms.cosmos}`), 'delegation_responses'),
    },
    unbonding: {
      unbonding_responses: restPages(
        instance,
        staking(`delegators/${forms.cosmos}/unbonding_delegations`),
        'unbonding_responses',
      ),
    },
    rewards: rest(`/cosmos/distribution/v1beta1/delegators/${forms.cosmos}/rewards`),
    validatorFacts: rest(staking(`validators/${operator}`)) === null ? null : validatorAt(instance, operator),
    implementation: implementation === undefined ? null : bothForms(instance, implementation).ethereum,
    contract: shapes.length === 0 ? null : described(shapes),
  }
}

/** Describes the contracts that a call may run; what several of them declare is listed once. */
function described(shapes: readonly ContractShape[]) {
  const functions = new Map(
    shapes.flatMap((shape) => shape.functions.map((one) => [functionSignature(one), one] as const)),
  )
  return {
    name: shapes
      .map(({ name }) => name)
      .filter((name) => name !== '')
      .join(' → '),
    functions: [...functions].map(([signature, one]) => ({ ...one, signature })),
    events: [...new Set(shapes.flatMap(({ events }) => events.map(signatureOf)))],
  }
}

const staking = (path: string) => `/cosmos/staking/v1beta1/${path}`

/** The number of blocks whose signatures the page of a validator shows. */
const signaturesShown = 100

function validatorAt(instance: Instance, operator: string) {
  return validatorsView(instance, signaturesShown).find((one) => one.operator === operator) ?? null
}

/** Returns a slice of the storage slots that a contract has written, with the number of all. */
export function storageView(
  { world, simulation }: Instance,
  address: Uint8Array,
  { from, limit }: { readonly from: number; readonly limit: number },
) {
  const slots = world.ethereum?.slots(simulation().node.chain.app, address) ?? []
  return {
    total: slots.length,
    rows: slots.slice(from, from + limit).map(({ key, value }) => ({ slot: hexOf(key), value: hexOf(value) })),
  }
}

/**
 * Returns a page of the transactions that an address sent or received, or that paid it, newest
 * first, by transaction number. Reads the event index, so its cost does not grow with the chain.
 */
export function addressTransactions(instance: Instance, address: Uint8Array, page: NumberPage, known: KnownAbis) {
  const { history } = instance.simulation().node.chain
  const { ethereum, cosmos } = bothForms(instance, address)
  const keys = [
    eventKey('message.sender', ethereum.toLowerCase()),
    eventKey('message.sender', cosmos),
    eventKey('ethereum_tx.recipient', ethereum),
    eventKey('transfer.sender', cosmos),
    eventKey('transfer.recipient', cosmos),
  ]
  const numbers = pageOfNumbers({ index: history.txEvents, groups: [keys], first: history.firstTx }, page)
  return numbers.flatMap((number) => {
    const found = heldTx(history, txAt(history, number))
    return found === undefined ? [] : [{ number, ...transactionRow(instance, found.record, found.tx, known) }]
  })
}
