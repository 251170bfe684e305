/** Calls to the forked chain that remain unanswered, or have no usable answer. */
import { SimError } from '../../errors.ts'
import { sentParams } from '../../recording/playback/callKey.ts'
import { ownCodes } from '../../rpc/ownCodes.ts'
import type { WireParams } from '../../rpc/dialect.ts'
import type { Side } from '../../settings/side.ts'

/** A call to the forked chain. */
export type ForkCall = { readonly side: Side; readonly method: string; readonly params: WireParams }

/** The forked chain does not answer; the input had no effect. */
export class ForkAway extends SimError {
  constructor(name: string, method: string, why: string) {
    super('FORK_AWAY', `${name}, whose chain was forked, did not answer ${method}: ${why}`, {
      hint: 'State that was already fetched is still served. To work offline, fork from a recording of level fork.',
    })
  }
}

/** A recording of level fork lacks the answer to a call. */
export class NotRecorded extends SimError {
  constructor(name: string, { method, params }: ForkCall) {
    super('NOT_RECORDED', `${method} ${paramsShown(params)} was not recorded in ${name}`, {
      hint: 'Record the chain again with chainstage record --level fork, and include this call.',
    })
  }
}

/** The other chain returned an error, or a result that is not state. */
export class BadFact extends SimError {
  constructor(method: string, received: string) {
    super('BAD_FACT', `unexpected response to ${method}: ${received}`, {
      hint: 'A pruning node only has the state of recent blocks: fork at a later height, or from an archive node.',
    })
  }
}

/** Returns the code of the JSON-RPC error for a call that the other chain left unanswered. */
export function unansweredCode(error: unknown): number {
  if (error instanceof NotRecorded) return ownCodes.notRecorded
  return error instanceof ForkAway ? ownCodes.away : ownCodes.unusable
}

function paramsShown(params: WireParams): string {
  const sent = sentParams(params)
  return (typeof sent === 'string' ? sent : JSON.stringify([...sent])).slice(0, 300)
}
