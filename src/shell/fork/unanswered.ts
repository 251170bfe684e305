/** Calls of the chain that a fork goes on from to which there is no answer. */
import { SimError } from '../../errors.ts'
import { sentParams } from '../../recording/playback/callKey.ts'
import type { WireParams } from '../../rpc/dialect.ts'
import type { Side } from '../../settings/side.ts'

/** A call of the other chain. */
export type ForkCall = { readonly side: Side; readonly method: string; readonly params: WireParams }

/** The chain that a fork goes on from does not answer: nothing of the input was carried out. */
export class ForkAway extends SimError {
  constructor(method: string, why: string) {
    super('FORK_AWAY', `the chain that this one goes on from was asked for ${method}: ${why}`, {
      hint: 'What is known already is answered. Start from a recording of level fork to need no other chain.',
    })
  }
}

/** A recording of level fork does not have what is needed. */
export class NotRecorded extends SimError {
  constructor(name: string, { method, params }: ForkCall) {
    super('NOT_RECORDED', `${method} ${textOf(params)} was not recorded in ${name}`, {
      hint: 'Record again with this call among those that are made: chainstage record --level fork.',
    })
  }
}

function textOf(params: WireParams): string {
  const sent = sentParams(params)
  return (typeof sent === 'string' ? sent : JSON.stringify([...sent])).slice(0, 300)
}
