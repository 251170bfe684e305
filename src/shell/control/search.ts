/** Search box of the dashboard. */
import { countsOf } from '../../simulation/journal.ts'
import { recordByEthHash, recordByHash } from '../../chain/history.ts'
import { upperHexOf } from '../../codec/comet.ts'
import { bytesOfDigits, hexOf } from '../../codec/hex.ts'
import { bothForms, labelsOf, readAddress } from './names.ts'
import { findWaiting } from './waitingTx.ts'
import { findTx } from './transactions.ts'
import type { Instance } from '../ports.ts'

export type Hit = {
  readonly kind: 'block' | 'transaction' | 'address' | 'label' | 'method' | 'fault' | 'step'
  readonly id: string
  readonly title: string
}

const most = 12

/** Returns up to 12 matches, the most exact first. */
export function searchView(instance: Instance, asked: string): readonly Hit[] {
  const text = asked.trim()
  if (text === '') return []
  return [...exact(instance, text), ...byName(instance, text.toLowerCase())].slice(0, most)
}

function exact(instance: Instance, text: string): readonly Hit[] {
  const { chain } = instance.simulation().node
  const digits = text.replaceAll(/[,_\s]/g, '')
  if (/^\d{1,12}$/.test(digits) && Number(digits) >= 1 && Number(digits) <= Number(chain.height)) {
    return [{ kind: 'block', id: String(Number(digits)), title: `Block ${Number(digits)}` }]
  }
  const address = readAddress(text)
  if (address !== undefined) {
    const { ethereum } = bothForms(address)
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

function byName(instance: Instance, text: string): readonly Hit[] {
  const { plan, journal, node } = instance.simulation()
  const names = (kind: Hit['kind'], all: Iterable<string>): Hit[] =>
    [...new Set(all)]
      .filter((name) => name.toLowerCase().includes(text))
      .map((name) => ({ kind, id: name, title: name }))
  const labels = [...labelsOf(instance)]
    .filter(([, name]) => name.toLowerCase().includes(text))
    .map(([address, name]): Hit => ({ kind: 'label', id: address, title: name }))
  return [
    ...labels,
    ...names('fault', [...plan.faults.map(({ name }) => name), ...node.faults.active.map(({ rule }) => rule.name)]),
    ...names(
      'step',
      plan.steps.map(({ id }) => id),
    ),
    ...names('method', countsOf(journal).keys()),
  ]
}
