/** The search box of the dashboard. */
import { recordAt } from '../../chain/history.ts'
import { recordByEthHash, recordByHash } from '../../chain/lookups.ts'
import { upperHexOf } from '../../codec/comet.ts'
import { bytesOfDigits, hexOf } from '../../codec/hex.ts'
import { readBech32, addressBytes } from '../../codec/bech32.ts'
import { sides } from '../../rpc/sides.ts'
import { contractOfCode, type KnownAbis } from './abis.ts'
import { functionSignature, type ContractShape } from './abiShapes.ts'
import { contractsAbove } from './contracts.ts'
import { bothForms, labelsOf } from './names.ts'
import { precompileAbis } from './precompileAbis.ts'
import { proposalTitles } from './proposals.ts'
import { findWaiting } from './waitingTx.ts'
import { findTx } from './transactions.ts'
import { operatorsOf } from './validators.ts'
import type { Instance } from '../ports.ts'
import { checksumAddress } from '../../crypto/checksumAddress.ts'

export type Hit = {
  readonly kind:
    | 'block'
    | 'transaction'
    | 'address'
    | 'label'
    | 'validator'
    | 'proposal'
    | 'contract'
    | 'function'
    | 'method'
    | 'fault'
    | 'step'
  readonly id: string
  readonly title: string
}

const most = 12
/** Maximum number of contracts whose code is compared with ABIs of a name. */
const contractsMost = 500

/** Returns up to 12 matches, the most exact first. */
export function searchView(instance: Instance, asked: string, known: KnownAbis): readonly Hit[] {
  const text = asked.trim()
  if (text === '') return []
  return [...exact(instance, text), ...byName(instance, text.toLowerCase(), known)].slice(0, most)
}

function exact(instance: Instance, text: string): readonly Hit[] {
  const { chain } = instance.simulation().node
  const digits = text.replaceAll(/[,_\s]/g, '')
  if (/^\d{1,12}$/.test(digits) && recordAt(chain.history, BigInt(digits)) !== undefined) {
    return [{ kind: 'block', id: String(Number(digits)), title: `Block ${Number(digits)}` }]
  }
  const operator = operatorsOf(instance).get(consensusIn(text))
  if (operator !== undefined) return [{ kind: 'validator', id: operator.operator, title: operator.moniker }]
  const address = addressBytes(text)
  if (address !== undefined) {
    const { ethereum } = bothForms(instance, address)
    return [{ kind: 'address', id: ethereum, title: labelsOf(instance).get(hexOf(address)) ?? ethereum }]
  }
  const hash = /^(?:0x)?[\da-fA-F]{64}$/.test(text) ? bytesOfDigits(text.replace(/^0x/, '')) : undefined
  if (hash === undefined) return []
  const record = recordByHash(chain.history, hash) ?? recordByEthHash(chain.history, hash)
  if (record !== undefined) {
    const { height } = record.block.header
    return [{ kind: 'block', id: String(height), title: `Block ${height}` }]
  }
  const found = findTx(instance, text)?.tx ?? findWaiting(instance, text)
  return found === undefined ? [] : [{ kind: 'transaction', id: text, title: upperHexOf(found.hash) }]
}

/** Returns a consensus address, spelled as hex without 0x or as `cosmosvalcons1…`, in upper-case hex. */
function consensusIn(text: string): string {
  if (!/^[^1]+valcons1/.test(text)) return text.toUpperCase()
  try {
    return upperHexOf(readBech32(text).bytes)
  } catch {
    return ''
  }
}

function byName(instance: Instance, text: string, known: KnownAbis): readonly Hit[] {
  const { plan, progress, node } = instance.simulation()
  const has = (name: string) => name.toLowerCase().includes(text)
  const names = (kind: Hit['kind'], all: Iterable<string>): Hit[] =>
    [...new Set(all)].filter(has).map((name) => ({ kind, id: name, title: name }))
  return [
    ...[...labelsOf(instance)]
      .filter(([, name]) => has(name))
      .map(([address, name]): Hit => ({ kind: 'label', id: address, title: name })),
    ...Object.entries(progress.facts.txs)
      .filter(([name, { label = '' }]) => has(name) || has(label))
      .map(([name, { hash, label }]): Hit => ({ kind: 'transaction', id: hash.toUpperCase(), title: label ?? name })),
    ...[...operatorsOf(instance).values()]
      .filter(({ moniker }) => has(moniker))
      .map(({ operator, moniker }): Hit => ({ kind: 'validator', id: operator, title: moniker })),
    ...proposalTitles(instance)
      .filter(({ title }) => has(title))
      .map(({ id, title }): Hit => ({ kind: 'proposal', id, title })),
    ...names('fault', [...plan.faults.map(({ name }) => name), ...node.faults.active.map(({ rule }) => rule.name)]),
    ...names(
      'step',
      plan.steps.map(({ id }) => id),
    ),
    ...contractHits(instance, has, known),
    ...names(
      'method',
      Object.values(sides).flatMap(({ dialect }) => dialect.table.methods.map(({ name }) => name)),
    ),
  ]
}

/** Returns contracts of the chain whose name, or the name of a function, fits. */
function contractHits(instance: Instance, has: (name: string) => boolean, known: KnownAbis): readonly Hit[] {
  const fits = ({ name, functions }: ContractShape) => has(name) || functions.some((one) => has(one.name))
  const functionHits = (id: string, { name: contract, functions }: ContractShape) =>
    functions
      .filter(({ name }) => has(name))
      .map((one): Hit => ({ kind: 'function', id, title: `${functionSignature(one)} of ${contract || id}` }))
  const own = [...precompileAbis].flatMap(([address, one]) => functionHits(address, one))
  if (!known.contracts.some(fits)) return own
  let read = 0
  const deployed: Hit[] = []
  for (const { address, code } of contractsAbove(instance, '')) {
    if (read++ >= contractsMost || deployed.length >= most) break
    const contract = contractOfCode(known, code)
    if (contract === undefined || !fits(contract)) continue
    const id = checksumAddress(address)
    const { name } = contract
    if (name !== '' && has(name)) deployed.push({ kind: 'contract', id, title: name })
    deployed.push(...functionHits(id, contract))
  }
  return [...deployed, ...own]
}
