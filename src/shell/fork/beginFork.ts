/** What a forked chain is told before clients come: the accounts of developers, and money where they have none. */
import type { StateEdit } from '../../app/application.ts'
import type { Fact } from '../../app/forked.ts'
import { historyContract } from '../../app/evmd/modules/evm/state.ts'
import type { RequestInput } from '../../node/input.ts'
import type { Instance } from '../instance.ts'
import { factsOf } from './facts.ts'
import type { Forking } from './forking.ts'

/**
 * Resolves when the chain has seen all of it. Accounts that the other chain knows keep what they have
 * there. Rejects with `StateMissing`.
 */
export async function beginFork({ enter, operate, world, simulation }: Instance, { source, height }: Forking): Promise<void> {
  const addresses = [...world.keyring.map(({ address }) => address), historyContract]
  const facts = await factsOf(source, height, addresses.map((address) => ({ type: 'account', address })))
  enter({ kind: 'learned', facts })
  const amount = BigInt(simulation().node.settings.balance) * 10n ** 18n
  const edits = facts.slice(0, -1).flatMap((fact): StateEdit[] => (
    isEmpty(fact) ? [{ type: 'setBalance', address: fact.address, amount }] : []
  ))
  if (edits.length > 0) operate('fork', { type: 'edit', edits })
  await new Promise<void>((done) => { enter(question, () => done()) })
}

function isEmpty(fact: Fact): boolean {
  return fact.type === 'account' && fact.wei === 0n && fact.nonce === 0n
}

/** It is answered after everything before it. */
const question: RequestInput = {
  kind: 'request', side: 'eth', transport: 'http', verb: 'POST', target: '/', contentType: 'application/json', host: '127.0.0.1',
  origin: undefined, trusted: true, connection: undefined, body: '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}',
}
