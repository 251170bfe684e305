/** What a forked chain is told before clients come: the accounts of developers, and money where they have none. */
import type { StateEdit } from '../../app/application.ts'
import type { Fact } from '../../app/forked.ts'
import { historyContract } from '../../app/evmd/modules/evm/state.ts'
import type { RequestInput } from '../../node/input.ts'
import type { Instance } from '../instance.ts'
import { factsOf } from './facts.ts'
import type { Forking } from './forking.ts'

/** Tells a chain of the same fork the same. */
export type Begin = (instance: Instance) => void

/**
 * Resolves when the chain has seen all of it, with what sessions beside it are told. Accounts that the
 * other chain knows keep what they have there. Rejects with `StateMissing`.
 */
export async function beginFork(main: Instance, { source, height }: Forking): Promise<Begin> {
  const { world, simulation } = main
  const addresses = [...world.keyring.map(({ address }) => address), historyContract]
  const facts = await factsOf(source, height, addresses.map((address) => ({ type: 'account', address })))
  const amount = BigInt(simulation().node.settings.balance) * 10n ** 18n
  const edits = facts.slice(0, -1).flatMap((fact): StateEdit[] => (
    isEmpty(fact) ? [{ type: 'setBalance', address: fact.address, amount }] : []
  ))
  const begin: Begin = ({ enter, operate }) => {
    enter({ kind: 'learned', facts })
    if (edits.length > 0) operate('fork', { type: 'edit', edits })
  }
  begin(main)
  await new Promise<void>((done) => { main.enter(question, () => done()) })
  return begin
}

function isEmpty(fact: Fact): boolean {
  return fact.type === 'account' && fact.wei === 0n && fact.nonce === 0n
}

/** It is answered after everything before it. */
const question: RequestInput = {
  kind: 'request', side: 'eth', transport: 'http', verb: 'POST', target: '/', contentType: 'application/json', host: '127.0.0.1',
  origin: undefined, trusted: true, connection: undefined, body: '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}',
}
